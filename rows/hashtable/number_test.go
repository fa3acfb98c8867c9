package hashtable

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestNumber: columns of wide numbers that repeat at first have tables of their own, or are without the bits that all have alike, and ids
// stay when later ones do not repeat or have other bits.
func TestNumber(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	const rows = 500
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Double), vector.Of(vector.Varchar)}
	shapes := []struct {
		first int // batches that fit without
		unit  int64
		own   bool // a table
	}{{0, 0x1e3779b97f4a7c15, true}, {1, 0x1e3779b97f4a7c15, true}, {0, 1 << 54, false}, {1, -5 << 52, false}}
	for _, shape := range shapes {
		first := shape.first
		table := newMulti(types, NewSeed(), false)
		truth := model[string]{}
		for batch := range 20 {
			b := &vector.Batch{Len: rows}
			for _, typ := range types {
				b.Cols = append(b.Cols, vector.New(typ, rows))
			}
			names := make([]string, rows)
			for i := range rows {
				x := r.Int64N(200)*shape.unit + 1000
				switch {
				case batch < first:
					x = 1000
				case batch > 5 && !shape.own:
					x = r.Int64N(200) * (shape.unit >> (batch / 2))
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
			if batch == first && (table.rows != nil || (table.cols[0].inner != nil) != shape.own) {
				t.Errorf("multiples of %x: the table is wide %t, the column has a table of its own %t", shape.unit, table.rows != nil, !shape.own)
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
