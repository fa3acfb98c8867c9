package hashtable

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestColumnsCollide: keys of few hashes are distinguished, after Reset too.
func TestColumnsCollide(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 3))
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Varchar)}
	table := NewColumns(types, NewSeed(), false)
	for round := range 3 {
		if round > 0 {
			table.Reset()
		}
		truth := naming{}
		for range 20 {
			b := &vector.Batch{Len: 1 + r.IntN(100), Cols: []*vector.Vector{nil, nil}}
			b.Cols[0], b.Cols[1] = vector.New(types[0], b.Len), vector.New(types[1], b.Len)
			hashes, ids := make([]uint64, b.Len), make([]uint32, b.Len)
			for i := range b.Len {
				k := r.Int64N(300)
				b.Cols[0].I64[i], b.Cols[1].Str[i] = k%20, fmt.Sprint(k/20)
				if k%20 == 7 {
					b.Cols[0].SetNull(i)
				}
				hashes[i] = uint64(k%5)<<uint(20+round*12) | uint64(k%3)
			}
			if err := table.FindOrInsertHashed(b.Cols, b, hashes, ids); err != nil {
				t.Fatal(err)
			}
			out := []*vector.Vector{{}, {}}
			if err := table.Keys(ids, out); err != nil {
				t.Fatal(err)
			}
			for i, id := range ids {
				key := text(b.Cols[0].Get(i)) + "|" + text(b.Cols[1].Get(i))
				if back := text(out[0].Get(i)) + "|" + text(out[1].Get(i)); back != key || !truth.agrees(key, id) {
					t.Fatalf("%s has the id %d, which is %s (seed %d)", key, id, back, seed)
				}
			}
		}
		if table.Len() != len(truth) {
			t.Fatalf("%d ids, want %d (seed %d)", table.Len(), len(truth), seed)
		}
	}
}
