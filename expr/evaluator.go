package expr

import (
	"github.com/parquetsql/parquetsql/vector"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// Evaluator computes an expression batch by batch. It belongs to one goroutine.
type Evaluator struct {
	Root kernel.Node
	// Meter bounds what is made of a batch. Who calls Eval starts it for each batch. It
	// is nil where an evaluation makes little.
	Meter   *Meter
	bounded bool
	f       kernel.Frame
}

// NewEvaluator prepares the evaluation of e.
func NewEvaluator(e Expr) *Evaluator { return &Evaluator{Root: e.compile()} }

// NewBounded prepares an evaluation outside of a query's memory, as of the values of a
// dictionary while row groups are chosen. Eval fails where the values would be long.
func NewBounded(e Expr) *Evaluator {
	return &Evaluator{Root: e.compile(), Meter: kernel.NewBound(maxConstant), bounded: true}
}

// Eval computes the expression for each row that the batch selects. The result has
// b.Len rows; rows that are not selected hold arbitrary values. It is valid until
// the next call and may be one of the batch's own columns.
func (ev *Evaluator) Eval(b *vector.Batch) (*vector.Vector, error) {
	if ev.bounded {
		ev.Meter.Start(2)
	}
	ev.f = kernel.Frame{Cols: b.Cols, N: b.Len, Meter: ev.Meter}
	return ev.Root.Eval(&ev.f, b.Sel)
}

// Compile makes the runtime state of e for one goroutine.
func Compile(e Expr) kernel.Node { return e.compile() }

// CompileAll makes the runtime states of a list.
func CompileAll(list []Expr) []kernel.Node {
	nodes := make([]kernel.Node, len(list))
	for i, e := range list {
		nodes[i] = e.compile()
	}
	return nodes
}

// columnNode reads a column of the batch.
type columnNode struct{ index int }

func (c *Column) compile() kernel.Node { return columnNode{c.Index} }

func (c columnNode) Eval(f *kernel.Frame, _ []int32) (*vector.Vector, error) {
	return f.Cols[c.index], nil
}

// constNode is one value for all rows.
type constNode struct{ v *vector.Vector }

func (c *Const) compile() kernel.Node { return constNode{vector.NewConstant(c.Value, 1)} }

func (c constNode) Eval(f *kernel.Frame, _ []int32) (*vector.Vector, error) {
	c.v.Len = f.N
	return c.v, nil
}
