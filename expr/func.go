package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// binder makes the expression for a call by a function's name.
type binder func(name string, args []Expr) (Expr, error)

// functions are the scalar functions by name, a family a file.
var functions = merge(stringFunctions, padFunctions, searchFunctions, hashFunctions, numberFunctions, roundFunctions, regexpFunctions,
	dateFunctions, dateMathFunctions, dateFormatFunctions, conditionalFunctions, nestedFunctions, jsonFunctions)

// functionNames are their names in order, so that messages do not vary.
var functionNames = slices.Sorted(maps.Keys(functions))

func merge(families ...map[string]binder) map[string]binder {
	all := map[string]binder{}
	for _, f := range families {
		maps.Copy(all, f)
	}
	return all
}

// NewCall is a scalar function by its name.
func NewCall(name string, args []Expr) (Expr, error) {
	upper := strings.ToUpper(name)
	bind, ok := functions[upper]
	if !ok {
		return nil, &errs.NotFoundError{Kind: "function", Name: name, Nearest: errs.Nearest(upper, functionNames)}
	}
	return bind(upper, args)
}

// IsFunction reports whether there is a scalar function of the name.
func IsFunction(name string) bool { return functions[strings.ToUpper(name)] != nil }

// want turns an argument into what a function takes, or says that it cannot.
type want func(function string, e Expr) (Expr, error)

func wantType(e Expr, function string, t vector.Type, ok func(vector.Type) bool) (Expr, error) {
	_, text := textLiteral(e)
	if text || e.Type().Kind == vector.Null || ok(e.Type()) {
		return implicitCast(e, t)
	}
	return nil, fmt.Errorf("%s does not take %s here; use a CAST to %s", function, e.Type(), t)
}

func wantText(function string, e Expr) (Expr, error) { return textOperand(function, e) }

// wantBytes takes text too, as its bytes.
func wantBytes(function string, e Expr) (Expr, error) {
	if e.Type().Kind == vector.Blob {
		return e, nil
	}
	return textOperand(function, e)
}

func wantInt(function string, e Expr) (Expr, error) {
	if e.Type().IsInteger() && e.Type().Kind != vector.UBigInt {
		return e, nil
	}
	return wantType(e, function, vector.Of(vector.BigInt), vector.Type.IsInteger)
}

func wantDouble(function string, e Expr) (Expr, error) {
	return wantType(e, function, vector.Of(vector.Double), vector.Type.IsNumeric)
}

func wantTimestamp(function string, e Expr) (Expr, error) {
	if e.Type().IsTimestamp() && e.Type().Unit == vector.Micros {
		return e, nil
	}
	return wantType(e, function, vector.TimestampType(vector.Micros, false), isInstant)
}

func wantInterval(function string, e Expr) (Expr, error) {
	return wantType(e, function, vector.Of(vector.Interval), func(t vector.Type) bool { return t.Kind == vector.Interval })
}

// fixed is a function with one kernel.
func fixed(ret vector.Type, make func() kernel, careful bool, wants ...want) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != len(wants) {
			return nil, wrongCount(name, args, fmt.Sprint(len(wants)))
		}
		return newCall(name, args, ret, make, careful, wants...)
	}
}

// byCount chooses among functions by the number of arguments, least first.
func byCount(least int, list ...binder) binder {
	return func(name string, args []Expr) (Expr, error) {
		n := len(args) - least
		if n < 0 || n >= len(list) {
			return nil, wrongCount(name, args, fmt.Sprintf("%d to %d", least, least+len(list)-1))
		}
		return list[n](name, args)
	}
}

func wrongCount(name string, args []Expr, takes string) error {
	return fmt.Errorf("%s takes %s arguments, not %d", name, takes, len(args))
}

// newCall binds a kernel to its arguments.
func newCall(name string, args []Expr, ret vector.Type, make func() kernel, careful bool, wants ...want) (Expr, error) {
	bound, err := bindArgs(name, args, wants)
	if err != nil {
		return nil, err
	}
	return fold(&Call{Name: name, Args: bound, T: ret, impl: &routine{args: bound, make: make, careful: careful}}), nil
}

func bindArgs(name string, args []Expr, wants []want) ([]Expr, error) {
	bound := make([]Expr, len(args))
	for i, a := range args {
		var err error
		if bound[i], err = wants[i](name, a); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

// constantText is an argument that must be a string known before the query runs.
func constantText(function, what string, e Expr) (string, error) {
	s, ok := literal(e)
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

// viewing is a string function whose result is part of its argument.
func viewing(f func(string) string) binder { return fixed(typeText, map1(f), false, wantText) }

// test2 is a condition on two strings, evaluated as conditions are.
func test2(f func(a, b string) bool) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 2 {
			return nil, wrongCount(name, args, "2")
		}
		return newTest(name, args, func() tester { return testerOf(f) }, wantText, wantText)
	}
}

func testerOf(f func(a, b string) bool) tester {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, b, k := operandOf[string](args[0]), operandOf[string](args[1]), 0
		for _, i := range listed(rows, n) {
			into[k] = i
			if f(a.at(i), b.at(i)) {
				k++
			}
		}
		return into[:k], nil
	}
}

// newTest is a function that answers yes or no.
func newTest(name string, args []Expr, make func() tester, wants ...want) (Expr, error) {
	bound, err := bindArgs(name, args, wants)
	if err != nil {
		return nil, err
	}
	impl := &routine{node: func() node { return newPredicate(bound, make(), true) }}
	return fold(&Call{Name: name, Args: bound, T: typeBoolean, impl: impl}), nil
}
