package hashtable

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestNumber: columns of wide numbers that repeat at first have tables of their own, and ids stay when later ones do not repeat.
func TestNumber(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	const rows = 500
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Double), vector.Of(vector.Varchar)}
	for _, first := range []int{0, 1} { // batches that fit without
		table := newMulti(types, NewSeed(), false)
		truth := model[string]{}
		for batch := range 20 {
			b := &vector.Batch{Len: rows}
			for _, typ := range types {
				b.Cols = append(b.Cols, vector.New(typ, rows))
			}
			names := make([]string, rows)
			for i := range rows {
				x := r.Int64N(200) << 54
				switch {
				case batch < first:
					x = 7
				case batch > 10:
					x = int64(r.Uint64())
				}
				b.Cols[0].I64[i], b.Cols[1].F64[i], b.Cols[2].Str[i] = x, float64(r.IntN(50))/3, fmt.Sprint("t", r.IntN(9))
				for c, v := range b.Cols {
					if r.IntN(9) == 0 && !(batch < first && c == 1) {
						v.SetNull(i)
					}
					names[i] += text(v.Get(i)) + "|"
				}
			}
			ids := make([]uint32, rows)
			if err := table.FindOrInsert(b.Cols, b, ids); err != nil {
				t.Fatal(err)
			}
			if batch == first && (table.rows != nil || table.cols[0].inner == nil) {
				t.Error("a column of 200 numbers has no table of its own")
			}
			out := []*vector.Vector{{}, {}, {}}
			if err := table.Keys(ids, out); err != nil {
				t.Fatal(err)
			}
			found := make([]uint32, rows)
			if err := table.NewFinder().Find(b.Cols, b, found); err != nil {
				t.Fatal(err)
			}
			for i, name := range names {
				back := ""
				for _, v := range out {
					back += text(v.Get(i)) + "|"
				}
				if want := truth.id(name); ids[i] != want || found[i] != want || back != name {
					t.Fatalf("batch %d: %s has the id %d, is found as %d and comes back as %s, want %d", batch, name, ids[i], found[i], back, want)
				}
			}
		}
	}
}
