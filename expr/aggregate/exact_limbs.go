package aggregate

import (
	"math/big"
	"math/bits"

	"github.com/parquetsql/parquetsql/vector"
)

// limbs is a two's complement number of 192 bits, the lowest 64 first.
type limbs [3]uint64

// limbsOf converts; false if the number has more than 128 bits.
func limbsOf(v *big.Int) (limbs, bool) {
	n, ok := vector.Int128FromBig(v)
	return limbs{n.Lo, uint64(n.Hi), uint64(n.Hi >> 63)}, ok
}

// Mul is the product modulo 2^192. It is exact where the product fits, whatever the signs.
func (x limbs) Mul(y limbs) limbs {
	h0, l0 := bits.Mul64(x[0], y[0])
	h1, l1 := bits.Mul64(x[0], y[1])
	h2, l2 := bits.Mul64(x[1], y[0])
	mid, c1 := bits.Add64(h0, l1, 0)
	mid, c2 := bits.Add64(mid, l2, 0)
	return limbs{l0, mid, h1 + h2 + c1 + c2 + x[0]*y[2] + x[1]*y[1] + x[2]*y[0]}
}

// Add is the sum modulo 2^192.
func (x limbs) Add(y limbs) limbs {
	var z limbs
	var c uint64
	z[0], c = bits.Add64(x[0], y[0], 0)
	z[1], c = bits.Add64(x[1], y[1], c)
	z[2], _ = bits.Add64(x[2], y[2], c)
	return z
}
