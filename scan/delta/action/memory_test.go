package action

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
)

// TestRoom: many different partitions make no more room for one with very many names, and what that takes
// is charged.
func TestRoom(t *testing.T) {
	const names = 40_000
	var text strings.Builder
	for i := range 1100 {
		fmt.Fprintf(&text, `{"add":{"path":"p%d","size":1,"partitionValues":{"p":"%d"}}}`+"\n", i, i)
	}
	text.WriteString(`{"add":{"path":"x","size":1,"partitionValues":{"0":"a"`)
	for i := range names - 1 {
		fmt.Fprintf(&text, `,"%x":"a"`, i+1)
	}
	text.WriteString("}}}\n")

	budget := quota.New(0)
	p, got := &Partitions{Budget: budget}, &collected{}
	if err := ReadJSON("log", text.String(), got, p); err != nil {
		t.Fatal(err)
	}
	if n := cap(p.room); n > max(mostRoom, names) {
		t.Errorf("there is room for %d values", n)
	}
	last := got.files[len(got.files)-1].Partition
	if v, ok := last.Find("9c3f"); len(last.Names) != names || !ok || v.Text != "a" {
		t.Errorf("the partition has %d names, and of the last one %v", len(last.Names), v)
	}
	if v, ok := got.files[1099].Partition.Find("p"); !ok || v.Text != "1099" {
		t.Errorf("the partition before has %v", v)
	}
	if least := int64(names * (nameBytes + valueBytes)); budget.Used() < least {
		t.Errorf("%d bytes are charged, names and values take %d", budget.Used(), least)
	}

	small := &Partitions{Budget: quota.New(1 << 20)}
	if err := ReadJSON("log", text.String(), &collected{}, small); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("with 1 MiB: %v", err)
	}
}
