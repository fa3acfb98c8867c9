package predicate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Impossible reports whether no row satisfies all conjuncts, because they compare a
// column with constants that contradict each other.
func Impossible(conjuncts []expr.Expr) bool {
	ranges := map[logical.ColumnID]*valueRange{}
	for _, c := range conjuncts {
		e, ok := c.(*expr.Compare)
		if !ok {
			continue
		}
		column, ok := e.L.(*expr.Column)
		bound, ok2 := e.R.(*expr.Const)
		if !ok || !ok2 || bound.Value.Null || bound.Value.IsNaN() {
			continue
		}
		id := logical.ColumnID(column.Index)
		if ranges[id] == nil {
			ranges[id] = &valueRange{}
		}
		if !ranges[id].meets(e.Op, bound.Value) {
			return true
		}
	}
	return false
}

// valueRange is the values that a column may have.
type valueRange struct{ min, max limit }

// limit is an end of a range; it is open if the value itself is not in the range.
type limit struct {
	value *vector.Scalar // nil: there is none
	open  bool
}

// meets narrows the range to the values that compare with v as op says. It reports
// whether one is left.
func (r *valueRange) meets(op expr.Op, v vector.Scalar) bool {
	if op == expr.OpEq || op == expr.OpGt || op == expr.OpGe {
		r.min.narrow(limit{&v, op == expr.OpGt}, 1)
	}
	if op == expr.OpEq || op == expr.OpLt || op == expr.OpLe {
		r.max.narrow(limit{&v, op == expr.OpLt}, -1)
	}
	if r.min.value == nil || r.max.value == nil {
		return true
	}
	c, err := expr.CompareScalars(*r.min.value, *r.max.value)
	return err != nil || c < 0 || c == 0 && !r.min.open && !r.max.open
}

// narrow replaces a limit by another one if that leaves fewer values. sign is 1 for
// the lower end.
func (l *limit) narrow(o limit, sign int) {
	if l.value == nil {
		*l = o
		return
	}
	if c, err := expr.CompareScalars(*o.value, *l.value); err == nil && (c*sign > 0 || c == 0 && o.open) {
		*l = o
	}
}
