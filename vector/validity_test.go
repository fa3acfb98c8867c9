package vector

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSelect compares with a look at each row.
func TestSelect(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 2000 {
		n, share := r.IntN(300), r.IntN(5)
		v := make(Validity, (n+63)/64+r.IntN(2))
		for w := range v {
			v[w] = r.Uint64() // what is behind the rows counts for nothing
		}
		var set, none []int32
		for i := range n {
			if v.Clear(i); r.IntN(4) < share {
				v.Set(i)
				set = append(set, int32(i))
			} else {
				none = append(none, int32(i))
			}
		}
		room := make([]int32, n)
		if got := v.Select(nil, n, true, room); !slices.Equal(got, set) {
			t.Fatalf("of %d rows %v have a value, got %v", n, set, got)
		}
		if got := v.Select(nil, n, false, room); !slices.Equal(got, none) {
			t.Fatalf("of %d rows %v are NULL, got %v", n, none, got)
		}
	}
}
