package scalar

import (
	"math"
	"math/bits"
)

// Mod is the remainder of x divided by y with the sign of x, as math.Mod. Where the quotient is
// less than 2^53 it is computed with one division: the rounded quotient is at most one too much, and
// what FMA leaves is exact.
func Mod(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	if !(a < 0x1p1000 && b < 0x1p1000 && b > 0x1p-960) { // infinities, NaN, 0 and the ends of the range
		return math.Mod(x, y)
	}
	q := math.Trunc(a / b)
	if q >= 1<<53 {
		return math.Copysign(farMod(a, b), x)
	}
	r := math.FMA(-q, b, a)
	if r < 0 {
		r += b
	}
	return math.Copysign(r, x)
}

// farMod is the remainder of a divided by b where it is far less: of their digits, 63 more of a at each step.
func farMod(a, b float64) float64 {
	const digits, one = 52, 1 << 52
	of := func(f float64) uint64 { return math.Float64bits(f)&(one-1) | one }
	unit := math.Float64bits(b)>>digits - digits // the exponent of b's last digit
	by := of(b)
	r := of(a) % by
	for left := math.Float64bits(a)>>digits - math.Float64bits(b)>>digits; left > 0; {
		n := min(left, 63)
		r = bits.Rem64(r>>(64-n), r<<n, by)
		left -= n
	}
	return float64(r) * math.Float64frombits(unit<<digits)
}
