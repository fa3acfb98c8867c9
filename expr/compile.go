package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// Parts hands out a batch in parts where evaluations make too much of it at once.
type Parts = kernel.Parts

// SortRows sorts rows, which ascend, by compare; equal ones stay in their order. work is
// called with the amount of work, as Meter.Work is, and its error ends the sort.
func SortRows(rows []int32, work func(n int) error, compare func(a, b int32) int) error {
	return kernel.SortRows(rows, work, compare)
}

// Routine says how a call is evaluated: by an operation over its operands or, if it
// is not strict, by a node of its own.
type Routine struct {
	Args []Expr
	kernel.Operation
	Node func(by *Compiler) kernel.Node
	// Letters, unless zero, is what the call makes of its text, letter by letter.
	Letters Letters
	total   bool // see Total
	// Within says that the call asks whether its first text contains the second.
	Within bool
}

func (e *Call) compile(by *Compiler) kernel.Node {
	if e.impl.Node != nil {
		return e.impl.Node(by)
	}
	return by.strict(e.T, e.impl.Args, e.impl.Operation)
}

func (e *Arith) compile(by *Compiler) kernel.Node {
	if x := short(e); x != nil {
		return by.Node(&Cast{X: x, T: e.T})
	}
	a := kernel.Arithmetic{Op: e.Op, L: e.L.Type(), T: e.T}
	if e.R != nil {
		a.R = e.R.Type()
	}
	return by.strict(e.T, e.Children(), a.Operation())
}

func (e *Neg) compile(by *Compiler) kernel.Node {
	return by.strict(e.T, []Expr{e.X}, kernel.Negation(e.X.Type(), e.T))
}

func (e *Cast) compile(by *Compiler) kernel.Node {
	if e.T.IsNested() {
		return e.compileNested(by)
	}
	if e.Clamp {
		return by.strict(e.T, []Expr{e.X}, kernel.Clamped(e.X.Type(), e.T))
	}
	o, _ := kernel.Conversion(e.X.Type(), e.T, e.Try) // the builder has checked that it exists
	if o.Make == nil {
		return &retypeNode{x: by.Node(e.X), typ: e.T}
	}
	if _, constant := e.X.(*Const); !e.Try && !constant {
		o.Make = namesSource(o.Make, e.X)
	}
	return by.strict(e.T, []Expr{e.X}, o)
}
