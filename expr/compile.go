package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// ErrBatchTooLong is returned if an operation would make more text from one batch
// than a query should hold in memory. With fewer rows per batch it may succeed.
var ErrBatchTooLong = kernel.ErrBatchTooLong

// Routine says how a call is evaluated: by an operation over its operands or, if it
// is not strict, by a node of its own.
type Routine struct {
	Args []Expr
	kernel.Operation
	Node func() kernel.Node
}

func (e *Compare) compile() kernel.Node {
	return kernel.NewCondition(CompileAll([]Expr{e.L, e.R}), kernel.Compares(e.Op, e.L.Type()), false)
}

func (e *Call) compile() kernel.Node {
	if e.impl.Node != nil {
		return e.impl.Node()
	}
	return kernel.NewStrict(e.T, e.impl.Operation, CompileAll(e.impl.Args))
}

func (e *Arith) compile() kernel.Node {
	a := kernel.Arithmetic{Op: e.Op, L: e.L.Type(), T: e.T}
	if e.R != nil {
		a.R = e.R.Type()
	}
	return kernel.NewStrict(e.T, a.Operation(), CompileAll(e.Children()))
}

func (e *Neg) compile() kernel.Node {
	return kernel.NewStrict(e.T, kernel.Negation(e.X.Type(), e.T), []kernel.Node{e.X.compile()})
}

func (e *Cast) compile() kernel.Node {
	if e.T.IsNested() {
		return e.compileNested()
	}
	o, _ := kernel.Conversion(e.X.Type(), e.T, e.Try) // the builder has checked that it exists
	if o.Make == nil {
		return &retypeNode{x: e.X.compile(), typ: e.T}
	}
	return kernel.NewStrict(e.T, o, []kernel.Node{e.X.compile()})
}
