package choose

import (
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/vector"
)

// band is comparisons of two values that a bound of their difference stands for: where |p - b| < 3, or
// p - b < 3, the value b of the build side is not below p - 3. They are wider than the conjunct, which
// is asked again: a difference is rounded, and what is out of range is the end of it.
func (x sides) band(e expr.Expr) compared {
	c, ok := e.(*expr.Compare)
	if !ok || expr.IsVolatile(e) {
		return compared{}
	}
	difference, limit, op := c.L, c.R, c.Op
	if _, ok := expr.Literal(difference); ok {
		difference, limit, op = limit, difference, op.Flip()
	}
	most, ok := expr.Literal(limit)
	if !ok {
		return compared{}
	}
	both := false
	if call, ok := difference.(*expr.Call); ok && call.Function.Name == "ABS" && len(call.Args) == 1 {
		difference, both = call.Args[0], true
	}
	minus, ok := difference.(*expr.Arith)
	if !ok || minus.Op != expr.OpSub || !sameNumbers(minus, most.Type) {
		return compared{}
	}
	build, probe, sign := minus.R, minus.L, int64(1) // probe - build
	if logical.Reads(probe, x.build) {
		build, probe, sign = probe, build, -1
	}
	if !logical.Reads(build, x.build) || !logical.Reads(probe, x.probe) || expr.CanRefuse(build) || expr.CanRefuse(probe) {
		return compared{}
	}
	out := compared{build: build, wider: true}
	add := func(op expr.Op, sign int64) { // sign * (probe - build) op most
		shift, ok := shiftOf(most, op, -sign)
		if !ok {
			out.build = nil
			return
		}
		if op = expr.OpLe; sign < 0 {
			op = expr.OpGe
		}
		out.bounds = append(out.bounds, physical.Comparison{Probe: probe, Op: op, Shift: shift})
	}
	switch {
	case op == expr.OpLt || op == expr.OpLe:
		add(op, sign)
		if both {
			add(op, -sign)
		}
	case (op == expr.OpGt || op == expr.OpGe) && !both && most.Type.IsInteger():
		shift, ok := shiftOf(most, op, -sign) // not of floats: NaN is above all numbers
		if !ok {
			return compared{}
		}
		flipped := expr.OpGe // build <= probe - most
		if sign < 0 {
			flipped = expr.OpLe
		}
		out.bounds = append(out.bounds, physical.Comparison{Probe: probe, Op: flipped, Shift: shift})
	default:
		return compared{}
	}
	if out.build == nil {
		return compared{}
	}
	return out
}

// sameNumbers reports whether a difference, what is subtracted and its bound are all of 64 bits with a
// sign, or all DOUBLE.
func sameNumbers(minus *expr.Arith, bound vector.Type) bool {
	for _, t := range []vector.Type{minus.L.Type(), minus.R.Type(), bound} {
		whole := t.IsInteger() && t.Storage() == vector.StoreInt64 && minus.T.Kind == vector.BigInt
		if !whole && (t.Kind != vector.Double || minus.T.Kind != vector.Double) {
			return false
		}
	}
	return true
}

// shiftOf is what a value moves by to a bound of differences: the bound, with a sign. A difference of
// floats that is rounded to the bound may be above it; then it is below the next number.
func shiftOf(most vector.Scalar, op expr.Op, sign int64) (*expr.Const, bool) {
	if most.Null {
		return nil, false
	}
	if most.Type.Kind != vector.Double {
		return &expr.Const{Value: vector.IntScalar(most.I64 * sign)}, most.I64 != math.MinInt64
	}
	x := most.F64
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, false
	}
	if op == expr.OpLe {
		x = math.Nextafter(x, math.Inf(1))
	}
	return &expr.Const{Value: vector.Scalar{Type: vector.Of(vector.Double), F64: x * float64(sign)}}, true
}

// unshifted is x of x + 5, with the 5; nil: the expression is no such sum.
func unshifted(e expr.Expr) (expr.Expr, *expr.Const) {
	sum, ok := e.(*expr.Arith)
	if !ok || sum.Op != expr.OpAdd && sum.Op != expr.OpSub {
		return e, nil
	}
	x, number := sum.L, sum.R
	if _, ok := expr.Literal(x); ok && sum.Op == expr.OpAdd {
		x, number = number, x
	}
	by, ok := expr.Literal(number)
	if !ok || sum.T.Kind != vector.BigInt || !sameNumbers(sum, by.Type) {
		return e, nil
	}
	sign := int64(1)
	if sum.Op == expr.OpSub {
		sign = -1
	}
	shift, ok := shiftOf(by, expr.OpLt, sign)
	if !ok {
		return e, nil
	}
	return x, shift
}
