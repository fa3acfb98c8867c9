package aggregate

import (
	"math/bits"

	"github.com/parquetsql/parquetsql/vector"
)

// shortSum sums 64-bit values as two halves: the three additions are independent,
// whereas a carry would make each depend on the one before. Low is the sum of
// the lower halves, unsigned, and High that of the upper ones; neither
// overflows within 2^31 rows.
type shortSum struct {
	Low  uint64
	High int64
	N    int64
}

// Add adds a value.
func (a *shortSum) Add(v int64) {
	a.Low += uint64(uint32(v))
	a.High += v >> 32
	a.N++
}

// Merge adds another sum.
func (a *shortSum) Merge(b *shortSum) {
	a.Low += b.Low
	a.High += b.High
	a.N += b.N
}

// Subtract takes away another sum.
func (a *shortSum) Subtract(b *shortSum) {
	if a.Low < b.Low { // after folding: the difference is made up for by High
		lent := (b.Low-a.Low)>>32 + 1
		a.Low += lent << 32
		a.High -= int64(lent)
	}
	a.Low -= b.Low
	a.High -= b.High
	a.N -= b.N
}

// Fold leaves the lowest 64 bits of the sum in a and returns the others.
func (a *shortSum) Fold() int64 {
	a.High += int64(a.Low >> 32)
	a.Low &= 1<<32 - 1
	top := a.High >> 32
	a.High &= 1<<32 - 1
	return top
}

// Int128 is the sum.
func (a *shortSum) Int128() vector.Int128 {
	lo, c := bits.Add64(a.Low, uint64(a.High)<<32, 0)
	return vector.Int128{Hi: a.High>>32 + int64(c), Lo: lo}
}
