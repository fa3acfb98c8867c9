package choose

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/scan"
)

// topN cooperates with the scan below it: row groups that may hold the first rows
// are read first, and row groups whose rows all come after the n-th best row so
// far are not read. Of the other rows that come after it no more than the key is read.
func (c chooser) topN(n *logical.TopN) (physical.Node, error) {
	w := want{copies: true}.lending(n, true)
	column := keyColumn(n)
	if column != nil {
		w.first = &scan.RowOrder{Column: column.Index, Descending: n.Keys[0].Desc}
	}
	in, err := c.wanted(n.In, w)
	if err != nil {
		return nil, err
	}
	out := &physical.TopN{Of: n, In: in}
	if s := scanThrough(in, true); s != nil && column != nil {
		out.Bound = &physical.Bound{Scan: s, Column: column}
	}
	return out, nil
}

// keyColumn finds the column of the first key, by its index in the table. It is nil if the
// key is computed, or if nodes other than filters, projections and joins are between.
func keyColumn(n *logical.TopN) *expr.Column {
	c, ok := n.Keys[0].Expr.(*expr.Column)
	in := n.In
	for ok {
		switch below := in.(type) {
		case *logical.Filter:
			in = below.In
		case *logical.Project:
			at := below.Columns().Position(logical.ColumnID(c.Index))
			if at < 0 {
				return nil
			}
			in = below.In
			c, ok = below.Items[at].Expr.(*expr.Column)
		case *logical.Join:
			if in = soleSide(below); in == nil || in.Columns().Position(logical.ColumnID(c.Index)) < 0 {
				return nil
			}
		case *logical.Scan:
			at := below.TableColumn(logical.ColumnID(c.Index))
			if at < 0 || below.Limit >= 0 {
				return nil
			}
			return expr.NewColumn(at, c.Name, c.T)
		default:
			return nil
		}
	}
	return nil
}

// soleSide is the probe side of a join if the result for a row of it does not depend on its other rows:
// those that come too late for the first rows of the result may be left out. Else it is nil. A row that is
// left out is no match of a row of the other side, which must not show then; and no second match either.
func soleSide(n *logical.Join) logical.Node {
	switch n.Kind {
	case logical.InnerJoin:
		if n.BuildsLeft() {
			return n.R
		}
		return n.L
	case logical.LeftJoin, logical.SemiJoin, logical.AntiJoin, logical.MarkJoin:
		if !n.BuildsLeft() {
			return n.L
		}
	case logical.RightJoin:
		if n.BuildsLeft() {
			return n.R
		}
	}
	return nil
}
