package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// unused reports whether a join does nothing but hand its left side on: an outer join
// whose right columns are not in need, and which finds at most one row for each row of
// the left side.
func unused(j *logical.Join, need logical.Set) bool {
	if j.Kind != logical.LeftJoin && j.Kind != logical.SingleJoin {
		return false
	}
	left, right := logical.Made(j.L), logical.Made(j.R)
	if !need.Intersect(right).Empty() {
		return false
	}
	var keys logical.Set
	for _, c := range j.On {
		_, r, ok := estimate.Equality(c, left, right)
		if column, is := r.(*expr.Column); ok && is {
			keys.Add(logical.ColumnID(column.Index))
		}
	}
	return unique(j.R, keys)
}

// unique reports whether no two rows of a node are equal in all of these columns.
func unique(n logical.Node, columns logical.Set) bool {
	switch n := n.(type) {
	case *logical.OneRow:
		return true
	case *logical.Aggregate:
		for _, g := range n.Groups {
			if !columns.Has(g.ID) {
				return false
			}
		}
		return true
	case *logical.Project:
		var below logical.Set
		for _, it := range n.Items {
			if c, ok := it.Expr.(*expr.Column); ok && columns.Has(it.ID) {
				below.Add(logical.ColumnID(c.Index))
			}
		}
		return unique(n.In, below)
	case *logical.Limit:
		return n.Limit == 1 || unique(n.In, columns)
	case *logical.TopN:
		return n.Limit == 1 || unique(n.In, columns)
	case *logical.Filter, *logical.Sort, *logical.Portion, *logical.Sample, *logical.Window:
		return unique(n.Inputs()[0], columns)
	case *logical.Join:
		return (!n.Kind.HasRight() || n.Kind == logical.SingleJoin) && unique(n.L, columns)
	}
	return false
}
