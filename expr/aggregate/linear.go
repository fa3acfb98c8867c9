package aggregate

import (
	"github.com/parquetsql/parquetsql/expr"
)

// linearOf says that the result is that of a*x + b, where x is what the state adds. The sum
// is then a*SUM(x) + b*COUNT(x), exactly: see exact_sum.go.
type linearOf struct {
	a, b  limbs
	scale int // of a*x + b
}

// apply is the sum of a*x + b for the values x of a sum. Each a*x + b is a value of 128
// bits, so their sum fits, and that the steps before it are modulo 2^192 does not show.
func (l *linearOf) apply(sum wideSum) wideSum {
	s := l.a.Mul(limbs{sum.Lo, sum.Mid, uint64(sum.Hi)}).Add(l.b.Mul(limbs{uint64(sum.N)}))
	return wideSum{Lo: s[0], Mid: s[1], Hi: int64(s[2]), N: sum.N}
}

// Linear is the same call with a state that adds x where the call is SUM or AVG of a
// linear form of x, such as x + 1, whose overflow the types exclude: SUM(x), SUM(x + 1)
// and AVG(2 * x) then share a state. It is the call itself where that is not so.
func (a *Call) Linear() *Call {
	if !a.sums() || a.distinct || a.linear != nil {
		return a
	}
	x, factor, plus := linearForm(a.args[0])
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
