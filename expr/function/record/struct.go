// Package record has the functions of STRUCT and MAP.
package record

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/function/list"
)

// Functions make and read STRUCTs.
var Functions = []expr.Function{
	{Name: "STRUCT_PACK", Help: "a STRUCT of the arguments, each with its name", Example: "STRUCT_PACK(a := 1, b := 'x') → {\"a\":1,\"b\":\"x\"}",
		Named: pack, Binding: define.Custom(noNames, "a := T, ... → STRUCT")},
	{Name: "ROW", Help: "a STRUCT of the arguments, without names", Example: "ROW(1, 'x') → [1,\"x\"]", Binding: define.Custom(row, "T, ... → STRUCT")},
	extract,
}

var extract = expr.Function{Name: "STRUCT_EXTRACT", Help: "a field of a STRUCT by its name, or by its number if the fields have no names", Example: "STRUCT_EXTRACT({'a': 1}, 'a') → 1", Binding: list.Field}

func pack(names []string, args []expr.Expr) (expr.Expr, error) {
	if slices.Contains(names, "") {
		return nil, errNoName("STRUCT_PACK")
	}
	return expr.NewStruct(names, args)
}

func errNoName(function string) error {
	return fmt.Errorf("%s needs a name for each argument: %s(name := value)", function, function)
}

func noNames(call expr.Callee, _ []expr.Expr) (expr.Expr, error) {
	return nil, errNoName(call.Name)
}

func row(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
	return expr.NewStruct(make([]string, len(args)), args)
}
