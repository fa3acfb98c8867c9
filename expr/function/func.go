// Package function has SQL's scalar functions, one family per file. Each function
// is an expr.Function: its names, its signatures, a binder that casts the arguments
// of a call and binds code for their types, and what is known about its results
// (whether it can fail, whether it can be NULL, whether it keeps an order). The
// planner and expr/probe read the descriptor and never the name.
//
// # Adding a function
//
// Add an entry to the table of its family, for example
//
//	{Name: "STRLEN", Total: true, NotNull: true, Binding: fixed(typeInt, kernel.Map1(countBytes), false, wantText)},
//
// fixed is for a function whose types do not depend on the call. It takes the type of
// the result, a kernel (usually kernel.Map1, Map2 … over a Go function of one row,
// kernel.Try1 … if it can fail, kernel.Text1 … if it makes text), and a want for each
// argument; the signature follows from these. custom takes a binder that checks the
// types of the arguments, and the signatures as text. overloaded combines forms with
// different numbers of arguments. Add a new family to families. TestSignatures and
// TestClaims then check the entry; add cases for its results to testdata/slt and to
// expr/exprtest/func_test.go, which evaluates them over every form of vectors.
package function

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// families are the scalar functions, one per file.
var families = [][]expr.Function{stringFunctions, padFunctions, searchFunctions, hashFunctions, numberFunctions, roundFunctions, regexpFunctions,
	dateFunctions, dateMathFunctions, dateFormatFunctions, conditionalFunctions, nestedFunctions, jsonFunctions, variantFunctions}

// functions are the scalar functions by all their names. init fills the map, because
// binding a call reads it.
var functions = map[string]*expr.Function{}

// functionNames are the names in order, so that messages are always the same.
var functionNames []string

func init() {
	for _, family := range families {
		for i := range family {
			f := &family[i]
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				functions[name] = f
			}
		}
	}
	functionNames = slices.Sorted(maps.Keys(functions))
}

// New builds the call of a scalar function by one of its names, in any letter case.
func New(name string, args []expr.Expr) (expr.Expr, error) {
	upper := strings.ToUpper(name)
	f, ok := functions[upper]
	if !ok {
		return nil, &errs.NotFoundError{Kind: "function", Name: name, Nearest: errs.Nearest(upper, functionNames)}
	}
	if !expr.Takes(f.Signatures, len(args)) {
		return nil, expr.WrongCount(upper, f.Signatures, len(args))
	}
	return f.Bind(upper, args)
}

// Is reports whether a scalar function has the name.
func Is(name string) bool { return functions[strings.ToUpper(name)] != nil }

// bound builds the call of a function whose arguments are already checked.
func bound(name string, args []expr.Expr, t vector.Type, r *expr.Routine) expr.Expr {
	return expr.NewCall(functions[name], name, args, t, r)
}

// want describes what a function accepts as one of its arguments.
type want struct {
	types string // as in expr.Signature
	// bind casts an argument to the type that the function needs.
	bind func(function string, e expr.Expr) (expr.Expr, error)
}

var (
	wantText = want{"VARCHAR", expr.TextOperand}

	// wantBytes accepts a BLOB, and text as its bytes.
	wantBytes = want{"VARCHAR | BLOB", func(function string, e expr.Expr) (expr.Expr, error) {
		if e.Type().Kind == vector.Blob {
			return e, nil
		}
		return expr.TextOperand(function, e)
	}}

	wantInt = want{"BIGINT", func(function string, e expr.Expr) (expr.Expr, error) {
		if e.Type().IsInteger() && e.Type().Kind != vector.UBigInt {
			return e, nil
		}
		return implicitCast(e, function, vector.Of(vector.BigInt), vector.Type.IsInteger)
	}}

	wantDouble = want{"DOUBLE", func(function string, e expr.Expr) (expr.Expr, error) {
		return implicitCast(e, function, vector.Of(vector.Double), vector.Type.IsNumeric)
	}}

	wantInterval = want{"INTERVAL", func(function string, e expr.Expr) (expr.Expr, error) {
		return implicitCast(e, function, vector.Of(vector.Interval), func(t vector.Type) bool { return t.Kind == vector.Interval })
	}}
)

// implicitCast casts string literals, NULL and the types that ok accepts to t.
func implicitCast(e expr.Expr, function string, t vector.Type, ok func(vector.Type) bool) (expr.Expr, error) {
	_, text := expr.TextLiteral(e)
	if text || e.Type().Kind == vector.Null || ok(e.Type()) {
		return expr.ImplicitCast(e, t)
	}
	return nil, fmt.Errorf("%s does not take %s here; use a CAST to %s", function, e.Type(), t)
}

// strictCall builds the call of a kernel over arguments that are already checked. A
// careful kernel may fail, so it runs only over rows without a NULL argument. The
// error is always nil; it lets a binder return the call directly.
func strictCall(name string, args []expr.Expr, ret vector.Type, make func() kernel.Func, careful bool) (expr.Expr, error) {
	return bound(name, args, ret, &expr.Routine{Args: args, Operation: kernel.Operation{Make: make, Careful: careful}}), nil
}

func bindArgs(name string, args []expr.Expr, wants []want) ([]expr.Expr, error) {
	bound := make([]expr.Expr, len(args))
	for i, a := range args {
		var err error
		if bound[i], err = wants[i].bind(name, a); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

// constantText returns an argument that must be a string literal.
func constantText(function, what string, e expr.Expr) (string, error) {
	s, ok := expr.Literal(e)
	if !ok || !s.Type.IsText() {
		return "", fmt.Errorf("%s: the %s must be a string literal", function, what)
	}
	return s.Str, nil
}

var (
	typeText    = vector.Of(vector.Varchar)
	typeInt     = vector.Of(vector.BigInt)
	typeDouble  = vector.Of(vector.Double)
	typeBoolean = vector.Of(vector.Boolean)
	typeBlob    = vector.Of(vector.Blob)
)

// viewing is a function from string to string whose result is mostly a part of the
// argument and needs no copy. kernel.Text1 is for results that are built.
func viewing(f func(string) string) expr.Binding {
	return fixed(typeText, kernel.Map1(f), false, wantText)
}

// textPredicate is a predicate over two strings.
func textPredicate(f func(a, b string) bool) expr.Binding {
	return custom(func(name string, args []expr.Expr) (expr.Expr, error) {
		list, err := bindArgs(name, args, []want{wantText, wantText})
		if err != nil {
			return nil, err
		}
		return conditionCall(name, list, func() kernel.Predicate { return predicateOf(f) })
	}, "VARCHAR, VARCHAR → BOOLEAN")
}

func predicateOf(f func(a, b string) bool) kernel.Predicate {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, b, k := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), 0
		for _, i := range kernel.Listed(rows, n) {
			into[k] = i
			if f(a.At(i), b.At(i)) {
				k++
			}
		}
		return into[:k], nil
	}
}

// conditionCall builds the call of a predicate over arguments that are already
// checked. As in strictCall, the error is always nil.
func conditionCall(name string, args []expr.Expr, make func() kernel.Predicate) (expr.Expr, error) {
	impl := &expr.Routine{Node: func() kernel.Node { return kernel.NewCondition(expr.CompileAll(args), make(), true) }}
	return bound(name, args, typeBoolean, impl), nil
}
