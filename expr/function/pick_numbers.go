package function

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// mergeNumbers is what pickNode does with one argument of numbers, in one pass. empty are the rows
// that have no value yet; some says that there may be such rows, and the result whether there still may be.
func mergeNumbers[T int64 | float64](greatest bool, v *vector.Vector, rows []int32, n int, out []T, empty []bool, some bool) bool {
	in, all := kernel.OperandOf[T](v), !v.MayHaveNulls()
	switch {
	case some && all:
		for _, i := range kernel.Listed(rows, n) {
			if x := in.At(i); empty[i] || ahead(greatest, x, out[i]) {
				out[i], empty[i] = x, false
			}
		}
		return false
	case some:
		for _, i := range kernel.Listed(rows, n) {
			if x := in.At(i); !v.IsNull(int(i)) && (empty[i] || ahead(greatest, x, out[i])) {
				out[i], empty[i] = x, false
			}
		}
	case all && rows == nil && greatest:
		for i := range out[:n] {
			if x := in.At(int32(i)); x > out[i] || x != x {
				out[i] = x
			}
		}
	case all && rows == nil:
		for i := range out[:n] {
			if x := in.At(int32(i)); x < out[i] || out[i] != out[i] {
				out[i] = x
			}
		}
	default:
		for _, i := range kernel.Listed(rows, n) {
			if x := in.At(i); ahead(greatest, x, out[i]) && !v.IsNull(int(i)) {
				out[i] = x
			}
		}
	}
	return some
}

// ahead reports whether x takes the place of y. NaN is greater than all numbers.
func ahead[T int64 | float64](greatest bool, x, y T) bool {
	if greatest {
		return x > y || x != x
	}
	return x < y || y != y
}

// mergeTexts is mergeNumbers for texts.
func mergeTexts(greatest bool, v *vector.Vector, rows []int32, n int, out []string, empty []bool, some bool) bool {
	in, all := kernel.OperandOf[string](v), !v.MayHaveNulls()
	for _, i := range kernel.Listed(rows, n) {
		if !all && v.IsNull(int(i)) {
			continue
		}
		x, y := in.At(i), out[i]
		if greatest {
			x, y = y, x
		}
		if some && empty[i] {
			out[i], empty[i] = in.At(i), false
		} else if kernel.TextBefore(x, y) {
			out[i] = in.At(i)
		}
	}
	return some && !all
}
