package lower

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// topN works together with the scan below it: row groups that may hold the
// first rows are read first, and those that lie beyond the last row that would
// still be shown are not read at all.
func (b *builder) topN(n *logical.TopN) ([]exec.Operator, error) {
	keys, err := positionsOf(n.In.Columns()).keys(n.Keys)
	if err != nil {
		return nil, err
	}
	node, column := keyColumn(n)
	if node != nil {
		b.first[node] = scan.RowOrder{Column: column.Index, Descending: n.Keys[0].Desc}
	}
	in, err := b.build(n.In)
	if err != nil {
		return nil, err
	}
	top := order.TopN{Keys: keys, Offset: n.Offset, Limit: n.Limit}
	if node != nil {
		top.Bound = b.bound(node, n.Keys[0], column)
	}
	return []exec.Operator{order.NewTopN(b.env, in, top)}, nil
}

// bound is what TopN calls with its last row's key.
func (b *builder) bound(node *logical.Scan, key expr.SortKey, column *expr.Column) func(vector.Scalar) {
	for _, r := range b.scans {
		if r.Node != node {
			continue
		}
		slot := r.Scan.AddProbe(nil)
		return func(bound vector.Scalar) {
			if e := within(key, column, bound); e != nil {
				r.Scan.SetProbe(slot, probe.New(e))
			}
		}
	}
	return nil
}

// keyColumn is the scan whose column the first key is, and which of the table's
// columns that is, where nothing but filters and projections is between.
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

// within is the condition that a row meets if it comes before the bound or ties
// with it; nil where that says nothing.
func within(key expr.SortKey, column *expr.Column, bound vector.Scalar) expr.Expr {
	if bound.Null {
		if key.NullsFirst { // whatever is not NULL comes after it
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
