package predicate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Replaced is e with expressions in place of columns; columns that by does not have
// stay.
func Replaced(e expr.Expr, by map[logical.ColumnID]expr.Expr) (expr.Expr, error) {
	return expr.Transform(e, func(x expr.Expr) expr.Expr {
		if c, ok := x.(*expr.Column); ok {
			if to, ok := by[logical.ColumnID(c.Index)]; ok {
				return to
			}
		}
		return x
	})
}
