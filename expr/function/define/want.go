package define

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Want describes what a function accepts as one of its arguments.
type Want struct {
	Types string // as in expr.Signature
	// Bind casts an argument to the type that the function needs. function is its name
	// for messages.
	Bind func(function string, e expr.Expr) (expr.Expr, error)
}

// The arguments that most functions take.
var (
	WantText = Want{"VARCHAR", expr.TextOperand}

	// WantBytes accepts a BLOB, and text as its bytes.
	WantBytes = Want{"VARCHAR | BLOB", func(function string, e expr.Expr) (expr.Expr, error) {
		if e.Type().Kind == vector.Blob {
			return e, nil
		}
		return expr.TextOperand(function, e)
	}}

	WantInt = Want{"BIGINT", func(function string, e expr.Expr) (expr.Expr, error) {
		if e.Type().IsInteger() && e.Type().Kind != vector.UBigInt {
			return e, nil
		}
		return ImplicitCast(e, function, vector.Of(vector.BigInt), vector.Type.IsInteger)
	}}

	WantDouble = Want{"DOUBLE", func(function string, e expr.Expr) (expr.Expr, error) {
		return ImplicitCast(e, function, vector.Of(vector.Double), vector.Type.IsNumeric)
	}}

	WantInterval = Want{"INTERVAL", func(function string, e expr.Expr) (expr.Expr, error) {
		return ImplicitCast(e, function, vector.Of(vector.Interval), func(t vector.Type) bool { return t.Kind == vector.Interval })
	}}
)

// The types that most functions return.
var (
	TypeText    = vector.Of(vector.Varchar)
	TypeInt     = vector.Of(vector.BigInt)
	TypeDouble  = vector.Of(vector.Double)
	TypeBoolean = vector.Of(vector.Boolean)
	TypeBlob    = vector.Of(vector.Blob)
	TypeJSON    = vector.Of(vector.JSON)
)

// ImplicitCast casts string literals, NULL and the types that ok accepts to t.
func ImplicitCast(e expr.Expr, function string, t vector.Type, ok func(vector.Type) bool) (expr.Expr, error) {
	_, text := expr.TextLiteral(e)
	if text || e.Type().Kind == vector.Null || ok(e.Type()) {
		return expr.ImplicitCast(e, t)
	}
	return nil, &expr.ArgumentError{Function: function, Got: e.Type(), Want: t}
}

// Arguments casts the arguments of a call to what is wanted of each.
func Arguments(call expr.Callee, args []expr.Expr, wants []Want) ([]expr.Expr, error) {
	bound := make([]expr.Expr, len(args))
	for i, a := range args {
		var err error
		if bound[i], err = wants[i].Bind(call.Name, a); err != nil {
			return nil, err
		}
	}
	return bound, nil
}
