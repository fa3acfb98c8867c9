package group_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

const longKeys, longKey = 20, 4 << 20

// longTexts makes rows of one long text each.
type longTexts struct{ made int }

func (o *longTexts) Schema() vector.Schema {
	return vector.Schema{{Name: "s", Type: vector.Of(vector.Varchar), Nullable: true}}
}
func (o *longTexts) Close() error { return nil }
func (o *longTexts) Next(context.Context) (*vector.Batch, error) {
	if o.made == longKeys {
		return nil, nil
	}
	v := vector.New(o.Schema()[0].Type, 1)
	v.Str[0] = strings.Repeat(string(rune('a'+o.made)), longKey)
	o.made++
	return &vector.Batch{Len: 1, Cols: []*vector.Vector{v}}, nil
}

// TestLongKeys: groups with long keys that were on disk are in memory one after the other, and not
// beside those before them or the rows that they are of.
func TestLongKeys(t *testing.T) {
	leaktest.Check(t)
	env := exec.Env{Budget: quota.New(5 * longKey), TempDir: leaktest.Folder(t)}
	op := exec.NewGather(group.New(env, []exec.Operator{&longTexts{}}, []expr.Expr{expr.NewColumn(0, "s", vector.Of(vector.Varchar))}, nil, make(vector.Schema, 1)))
	live := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, seen := live(), map[byte]bool{}
	for {
		b, err := op.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			break
		}
		for i := range b.Rows() {
			s := b.Cols[0].Str[b.Row(i)]
			if len(s) != longKey || strings.Count(s, s[:1]) != longKey || seen[s[0]] {
				t.Fatalf("a key of %d bytes that begins with %q", len(s), s[:1])
			}
			seen[s[0]] = true
		}
		if n := live() - before - env.Budget.Used(); n > longKey+longKey/2 { // the groups may be longer than what is left for them, by one key
			t.Errorf("%d bytes are in memory that are not charged", n)
		}
	}
	if len(seen) != longKeys || env.Budget.Spilled() == 0 {
		t.Errorf("%d keys, %d bytes on disk", len(seen), env.Budget.Spilled())
	}
	if err := op.Close(); err != nil || env.Budget.Used() != 0 {
		t.Errorf("Close %v, %d bytes reserved", err, env.Budget.Used())
	}
}
