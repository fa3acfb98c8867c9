package probe

import (
	"sync"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// inverse takes a cast back, so that a filter of a column's values can be asked
// about values of the type that the column was cast to.
type inverse struct {
	forth, back *sync.Pool // of *Evaluator
	loose       bool       // values of the operand's type may lie outside of it
}

// castLosesNothing reports whether a cast keeps different values apart.
func castLosesNothing(from, to vector.Type) bool {
	exact := func(t vector.Type) bool { return t.IsInteger() || t.Kind == vector.Decimal }
	switch {
	case exact(from) && exact(to), from.IsTimestamp() && from.Kind == to.Kind:
		return expr.CastIsTotal(from, to)
	case from.IsFloat() && to.IsFloat():
		return expr.CastIsTotal(from, to)
	}
	return false
}

// ThroughCast turns a membership test of values of type from into one of the
// values that they become in type to; nil where it does not help. The cast must
// keep different values apart.
func ThroughCast(from, to vector.Type, bloom func(vector.Scalar) bool) func(vector.Scalar) bool {
	if v := newInverse(from, to); v != nil {
		return v.through(bloom)
	}
	return nil
}

func newInverse(from, to vector.Type) *inverse {
	forth, err := expr.NewCast(expr.NewColumn(0, "", from), to, false)
	if err != nil {
		return nil
	}
	back, err := expr.NewCast(expr.NewColumn(0, "", to), from, true)
	if err != nil {
		return nil
	}
	pool := func(e expr.Expr) *sync.Pool { return &sync.Pool{New: func() any { return expr.NewEvaluator(e) }} }
	return &inverse{forth: pool(forth), back: pool(back), loose: from.Kind == vector.Decimal}
}

// through is a filter of the cast's results, given one of its operand's values.
// A result that does not come back from its way to the operand's type and forth
// again is that of no value; but files have DECIMALs of more digits than the type
// says, which are shown, and which no cast brings back.
func (v *inverse) through(bloom func(vector.Scalar) bool) func(vector.Scalar) bool {
	if bloom == nil {
		return nil
	}
	return func(s vector.Scalar) bool {
		original, ok := evaluateOne(v.back, s)
		if !ok {
			return true
		}
		if original.Null {
			return v.loose
		}
		again, ok := evaluateOne(v.forth, original)
		if !ok || again.Null {
			return true
		}
		if order, ok := expr.OrderScalars(&again, &s); ok && order != 0 {
			return false
		}
		return bloom(original)
	}
}

func evaluateOne(evaluators *sync.Pool, s vector.Scalar) (vector.Scalar, bool) {
	ev := evaluators.Get().(*expr.Evaluator)
	defer evaluators.Put(ev)
	v, err := ev.Eval(&vector.Batch{Len: 1, Cols: []*vector.Vector{vector.NewConstant(s, 1)}})
	if err != nil {
		return s, false
	}
	return v.Get(0), true
}
