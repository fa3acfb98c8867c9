package vector

import "math/bits"

// Divider divides by a number that stays the same for many rows: it multiplies by the number's
// reciprocal, which takes a fifth of the time of a division. (Granlund and Montgomery, "Division by
// Invariant Integers using Multiplication", 1994.)
type Divider struct {
	By    int64
	magic uint64 // 2^(63+shift)/By, rounded up
	shift uint8  // the bits of By-1
}

// NewDivider divides by a positive number.
func NewDivider(by int64) Divider {
	shift := bits.Len64(uint64(by - 1))
	// The quotient is below 2^64, as by is above 2^(shift-1); for powers of two it is 2^63.
	magic, _ := bits.Div64(1<<shift>>1, uint64(1<<shift&1)<<63, uint64(by))
	return Divider{by, magic + 1, uint8(shift)}
}

// Floor is v / d.By, rounded down.
func (d *Divider) Floor(v int64) int64 {
	sign := v >> 63 // of a negative number the complement is divided, which is not negative
	high, low := bits.Mul64(uint64(v^sign), d.magic)
	return int64((high<<1|low>>63)>>(d.shift&63)) ^ sign
}

// Truncate is v / d.By, rounded towards zero.
func (d *Divider) Truncate(v int64) int64 {
	q := d.Floor(v)
	if v < 0 && q*d.By != v {
		q++
	}
	return q
}

// Nearest is v / d.By, rounded half away from zero, for d.By below 1 << 62.
func (d *Divider) Nearest(v int64) int64 {
	q := d.Floor(v)
	rest := v - q*d.By
	// Below 0 where the rest is more than half, or half of a number that is not negative.
	over := d.By - 2*rest - 1 - v>>63
	return q - over>>63
}
