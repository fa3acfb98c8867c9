package aggregate

import "github.com/parquetsql/parquetsql/expr"

// Best is what a call takes of one row of a group whose key is never NULL: the value of any row that has the
// greatest key, or the least.
//
//	FIRST(x ORDER BY y), MIN(y), MAX(y)
type Best struct {
	Value, Key expr.Expr
	Greatest   bool
}

// Best says what the call takes of one row; ok is false where it is something else.
func (a *Call) Best() (b Best, ok bool) {
	switch {
	case a.distinct || a.filter != nil || len(a.args) != 1 || len(a.params) > 0:
		return b, false
	case a.function.Name == "MIN" || a.function.Name == "MAX":
		return Best{Value: a.args[0], Key: a.args[0], Greatest: a.function.Name == "MAX"}, a.typ.Equal(a.args[0].Type())
	case a.edge != nil && a.edge.nulls && !a.edge.last && len(a.order) == 1:
		return Best{Value: a.args[0], Key: a.order[0].Expr, Greatest: a.order[0].Desc}, true
	}
	return b, false
}
