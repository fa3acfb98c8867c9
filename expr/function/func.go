// Package function is SQL's scalar functions, a family per file. Each function is
// an expr.Function: its names, a binder that checks the arguments of a call and
// binds code for their types, and what is known of its results (whether it can
// fail, be NULL, keeps an order). The planner and expr/probe ask the descriptor
// and never the name.
//
// To add a function, add an entry to its family's table. Most binders are made by
// fixed, which takes the result type, a kernel (usually kernel.Map1 and its kin of
// a function of one row) and what each argument must be.
package function

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// binder makes the expression for a call by a function's name.
type binder func(name string, args []expr.Expr) (expr.Expr, error)

// families are the scalar functions, a family a file.
var families = [][]expr.Function{stringFunctions, padFunctions, searchFunctions, hashFunctions, numberFunctions, roundFunctions, regexpFunctions,
	dateFunctions, dateMathFunctions, dateFormatFunctions, conditionalFunctions, nestedFunctions, jsonFunctions}

// functions are the scalar functions by all their names. It is filled by init
// because binding a call looks its function up.
var functions = map[string]*expr.Function{}

// functionNames are the names in order, so that messages do not vary.
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

// New is the call of a scalar function by one of its names, in any case.
func New(name string, args []expr.Expr) (expr.Expr, error) {
	upper := strings.ToUpper(name)
	f, ok := functions[upper]
	if !ok {
		return nil, &errs.NotFoundError{Kind: "function", Name: name, Nearest: errs.Nearest(upper, functionNames)}
	}
	return f.Bind(upper, args)
}

// Is reports whether there is a scalar function of the name.
func Is(name string) bool { return functions[strings.ToUpper(name)] != nil }

// bound is the call of a function, all of whose arguments are checked.
func bound(name string, args []expr.Expr, t vector.Type, r *expr.Routine) expr.Expr {
	return expr.NewCall(functions[name], name, args, t, r)
}

// want turns an argument into what a function takes, or says that it cannot.
type want func(function string, e expr.Expr) (expr.Expr, error)

func wantType(e expr.Expr, function string, t vector.Type, ok func(vector.Type) bool) (expr.Expr, error) {
	_, text := expr.TextLiteral(e)
	if text || e.Type().Kind == vector.Null || ok(e.Type()) {
		return expr.ImplicitCast(e, t)
	}
	return nil, fmt.Errorf("%s does not take %s here; use a CAST to %s", function, e.Type(), t)
}

func wantText(function string, e expr.Expr) (expr.Expr, error) { return expr.TextOperand(function, e) }

// wantBytes takes text too, as its bytes.
func wantBytes(function string, e expr.Expr) (expr.Expr, error) {
	if e.Type().Kind == vector.Blob {
		return e, nil
	}
	return expr.TextOperand(function, e)
}

func wantInt(function string, e expr.Expr) (expr.Expr, error) {
	if e.Type().IsInteger() && e.Type().Kind != vector.UBigInt {
		return e, nil
	}
	return wantType(e, function, vector.Of(vector.BigInt), vector.Type.IsInteger)
}

func wantDouble(function string, e expr.Expr) (expr.Expr, error) {
	return wantType(e, function, vector.Of(vector.Double), vector.Type.IsNumeric)
}

func wantTimestamp(function string, e expr.Expr) (expr.Expr, error) {
	if e.Type().IsTimestamp() && e.Type().Unit == vector.Micros {
		return e, nil
	}
	return wantType(e, function, vector.TimestampType(vector.Micros, false), scalar.IsInstant)
}

func wantInterval(function string, e expr.Expr) (expr.Expr, error) {
	return wantType(e, function, vector.Of(vector.Interval), func(t vector.Type) bool { return t.Kind == vector.Interval })
}

// fixed is a function with one kernel.
func fixed(ret vector.Type, make func() kernel.Func, careful bool, wants ...want) binder {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		if len(args) != len(wants) {
			return nil, wrongCount(name, args, fmt.Sprint(len(wants)))
		}
		return strictCall(name, args, ret, make, careful, wants...)
	}
}

// byCount chooses among functions by the number of arguments, least first.
func byCount(least int, list ...binder) binder {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		n := len(args) - least
		if n < 0 || n >= len(list) {
			return nil, wrongCount(name, args, fmt.Sprintf("%d to %d", least, least+len(list)-1))
		}
		return list[n](name, args)
	}
}

func wrongCount(name string, args []expr.Expr, takes string) error {
	return fmt.Errorf("%s takes %s arguments, not %d", name, takes, len(args))
}

// strictCall binds a kernel to its arguments.
func strictCall(name string, args []expr.Expr, ret vector.Type, make func() kernel.Func, careful bool, wants ...want) (expr.Expr, error) {
	list, err := bindArgs(name, args, wants)
	if err != nil {
		return nil, err
	}
	return bound(name, list, ret, &expr.Routine{Args: list, Operation: kernel.Operation{Make: make, Careful: careful}}), nil
}

func bindArgs(name string, args []expr.Expr, wants []want) ([]expr.Expr, error) {
	bound := make([]expr.Expr, len(args))
	for i, a := range args {
		var err error
		if bound[i], err = wants[i](name, a); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

// constantText is an argument that must be a string known before the query runs.
func constantText(function, what string, e expr.Expr) (string, error) {
	s, ok := expr.Literal(e)
	if !ok || !s.Type.IsText() {
		return "", fmt.Errorf("%s: the %s must be a string literal", function, what)
	}
	return s.Str, nil
}

var (
	TypeText    = vector.Of(vector.Varchar)
	TypeInt     = vector.Of(vector.BigInt)
	TypeDouble  = vector.Of(vector.Double)
	typeBoolean = vector.Of(vector.Boolean)
	typeBlob    = vector.Of(vector.Blob)
)

// viewing is a string function whose result is part of its argument.
func viewing(f func(string) string) binder { return fixed(TypeText, kernel.Map1(f), false, wantText) }

// test2 is a condition on two strings, evaluated as conditions are.
func test2(f func(a, b string) bool) binder {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		if len(args) != 2 {
			return nil, wrongCount(name, args, "2")
		}
		return conditionCall(name, args, func() kernel.Predicate { return predicateOf(f) }, wantText, wantText)
	}
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

// conditionCall is a function that answers yes or no.
func conditionCall(name string, args []expr.Expr, make func() kernel.Predicate, wants ...want) (expr.Expr, error) {
	list, err := bindArgs(name, args, wants)
	if err != nil {
		return nil, err
	}
	impl := &expr.Routine{Node: func() kernel.Node { return kernel.NewCondition(expr.CompileAll(list), make(), true) }}
	return bound(name, list, typeBoolean, impl), nil
}
