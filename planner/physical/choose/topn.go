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
	if s := scanOf(in); s != nil && column != nil {
		out.Bound = &physical.Bound{Scan: s, Column: column}
	}
	return out, nil
}

// keyColumn finds the column of the first key, by its index in the table. It is nil if the
// key is computed, or if nodes other than filters and projections are between.
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
