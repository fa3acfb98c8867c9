package vector

import (
	"math/big"
	"math/bits"
)

// Int128 is a two's complement 128-bit integer. Its operations wrap, as those
// of Go's own integers do; the Checked ones report overflow instead.
type Int128 struct {
	Hi int64
	Lo uint64
}

// Int128From widens v.
func Int128From(v int64) Int128 { return Int128{Hi: v >> 63, Lo: uint64(v)} }

// Int128FromUint widens v.
func Int128FromUint(v uint64) Int128 { return Int128{Lo: v} }

// Cmp is -1, 0 or 1.
func (a Int128) Cmp(b Int128) int {
	switch {
	case a.Hi != b.Hi:
		if a.Hi < b.Hi {
			return -1
		}
		return 1
	case a.Lo != b.Lo:
		if a.Lo < b.Lo {
			return -1
		}
		return 1
	}
	return 0
}

// Less reports a < b.
func (a Int128) Less(b Int128) bool {
	return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo
}

// Sign is -1, 0 or 1.
func (a Int128) Sign() int {
	switch {
	case a.Hi < 0:
		return -1
	case a.Hi == 0 && a.Lo == 0:
		return 0
	}
	return 1
}

// Add is a+b, wrapping.
func (a Int128) Add(b Int128) Int128 {
	lo, c := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(uint64(a.Hi), uint64(b.Hi), c)
	return Int128{Hi: int64(hi), Lo: lo}
}

// Sub is a-b, wrapping.
func (a Int128) Sub(b Int128) Int128 {
	lo, c := bits.Sub64(a.Lo, b.Lo, 0)
	hi, _ := bits.Sub64(uint64(a.Hi), uint64(b.Hi), c)
	return Int128{Hi: int64(hi), Lo: lo}
}

// Neg is -a, wrapping.
func (a Int128) Neg() Int128 { return Int128{}.Sub(a) }

// AddChecked is a+b; ok is false on overflow.
func (a Int128) AddChecked(b Int128) (sum Int128, ok bool) {
	sum = a.Add(b)
	return sum, (a.Hi < 0) != (b.Hi < 0) || (sum.Hi < 0) == (a.Hi < 0)
}

// SubChecked is a-b; ok is false on overflow.
func (a Int128) SubChecked(b Int128) (diff Int128, ok bool) {
	diff = a.Sub(b)
	return diff, (a.Hi < 0) == (b.Hi < 0) || (diff.Hi < 0) == (a.Hi < 0)
}

// MulInt64 is the exact product of two 64-bit integers.
func MulInt64(a, b int64) Int128 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return Int128{Hi: int64(hi) - (a >> 63 & b) - (b >> 63 & a), Lo: lo}
}

// Mul64 is a*b, wrapping.
func (a Int128) Mul64(b int64) Int128 { return a.Mul(Int128From(b)) }

// Mul is a*b, wrapping.
func (a Int128) Mul(b Int128) Int128 {
	hi, lo := bits.Mul64(a.Lo, b.Lo)
	return Int128{Hi: int64(hi + uint64(a.Hi)*b.Lo + a.Lo*uint64(b.Hi)), Lo: lo}
}

// magnitude is |a| as two unsigned words, exact for every a.
func (a Int128) magnitude() (hi, lo uint64) {
	if a.Hi < 0 {
		a = a.Neg()
	}
	return uint64(a.Hi), a.Lo
}

// MulChecked is a*b; ok is false on overflow.
func (a Int128) MulChecked(b Int128) (product Int128, ok bool) {
	ah, al := a.magnitude()
	bh, bl := b.magnitude()
	if ah != 0 && bh != 0 {
		return Int128{}, false
	}
	hi, lo := bits.Mul64(al, bl)
	c1h, c1 := bits.Mul64(ah, bl)
	c2h, c2 := bits.Mul64(al, bh)
	hi, carry1 := bits.Add64(hi, c1, 0)
	hi, carry2 := bits.Add64(hi, c2, 0)
	if c1h != 0 || c2h != 0 || carry1 != 0 || carry2 != 0 {
		return Int128{}, false
	}
	negative := (a.Hi < 0) != (b.Hi < 0)
	p := Int128{Hi: int64(hi), Lo: lo}
	if negative {
		// The magnitude may be 2^127 exactly.
		if hi > 1<<63 || hi == 1<<63 && lo != 0 {
			return Int128{}, false
		}
		return p.Neg(), true
	}
	return p, hi < 1<<63
}

// DivMod truncates towards zero; the remainder has the sign of a. b must not be 0.
func (a Int128) DivMod(b Int128) (q, r Int128) {
	ah, al := a.magnitude()
	bh, bl := b.magnitude()
	var qh, ql, rh, rl uint64
	if bh == 0 {
		qh, rl = ah/bl, ah%bl
		ql, rl = bits.Div64(rl, al, bl)
	} else {
		qh, ql, rh, rl = divLong(ah, al, bh, bl)
	}
	q, r = Int128{Hi: int64(qh), Lo: ql}, Int128{Hi: int64(rh), Lo: rl}
	if (a.Hi < 0) != (b.Hi < 0) {
		q = q.Neg()
	}
	if a.Hi < 0 {
		r = r.Neg()
	}
	return q, r
}

// divLong divides where the divisor has more than 64 bits: the quotient has at
// most 64, found from the leading bits and corrected at most twice (Hacker's
// Delight, section 9-5).
func divLong(ah, al, bh, bl uint64) (qh, ql, rh, rl uint64) {
	n := uint(bits.LeadingZeros64(bh))
	v1 := bh<<n | bl>>(64-n)
	q, _ := bits.Div64(ah>>1, ah<<63|al>>1, v1)
	q >>= 63 - n
	if q != 0 {
		q--
	}
	ph, pl := bits.Mul64(q, bl)
	ph += q * bh
	rl, borrow := bits.Sub64(al, pl, 0)
	rh, _ = bits.Sub64(ah, ph, borrow)
	for rh > bh || rh == bh && rl >= bl {
		q++
		rl, borrow = bits.Sub64(rl, bl, 0)
		rh, _ = bits.Sub64(rh, bh, borrow)
	}
	return 0, q, rh, rl
}

// IsInt64 reports whether the value fits 64 bits.
func (a Int128) IsInt64() bool { return a.Hi == int64(a.Lo)>>63 }

// Int64 is the low word; meaningful where IsInt64.
func (a Int128) Int64() int64 { return int64(a.Lo) }

// Float64 is the nearest double.
func (a Int128) Float64() float64 {
	if a.IsInt64() {
		return float64(int64(a.Lo))
	}
	f, _ := new(big.Float).SetInt(a.Big()).Float64()
	return f
}

// Big converts.
func (a Int128) Big() *big.Int {
	v := new(big.Int).SetInt64(a.Hi)
	v.Lsh(v, 64)
	return v.Add(v, new(big.Int).SetUint64(a.Lo))
}

// Int128FromBig converts; ok is false where v has more than 128 bits.
func Int128FromBig(v *big.Int) (a Int128, ok bool) {
	if v.BitLen() > 127 {
		min := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 127))
		if v.Cmp(min) != 0 {
			return Int128{}, false
		}
	}
	lo := new(big.Int).And(v, new(big.Int).SetUint64(^uint64(0)))
	hi := new(big.Int).Rsh(v, 64)
	return Int128{Hi: hi.Int64(), Lo: lo.Uint64()}, true
}

// String is the decimal text.
func (a Int128) String() string { return a.Big().String() }
