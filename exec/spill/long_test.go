package spill_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/hashtable"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// TestLongRowsOfPartitions: a long row goes to disk without a copy in memory, and comes back, with
// columns of all types beside it; a short one, and one for which there is room, stays.
func TestLongRowsOfPartitions(t *testing.T) {
	leaktest.Check(t)
	schema := schema(true)
	var types []vector.Type
	for _, c := range schema {
		types = append(types, c.Type)
	}
	r := rand.New(rand.NewPCG(1, 2))
	rows := randomRows(r, 10, schema)
	long := exectest.Str
	for i := range rows {
		text := strings.Repeat(string(rune('a'+i%26)), 1<<20+i*50_000)
		if rows[i][long] = (vector.Scalar{Type: types[long], Str: text}); i%5 == 4 {
			rows[i][long].Str = "short"
		}
	}
	for _, c := range []struct {
		limit  int64
		shared bool
		disk   bool
	}{{1 << 20, false, true}, {1 << 20, true, true}, {1 << 30, false, false}} {
		budget, file := membudget.New(c.limit), spill.New(leaktest.Folder(t), true, nil)
		s := spill.NewPartitions(spill.Layout{Types: types, Keys: 2, Seed: hashtable.NewSeed(), Copies: !c.shared}, file, budget)
		source := exectest.NewSource(schema, rows, 1, r)
		var want []string
		for _, row := range rows {
			want = append(want, row.String())
		}
		for {
			b, err := source.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if b == nil {
				break
			}
			if err := s.Add(b, nil); err != nil {
				t.Fatal(err)
			}
		}
		if s.OnDisk() != c.disk || (budget.Peak() == 0) != c.disk {
			t.Errorf("%+v: on disk: %v, at most %d bytes in memory", c, s.OnDisk(), budget.Peak())
		}
		var got []string
		at := map[string]string{}
		for p := range hashtable.Partitions {
			back := read(t, s, p, at)
			if n, _ := s.Total(p); n != len(back) {
				t.Errorf("partition %d has %d rows, and says %d", p, len(back), n)
			}
			got = append(got, back...)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, want %d", fmt.Sprint(c), len(got), len(want))
		}
		s.Close()
		file.Close()
	}
}
