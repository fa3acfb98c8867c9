package aggregate

import (
	"math/big"
	"math/bits"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate/linear"
	"github.com/parquetsql/parquetsql/vector"
)

// linearOf says that the result is that of a*x + b, where x is what the state adds. The sum
// is then a*SUM(x) + b*COUNT(x), exactly: see exactSum.
type linearOf struct {
	a, b  limbs
	scale int // of a*x + b
}

// limbs is a two's complement number of 192 bits, the lowest 64 first.
type limbs [3]uint64

func limbsOf(v *big.Int) (limbs, bool) {
	n, ok := vector.Int128FromBig(v)
	return limbs{n.Lo, uint64(n.Hi), uint64(n.Hi >> 63)}, ok
}

// mul is the product modulo 2^192. It is exact where the product fits, whatever the signs.
func (x limbs) mul(y limbs) limbs {
	h0, l0 := bits.Mul64(x[0], y[0])
	h1, l1 := bits.Mul64(x[0], y[1])
	h2, l2 := bits.Mul64(x[1], y[0])
	mid, c1 := bits.Add64(h0, l1, 0)
	mid, c2 := bits.Add64(mid, l2, 0)
	return limbs{l0, mid, h1 + h2 + c1 + c2 + x[0]*y[2] + x[1]*y[1] + x[2]*y[0]}
}

func (x limbs) add(y limbs) limbs {
	var z limbs
	var c uint64
	z[0], c = bits.Add64(x[0], y[0], 0)
	z[1], c = bits.Add64(x[1], y[1], c)
	z[2], _ = bits.Add64(x[2], y[2], c)
	return z
}

// apply is the sum of a*x + b for the values x of a sum. Each a*x + b is a value of 128
// bits, so their sum fits, and that the steps before it are modulo 2^192 does not show.
func (l *linearOf) apply(sum exactSum) exactSum {
	s := l.a.mul(limbs{sum.lo, sum.mid, uint64(sum.hi)}).add(l.b.mul(limbs{uint64(sum.n)}))
	return exactSum{lo: s[0], mid: s[1], hi: int64(s[2]), n: sum.n}
}

// Linear is the same call with a state that adds x where the call is SUM or AVG of a
// linear form of x, such as x + 1, whose overflow the types exclude: SUM(x), SUM(x + 1)
// and AVG(2 * x) then share a state. It is the call itself where that is not so.
func (a *Call) Linear() *Call {
	if !a.sums() || a.distinct || a.linear != nil {
		return a
	}
	x, factor, plus := linear.Form(a.args[0])
	l := linearOf{scale: a.args[0].Type().Scale}
	var ok, ok2 bool
	l.a, ok = limbsOf(factor)
	l.b, ok2 = limbsOf(plus)
	if x == a.args[0] || !ok || !ok2 || x.Type().Precision > 38 {
		return a
	}
	c := *a
	c.text, c.args, c.linear = a.written(), []expr.Expr{x}, &l
	c.state = func() State { return newExactSum(&c) }
	return &c
}
