package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// Anti makes an anti join of an outer join of which only the rows without a match are
// wanted, as in
//
//	FROM sales LEFT JOIN returns ON sales.id = returns.sale WHERE returns.sale IS NULL
//
// In a match the column is not NULL, because the ON would not be TRUE.
func Anti(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		f, ok := n.(*logical.Filter)
		if !ok {
			return n, nil
		}
		j, ok := f.In.(*logical.Join)
		if !ok || j.Kind != logical.LeftJoin && j.Kind != logical.RightJoin {
			return n, nil
		}
		anti := &logical.Join{Kind: logical.AntiJoin, L: j.L, R: j.R, On: j.On}
		if j.Kind == logical.RightJoin {
			anti.L, anti.R = j.R, j.L
		}
		matched := predicate.RejectedBy(j.On).Intersect(logical.Made(anti.R))
		var above []expr.Expr
		for _, c := range f.Conjuncts {
			if null, ok := c.(*expr.IsNull); !ok || null.Not || !isOneOf(null.X, matched) {
				above = append(above, c)
			}
		}
		if len(above) == len(f.Conjuncts) {
			return n, nil
		}
		return filtered(padded(j, anti), above), nil
	})
}

// isOneOf reports whether e is one of the columns.
func isOneOf(e expr.Expr, columns logical.Set) bool {
	c, ok := e.(*expr.Column)
	return ok && columns.Has(logical.ColumnID(c.Index))
}
