package aggregate

import (
	"math/bits"

	"github.com/parquetsql/parquetsql/vector"
)

// Sums add integers and decimals in more bits than any number of rows can fill:
// 128 for 64-bit values (shortSum), 192 for 128-bit ones (wideSum). Only a result is checked against
// the range of its type, so the order of rows never decides whether there is an error.

// wideSum is a two's complement sum of 192 bits and the number of its values.
type wideSum struct {
	Lo, Mid uint64
	Hi      int64
	N       int64
}

// Add adds a number of 192 bits, the lowest 64 first.
func (a *wideSum) Add(lo, mid uint64, hi int64) {
	var c uint64
	a.Lo, c = bits.Add64(a.Lo, lo, 0)
	a.Mid, c = bits.Add64(a.Mid, mid, c)
	a.Hi += hi + int64(c)
}

// Subtract takes away another sum.
func (a *wideSum) Subtract(b *wideSum) {
	var c uint64
	a.Lo, c = bits.Sub64(a.Lo, b.Lo, 0)
	a.Mid, c = bits.Sub64(a.Mid, b.Mid, c)
	a.Hi -= b.Hi + int64(c)
	a.N -= b.N
}

// Int128 is the sum; false if it has more bits.
func (a *wideSum) Int128() (vector.Int128, bool) {
	low := vector.Int128{Hi: int64(a.Mid), Lo: a.Lo}
	return low, a.Hi == low.Hi>>63
}

// Float64 is the sum as a double.
func (a *wideSum) Float64() float64 {
	if sum, ok := a.Int128(); ok {
		return sum.Float64()
	}
	// Hi is far below 2^63: it counts the multiples of 2^128.
	return vector.Int128{Hi: a.Hi, Lo: a.Mid}.Float64()*0x1p64 + float64(a.Lo)
}
