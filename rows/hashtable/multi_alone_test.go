package hashtable

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestOneColumnDiffers has batches as grouping sets make them: of the columns that are not in the set all rows are NULL, and one
// has the set's number. Between them are batches in which several columns differ, and texts that are new pack the rows anew.
func TestOneColumnDiffers(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	types := []vector.Type{vector.Of(vector.Varchar), vector.Of(vector.Varchar), vector.Of(vector.BigInt), vector.Of(vector.BigInt)}
	m := newMulti(types, NewSeed(), false)
	ids := map[string]uint32{}
	for batch := range 300 {
		n := 1 + r.IntN(700)
		keys, text := make([]*vector.Vector, len(types)), make([]string, n)
		sel := make([]int32, 0, n)
		for i := range n {
			if batch%3 != 1 || r.IntN(4) > 0 {
				sel = append(sel, int32(i))
			}
		}
		in := r.IntN(1 << (len(types) - 1)) // the columns in the set
		for c, typ := range types {
			switch {
			case c == len(types)-1:
				keys[c] = vector.NewConstant(vector.IntScalar(int64(in)), n)
			case in>>c&1 == 0:
				keys[c] = vector.NewConstant(vector.NullOf(typ), n)
			default:
				v := vector.New(typ, n)
				for i := range n {
					x := r.IntN(min(100*(batch+1), 20_000))
					if v.Type.Kind == vector.Varchar {
						v.Str[i] = fmt.Sprint("text ", x)
					} else {
						v.I64[i] = int64(x % 50)
					}
					if x%97 == 0 {
						v.SetNull(i)
					}
				}
				keys[c] = v
			}
			for i := range n {
				text[i] += fmt.Sprint(keys[c].Get(i), "|")
			}
		}
		got := make([]uint32, len(sel))
		if err := m.FindOrInsert(keys, &vector.Batch{Len: n, Cols: keys, Sel: sel}, got); err != nil {
			t.Fatal(err)
		}
		for i, row := range sel {
			want, known := ids[text[row]]
			if !known {
				want = got[i]
				if int(want) < len(ids)-len(sel) {
					t.Fatalf("seed %d, batch %d: a new key has the id %d of %d", seed, batch, want, len(ids))
				}
				ids[text[row]] = want
			}
			if got[i] != want {
				t.Fatalf("seed %d, batch %d: %s has the id %d, and had %d", seed, batch, text[row], got[i], want)
			}
		}
		if m.Len() != len(ids) {
			t.Fatalf("seed %d, batch %d: %d keys, want %d", seed, batch, m.Len(), len(ids))
		}
	}
	if m.rows != nil || len(m.alone) == 0 {
		t.Errorf("seed %d: %d lists", seed, len(m.alone))
	}
}
