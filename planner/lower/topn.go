package lower

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// topN cooperates with the scan below it: row groups that may hold the first rows
// are read first, and row groups whose rows all come after the n-th best row so
// far are not read. Of the other rows that come after it no more than the key is read.
func (b *builder) topN(n *logical.TopN) ([]exec.Operator, error) {
	keys, err := positionsOf(n.In.Columns()).keys(b.ctx, n.Keys)
	if err != nil {
		return nil, err
	}
	node, column := keyColumn(n)
	if node != nil {
		b.first[node] = scan.RowOrder{Column: column.Index, Descending: n.Keys[0].Desc}
	}
	in, err := b.inputOf(n, true)
	if err != nil {
		return nil, err
	}
	top := order.TopN{Keys: keys, Offset: n.Offset, Limit: n.Limit}
	if node != nil {
		top.Bound = b.bound(node, n.Keys[0], column)
	}
	return []exec.Operator{order.NewTopN(b.env, in, top)}, nil
}

// bound is the function that TopN calls with the key of its n-th best row.
func (b *builder) bound(node *logical.Scan, key expr.SortKey, column *expr.Column) func(vector.Scalar) {
	for _, r := range b.scans {
		if r.Node != node {
			continue
		}
		slot := r.Scan.AddProbe(nil)
		return func(bound vector.Scalar) {
			if e := within(key, column, bound); e != nil {
				r.Scan.SetBound(slot, e)
			}
		}
	}
	return nil
}

// keyColumn finds the scan and the column of the first key; the column is given by
// its index in the table. Both are nil if the key is computed, or if nodes other
// than filters and projections are between.
func keyColumn(n *logical.TopN) (*logical.Scan, *expr.Column) {
	c, ok := n.Keys[0].Expr.(*expr.Column)
	in := n.In
	for ok {
		switch below := in.(type) {
		case *logical.Filter:
			in = below.In
		case *logical.Project:
			at := below.Columns().Position(logical.ColumnID(c.Index))
			if at < 0 {
				return nil, nil
			}
			in = below.In
			c, ok = below.Items[at].Expr.(*expr.Column)
		case *logical.Scan:
			at := below.TableColumn(logical.ColumnID(c.Index))
			if at < 0 || below.Limit >= 0 {
				return nil, nil
			}
			return below, expr.NewColumn(at, c.Name, c.T)
		default:
			return nil, nil
		}
	}
	return nil, nil
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
