package function

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// sqlType is the name of a type as DuckDB writes it in SQL: INTEGER[] is a LIST. The type of
// NULL is in quotation marks, since NULL is a word.
func sqlType(t vector.Type) string {
	switch t.Kind {
	case vector.Null:
		return `"NULL"`
	case vector.List:
		return sqlType(t.Fields[0].Type) + "[]"
	case vector.Map:
		if len(t.Fields) == 2 {
			return "MAP(" + sqlType(t.Fields[0].Type) + ", " + sqlType(t.Fields[1].Type) + ")"
		}
	case vector.Struct:
		return structType(t)
	case vector.TimestampTZ:
		return "TIMESTAMP WITH TIME ZONE"
	case vector.Timestamp:
		return t.String() + timestampSuffix[t.Unit]
	}
	return t.String()
}

var timestampSuffix = map[vector.Unit]string{vector.Seconds: "_S", vector.Millis: "_MS", vector.Nanos: "_NS"}

// structType names the fields as the type itself does.
func structType(t vector.Type) string {
	fields := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		one := vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: f.Name, Type: vector.Of(vector.Null)}}}
		name := strings.TrimSuffix(strings.TrimPrefix(one.String(), "STRUCT("), "NULL)")
		fields[i] = name + sqlType(f.Type)
	}
	return "STRUCT(" + strings.Join(fields, ", ") + ")"
}

// canCast is whether the common type of two values is that of the second one.
func canCast(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
	a, b := args[0].Type(), args[1].Type()
	t, err := expr.CommonType(a, b)
	fits := err == nil && t.Equal(b) && (a.Kind == b.Kind || !b.IsText())
	return expr.NewConst(vector.BoolScalar(fits || a.IsNumeric() && b.IsFloat())), nil
}
