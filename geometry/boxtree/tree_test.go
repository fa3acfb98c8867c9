package boxtree

import (
	"context"
	"errors"
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
			if tree.Meets(b) != (len(want) > 0) {
				t.Fatalf("%d boxes, %v: meets %t, want %v", n, b, tree.Meets(b), want)
			}
		}
	}
}

// TestCancel: a tree of many boxes is given up with the context.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	items := make([]Item, 1<<16)
	for i := range items {
		items[i] = Item{Box{float64(i * 7919 % 65537), 0, float64(i * 7919 % 65537), 0}, int32(i)}
	}
	if _, err := NewContext(ctx, items); !errors.Is(err, context.Canceled) {
		t.Error(err)
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
