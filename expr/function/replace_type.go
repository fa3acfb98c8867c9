package function

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/vector"
)

var replaceType = expr.Function{Name: "REPLACE_TYPE", Help: "the first argument, where values of the second one's type, also within it, become values of the third one's",
	Example: "REPLACE_TYPE({'a': 1.5}, NULL::DECIMAL(2,1), NULL::DOUBLE) → {\"a\":1.5}",
	Binding: define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return expr.NewCast(args[0], replaced(args[0].Type(), args[1].Type(), args[2].Type()), false)
	}, "T, T, V → V", "LIST(T), T, V → LIST(V)")}

// replaced is a type with to in place of from.
func replaced(t, from, to vector.Type) vector.Type {
	if t.Equal(from) {
		return to
	}
	fields := make([]vector.Field, len(t.Fields))
	for i, f := range t.Fields {
		fields[i] = f
		fields[i].Type = replaced(f.Type, from, to)
	}
	if t.IsNested() {
		t.Fields = fields
	}
	return t
}
