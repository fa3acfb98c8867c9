package list

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
)

// MakeFunctions make LISTs.
var MakeFunctions = []expr.Function{
	{Name: "LIST_VALUE", Aliases: []string{"LIST_PACK", "ARRAY_VALUE"}, Help: "a LIST of the arguments, cast to their common type", Example: "LIST_VALUE(1, 2) → [1,2]",
		Binding: define.Overloaded(
			define.Custom(func(expr.Callee, []expr.Expr) (expr.Expr, error) { return expr.NewList() }, "→ LIST"),
			define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return expr.NewList(args...) }, "T, ... → LIST(T)"))},
}
