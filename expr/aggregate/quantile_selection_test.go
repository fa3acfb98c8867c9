package aggregate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestSortedAt compares the selected values with those of a sorted copy.
func TestSortedAt(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	shapes := map[string]func(i, n int) float64{
		"random":  func(int, int) float64 { return r.NormFloat64() },
		"few":     func(int, int) float64 { return float64(r.IntN(3)) },
		"equal":   func(int, int) float64 { return 1 },
		"rising":  func(i, _ int) float64 { return float64(i) },
		"falling": func(i, n int) float64 { return float64(n - i) },
		"roof":    func(i, n int) float64 { return float64(min(i, n-i)) },
		"NaN":     func(int, int) float64 { return []float64{math.NaN(), 1, math.Inf(1), math.Inf(-1)}[r.IntN(4)] },
	}
	for name, shape := range shapes {
		for range 200 {
			n := 1 + r.IntN(300)
			values := make([]float64, n)
			for i := range values {
				values[i] = shape(i, n)
			}
			sorted := slices.Clone(values)
			slices.SortFunc(sorted, vector.CompareFloats[float64])
			for range 3 {
				k := r.IntN(n)
				if got := sortedAt(values, k); vector.CompareFloats(got, sorted[k]) != 0 {
					t.Fatalf("%s: value %d of %d is %v, want %v", name, k, n, got, sorted[k])
				}
			}
			slices.SortFunc(values, vector.CompareFloats[float64])
			if !slices.EqualFunc(values, sorted, func(a, b float64) bool { return vector.CompareFloats(a, b) == 0 }) {
				t.Fatalf("%s: the values are others: %v, want %v", name, values, sorted)
			}
		}
	}
}
