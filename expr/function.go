package expr

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/geometry/spatial"
	"github.com/parquetsql/parquetsql/vector"
)

// Function describes a scalar function: everything about it except its code.
// expr/function has the table of functions, and its tests check the claims.
type Function struct {
	Name    string
	Aliases []string

	// Help is one line that says what the function returns. Example is an expression with
	// its result as text: LOWER('Ab') → ab. The expression is in SQL, and a test runs it;
	// that of a volatile function has no result.
	Help    string
	Example string

	Binding

	// Named, unless nil, binds a call with a name for each argument, as in f(a := 1). All
	// calls of such a function come to it.
	Named func(names []string, args []Expr) (Expr, error)

	// Lambda, unless nil, makes the second argument of a call out of a lambda with count
	// parameters: bind binds its body for parameters of the given types. args are the
	// arguments, nil in place of the lambda.
	Lambda func(name string, args []Expr, count int, bind func([]vector.Type) (*Lambda, error)) (*Lambda, error)

	// The rest are claims, which let plans and pruning save work. The zero value
	// claims nothing, which is always safe, except for Volatile.

	// Total says that evaluation fails for no argument. (ErrBatchTooLong does not
	// count: it depends on the batch.)
	Total bool
	// NotNull says that the result is NULL only where an argument is.
	NotNull bool
	// Volatile says that the result may differ for the same arguments.
	Volatile bool
	// Monotone returns the slope in each argument if the function keeps or reverses
	// the order of every argument, else nil. The field may be nil. A monotone
	// function may fail only for arguments beyond some bound.
	Monotone func(args []Expr) []Slope
	// Near, unless 0, says that a result that is a timestamp of any time (vector.Wide) is at most so many nanoseconds from the last
	// argument, which is one, too.
	Near int64
	// Lengths says that of LISTs and MAPs only the numbers of elements matter, and which are NULL.
	Lengths bool
	// Spatial is what the function says about the boxes of geometries.
	Spatial spatial.Claim
}

// Binding holds the arguments that a function takes and how its calls are bound.
type Binding struct {
	Signatures []Signature
	// Bind checks the types of a call's arguments, casts them, and binds the code for
	// these types. One of the function's signatures has as many arguments.
	Bind func(call Callee, args []Expr) (Expr, error)
}

// Callee is the function that a call names, and the name that the query used, in upper
// case.
type Callee struct {
	Function *Function
	Name     string
}

// Call builds a call of f under one of its names, in upper case.
func (f *Function) Call(name string, args []Expr) (Expr, error) {
	if !Takes(f.Signatures, len(args)) {
		return nil, WrongCount(name, f.Signatures, len(args))
	}
	e, err := f.Bind(Callee{Function: f, Name: name}, args)
	if wrong := (*ArgumentError)(nil); errors.As(err, &wrong) && wrong.Function == name {
		return nil, fmt.Errorf("%w; it is %s", err, formsOf(name, f.Signatures))
	}
	return e, err
}

// ArgumentError is the error of an argument whose type a function does not take. A call
// adds the signatures to it.
type ArgumentError struct {
	Function string // as the query names it, in upper case
	Got      vector.Type
	Want     vector.Type // that a CAST may be to
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s does not take %s here; use a CAST to %s", e.Function, e.Got, e.Want)
}

// Slope says how the result of a function changes as one argument grows.
type Slope int8

// The slopes. A constant argument counts as Rising.
const (
	Rising  Slope = 1 // never less for a greater argument
	Falling Slope = -1
)

// NewCall builds a call whose arguments are already checked.
func NewCall(call Callee, args []Expr, t vector.Type, r *Routine) Expr {
	return fold(&Call{Callee: call, Args: args, T: t, impl: r})
}
