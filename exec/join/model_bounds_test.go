package join_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// band adds a number that k or f of both sides differ by at most, as a condition and as bounds that are
// wider.
func (x *trial) band(t *testing.T, r *rand.Rand) func(p, b exectest.Row) truth {
	must := exectest.Must(t)
	c, at := colK, vector.IntScalar(r.Int64N(4))
	if r.IntN(2) == 0 {
		c, at = colF, vector.Scalar{Type: vector.Of(vector.Double), F64: []float64{0, 1.5, 3}[r.IntN(3)]}
	}
	p, b := expr.NewColumn(c, sides[c].Name, sides[c].Type), expr.NewColumn(len(sides)+c, sides[c].Name, sides[c].Type)
	low, high := at, at
	low.I64, low.F64 = -low.I64, -low.F64
	x.spec.Order = &join.Order{Build: p, Asked: true, Bounds: []join.Bound{{Op: expr.OpLe, Probe: p, Shift: &low}, {Op: expr.OpGe, Probe: p, Shift: &high}}}
	minus := must(expr.NewArith(expr.OpSub, p, b))
	parts := []expr.Expr{must(expr.NewCompare(expr.OpLt, minus, expr.NewConst(at))), must(expr.NewCompare(expr.OpGt, minus, expr.NewConst(low)))}
	if x.spec.On != nil {
		parts = append(parts, x.spec.On)
	}
	x.spec.On = must(expr.NewAnd(parts...))
	return func(p, b exectest.Row) truth {
		if p[c].Null || b[c].Null {
			return null
		}
		if c == colK {
			d := p[c].I64 - b[c].I64
			return truthOf(-at.I64 < d && d < at.I64)
		}
		return truthOf(math.Abs(p[c].F64-b[c].F64) < at.F64)
	}
}

// either adds an OR of one to three conjunctions of equalities.
func (x *trial) either(equalities []condition, r *rand.Rand) func(p, b exectest.Row) truth {
	var tests []func(p, b exectest.Row) truth
	for range 1 + r.IntN(3) {
		var a join.Alternative
		for _, c := range pick(r, equalities, 1+r.IntN(2)) {
			a = append(a, *c.key)
			tests = append(tests, c.test)
		}
		x.spec.Either = append(x.spec.Either, a)
	}
	return func(p, b exectest.Row) truth {
		out, at := no, 0
		for _, a := range x.spec.Either {
			all := yes
			for range a {
				all = min(all, tests[at](p, b))
				at++
			}
			out = max(out, all)
		}
		return out
	}
}
