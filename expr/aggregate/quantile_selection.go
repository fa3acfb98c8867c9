package aggregate

import (
	"math/bits"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// fewValues is the number of values from which on sorting them is slower than dividing
// them again.
const fewValues = 32

// sortedAt is the k-th of the values if they were sorted. It moves them: those before
// place k are not greater then, and those after it not less. It is Hoare's selection, of
// linear time: the values are divided by a pivot, and only the part with place k is
// divided again. Pivots that are bad too often end it by sorting.
func sortedAt(values []float64, k int) float64 {
	from, to := 0, len(values) // the place is within
	for rounds := 4 * bits.Len(uint(len(values))); rounds > 0 && to-from > fewValues; rounds-- {
		pivot := middleOf(values[from], values[from+(to-from)/2], values[to-1])
		i, j := from, to-1
		for i <= j {
			for less(values[i], pivot) {
				i++
			}
			for less(pivot, values[j]) {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			to = j + 1
		case k >= i:
			from = i
		default: // between the parts, where all values are equal to the pivot
			return values[k]
		}
	}
	slices.SortFunc(values[from:to], vector.CompareFloats[float64])
	return values[k]
}

// less is the order of CompareFloats: NaN is above all numbers.
func less(a, b float64) bool { return a < b || b != b && a == a }

func middleOf(a, b, c float64) float64 {
	if less(b, a) {
		a, b = b, a
	}
	switch {
	case less(c, a):
		return a
	case less(c, b):
		return c
	}
	return b
}
