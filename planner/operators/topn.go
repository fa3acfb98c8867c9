package operators

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/vector"
)

func (b *builder) topN(n *physical.TopN) ([]exec.Operator, error) {
	keys, err := positionsOf(n.In.Columns()).keys(b.ctx, n.Of.Keys)
	if err != nil {
		return nil, err
	}
	in, err := b.narrowed(n.In, n.Of.Exprs())
	if err != nil {
		return nil, err
	}
	top := order.TopN{Keys: keys, Offset: n.Of.Offset, Limit: n.Of.Limit}
	if n.Bound != nil {
		top.Bound = b.bound(n.Bound, n.Of.Keys[0])
	}
	return one(order.NewTopN(b.env, in, top))
}

// bound is the function that TopN calls with the key of its n-th best row.
func (b *builder) bound(to *physical.Bound, key expr.SortKey) func(vector.Scalar) {
	s := b.last[to.Scan].Scan
	slot := s.NewBound()
	return func(bound vector.Scalar) {
		if e := within(key, to.Column, bound); e != nil {
			s.SetBound(slot, e)
		}
	}
}

// within is the condition that a row comes before the bound or is equal to it; nil
// if any row may.
func within(key expr.SortKey, column *expr.Column, bound vector.Scalar) expr.Expr {
	if bound.Null {
		if key.NullsFirst { // all values come after it
			return expr.NewIsNull(column, false)
		}
		return nil
	}
	op := expr.OpLe
	if key.Desc {
		op = expr.OpGe
	}
	e, err := expr.NewCompare(op, column, expr.NewConst(bound))
	if err == nil && key.NullsFirst {
		e, err = expr.NewOr(e, expr.NewIsNull(column, false))
	}
	if err != nil {
		return nil
	}
	return e
}
