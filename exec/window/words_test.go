package window

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWordSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s wordSort
	for _, n := range []int{0, 1, 2, fewWords - 1, fewWords, 5000, 300} {
		for _, shift := range []uint{0, 8, 40, 60, 64} {
			words, order := make([]uint64, n+10), make([]uint32, n)
			for i := range words {
				words[i] = r.Uint64() >> shift << (shift / 2)
			}
			for i := range order {
				order[i] = uint32(i + 10)
			}
			want := slices.Clone(order)
			slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(words[a], words[b]) })
			if s.sort(order, words); !slices.Equal(order, want) {
				t.Errorf("%d words, shifted by %d: %v, want %v", n, shift, order, want)
			}
		}
	}
}
