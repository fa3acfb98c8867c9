package scalar

import "math"

// Mod is the remainder of x divided by y with the sign of x, as math.Mod. Where the quotient is
// less than 2^53 it is computed with one division: the rounded quotient is at most one too much, and
// what FMA leaves is exact.
func Mod(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	q := math.Trunc(a / b)
	if !(q < 1<<53 && a < 0x1p1000 && b < 0x1p1000 && b > 0x1p-960) { // infinities, NaN, 0 and the ends of the range
		return math.Mod(x, y)
	}
	r := math.FMA(-q, b, a)
	if r < 0 {
		r += b
	}
	return math.Copysign(r, x)
}
