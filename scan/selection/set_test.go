package selection

import (
	"math/rand"
	"slices"
	"testing"
	"time"
)

// TestSet compares with a map.
func TestSet(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	for range 50 {
		var s Set
		model := map[int64]bool{}
		limit := int64(1 + r.Intn(5*blockRows))
		for range r.Intn(2000) {
			row := r.Int63n(limit)
			s.Add(row)
			model[row] = true
		}
		if s.Count() != int64(len(model)) {
			t.Fatalf("seed %d: %d rows, want %d", seed, s.Count(), len(model))
		}
		for range 20 {
			from := r.Int63n(limit+100) - 50
			to := from + r.Int63n(limit)
			var want []int32
			for row := range model {
				if row >= from && row < to {
					want = append(want, int32(row-from))
				}
			}
			slices.Sort(want)
			if got := s.Append(nil, from, to); !slices.Equal(got, want) || s.Within(from, to) != int64(len(want)) {
				t.Fatalf("seed %d: rows %d to %d: %d rows, want %d", seed, from, to, len(got), len(want))
			}
		}
	}
}
