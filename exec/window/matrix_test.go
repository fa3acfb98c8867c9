package window

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMatrix compares the k-th smallest of random spans with sorting them.
func TestMatrix(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for _, n := range []int{1, 2, 63, 64, 65, 128, 1000} {
		numbers := make([]uint32, n)
		for i, v := range r.Perm(n) {
			numbers[i] = uint32(v)
		}
		var m matrix
		if err := m.build(context.Background(), slices.Clone(numbers)); err != nil {
			t.Fatal(err)
		}
		for range 200 {
			var list []uint32
			ends := []int{r.IntN(n + 1), r.IntN(n + 1), r.IntN(n + 1), r.IntN(n + 1), r.IntN(n + 1), r.IntN(n + 1)}
			slices.Sort(ends)
			spans := make([]span, 1+r.IntN(3))
			for p := range spans {
				spans[p] = span{int32(ends[2*p]), int32(ends[2*p+1])}
				list = append(list, numbers[ends[2*p]:ends[2*p+1]]...)
			}
			slices.Sort(list)
			for k, want := range list {
				if got := m.smallest(spans, k); got != want {
					t.Fatalf("seed %d: number %d of %v is %d, want %d", seed, k, spans, got, want)
				}
			}
		}
	}
}

// TestSortedOrder sorts more than one part.
func TestSortedOrder(t *testing.T) {
	for _, n := range []int{0, 1, prepareRows, 3*prepareRows + 5} {
		keys := make([]uint32, n)
		for i := range keys {
			keys[i] = uint32(i) * 2654435761 % 1000003
		}
		order, err := sortedOrder(context.Background(), n, func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) })
		if err != nil || len(order) != n || !slices.IsSortedFunc(order, func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) }) {
			t.Errorf("%d numbers are not in order, %v", n, err)
		}
		slices.Sort(order)
		for i, v := range order {
			if v != uint32(i) {
				t.Fatalf("%d is missing", i)
			}
		}
	}
}
