package hashtable

import (
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestChange: keys that are all different at first change the table, and have the ids and hashes that they had.
func TestChange(t *testing.T) {
	texts := []vector.Type{vector.Of(vector.Varchar), vector.Of(vector.Double), vector.Of(vector.Varchar)}
	var wide []vector.Type
	for range 70 {
		wide = append(wide, vector.Of(vector.Integer))
	}
	for _, types := range [][]vector.Type{texts, wide, {vector.Of(vector.Null), vector.Of(vector.Varchar), vector.Of(vector.Varchar)}} {
		seed := NewSeed()
		table := New(types, seed, false).(*joint)
		batch := func(from, n int) *vector.Batch {
			b := &vector.Batch{Len: n}
			for c, typ := range types {
				v := vector.New(typ, n)
				for i := range n {
					switch x := from + i; {
					case typ.Kind == vector.Null:
					case x%5 == 0 && c%2 == 0:
						v.SetNull(i)
					case typ.Kind == vector.Varchar:
						v.Str[i] = fmt.Sprint("text ", x)
					case typ.Kind == vector.Double:
						v.F64[i] = float64(x) * 1e100
					default:
						v.I64[i] = int64(x) << 20
					}
				}
				b.Cols = append(b.Cols, v)
			}
			return b
		}
		check := func(from, n int) {
			b, ids := batch(from, n), make([]uint32, n)
			if err := table.FindOrInsert(b.Cols, b, ids); err != nil {
				t.Fatal(err)
			}
			found := make([]uint32, n)
			if err := table.NewFinder().Find(b.Cols, b, found); err != nil {
				t.Fatal(err)
			}
			hashes, want := make([]uint64, n), make([]uint64, n)
			table.Hashes(ids, hashes)
			NewHasher(len(types), seed).Hash(b.Cols, b, want)
			out := make([]*vector.Vector, len(types))
			for c := range out {
				out[c] = &vector.Vector{}
			}
			if err := table.Keys(ids, out); err != nil {
				t.Fatal(err)
			}
			for i, id := range ids {
				if id != uint32(from+i) || found[i] != id || hashes[i] != want[i] {
					t.Fatalf("row %d has the id %d, found as %d, hash %x, want %x", from+i, id, found[i], hashes[i], want[i])
				}
				for c, v := range out {
					if !equalKeys(v, i, b.Cols[c], i) {
						t.Fatalf("key %d has another value in column %d", id, c)
					}
				}
			}
		}
		step := firstRows / 4
		for from := 0; from < 3*firstRows; from += step {
			check(from, step)
			if changed := table.all != nil; changed != (from+step >= firstRows) {
				t.Fatalf("%v: after %d rows changed is %v", types[0], from+step, changed)
			}
		}
		check(0, 2*step)
		if table.Len() != 3*firstRows || table.Bytes() == 0 {
			t.Fatalf("%d keys, want %d", table.Len(), 3*firstRows)
		}
	}
}
