package boxtree

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSearch compares trees of random boxes with a look at each box.
func TestSearch(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{0, 1, 15, 16, 17, 256, 257, 3000} {
		items := make([]Item, n)
		for i := range items {
			items[i] = Item{random(r), int32(i)}
		}
		all := slices.Clone(items)
		tree := New(items)
		for range 50 {
			b := random(r)
			var want []int32
			for _, item := range all {
				if !item.Box.IsEmpty() && !b.IsEmpty() && item.Box.Overlaps(b) {
					want = append(want, item.ID)
				}
			}
			got := tree.Search(b, nil)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%d boxes, %v: %v, want %v", n, b, got, want)
			}
		}
	}
}

// random is a box with corners on a grid, so that boxes touch, and is sometimes empty, a
// point or endless.
func random(r *rand.Rand) Box {
	x, y := float64(r.IntN(100)), float64(r.IntN(100))
	switch r.IntN(20) {
	case 0:
		return Box{math.Inf(1), y, math.Inf(-1), y}
	case 1:
		return Box{math.Inf(-1), y, math.Inf(1), y}
	case 2:
		return Box{x, math.NaN(), x, math.NaN()}
	}
	return Box{x, y, x + float64(r.IntN(4)), y + float64(r.IntN(4))}
}
