package expr

import "github.com/parquetsql/parquetsql/vector"

// Function describes a scalar function: all that is known of it apart from its
// code. expr/function has the table of them, and its tests try the claims.
type Function struct {
	Name    string
	Aliases []string
	Help    string // one sentence, for SHOW FUNCTIONS and the documentation
	Example string // a call and its result

	Binding

	// The rest are claims, by which plans and pruning save work. To claim nothing
	// (the zero values) is always safe, but for Volatile.

	// Total says that evaluation fails for no argument. (Running out of room for
	// text is no failure of this kind: it depends on the batch.)
	Total bool
	// NotNull says that the result is NULL only where an argument is.
	NotNull bool
	// Volatile says that the result may differ for the same arguments.
	Volatile bool
	// Monotone gives the slope in each argument where the function keeps or
	// reverses the order of all of them, and else nil. It may be nil itself. Such
	// a function fails, if at all, only beyond some bound.
	Monotone func(args []Expr) []Slope
}

// Binding is what a function takes and how its calls are bound.
type Binding struct {
	Signatures []Signature
	// Bind checks the types of the arguments of a call under one of the function's
	// names, casts them, and binds the code for their types. Their number is that
	// of a signature.
	Bind func(name string, args []Expr) (Expr, error)
}

// Slope is how a function follows one of its arguments.
type Slope int8

// The slopes. Rising is also that of a constant argument.
const (
	Rising  Slope = 1 // never less for a greater argument
	Falling Slope = -1
)

// NewCall is the call of f under a name.
func NewCall(f *Function, name string, args []Expr, t vector.Type, r *Routine) Expr {
	return fold(&Call{Function: f, Name: name, Args: args, T: t, impl: r})
}
