package probe

import (
	"sync"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// inverse reverses a cast, so that a filter over a column's own type can be used
// for values of the type that the column is cast to.
type inverse struct {
	forth, back *sync.Pool // of *Evaluator
	loose       bool       // the column may hold values that its type does not allow
}

// castIsInjective reports whether a cast maps different values to different results.
func castIsInjective(from, to vector.Type) bool {
	exact := func(t vector.Type) bool { return t.IsInteger() || t.Kind == vector.Decimal }
	switch {
	case exact(from) && exact(to), from.IsTimestamp() && from.Kind == to.Kind:
		return expr.CastIsTotal(from, to)
	case from.IsFloat() && to.IsFloat():
		return expr.CastIsTotal(from, to)
	}
	return false
}

// ThroughCast turns a membership test over values of type from into one over their
// casts to type to. It returns nil if the cast is not injective or has no inverse.
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
	pool := func(e expr.Expr) *sync.Pool { return &sync.Pool{New: func() any { return expr.NewBounded(e) }} }
	return &inverse{forth: pool(forth), back: pool(back), loose: from.Kind == vector.Decimal || from.Kind == vector.Date}
}

// through turns a filter over the operand's values into a filter over the cast's
// results. If a result changes when it is cast to the operand's type and back, no
// value has it. The exception are files that hold DECIMALs above 38 digits with more than their
// type allows, or DATEs before those that a cast makes: such values are read, but no cast back produces them.
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
