package expr

import (
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// Evaluator computes an expression batch by batch. It belongs to one goroutine.
type Evaluator struct {
	// Root is nil before the first Eval.
	Root kernel.Node
	// Meter bounds what is made of a batch. Who calls Eval starts it for each batch. It
	// is nil where an evaluation makes little.
	Meter   *quota.Meter
	e       Expr
	columns []int // that e reads, if the values may have texts
	bounded bool
	f       kernel.Frame
}

// NewEvaluator prepares the evaluation of e.
func NewEvaluator(e Expr) *Evaluator { return &Evaluator{e: e} }

// NewBounded prepares an evaluation outside of a query's memory, as of the values of a
// dictionary while row groups are chosen. Eval fails where the values would be long.
func NewBounded(e Expr) *Evaluator {
	return &Evaluator{e: e, Meter: quota.NewBound(quota.MaxConstant), bounded: true}
}

// Eval computes the expression for each row that the batch selects. The result has
// b.Len rows; rows that are not selected hold arbitrary values. It is valid until
// the next call and may be one of the batch's own columns.
func (ev *Evaluator) Eval(b *vector.Batch) (*vector.Vector, error) {
	if ev.bounded {
		ev.Meter.Start(2)
	}
	if ev.Root == nil {
		by := newCompiler(ev.Meter)
		root := by.Node(ev.e)
		if by.err != nil {
			return nil, by.err
		}
		switch ev.Root = root; ev.e.Type().Storage() {
		case vector.StoreString, vector.StoreNested:
			ev.columns = ColumnsOf(ev.e)
		}
	}
	ev.f = kernel.Frame{Cols: b.Cols, N: b.Len, Meter: ev.Meter}
	v, err := ev.Root.Eval(&ev.f, b.Sel)
	if err != nil {
		if ev.e != nil {
			err = source{ev.e}.Explain(err)
		}
		return v, err
	}
	ev.own(v, b)
	return v, nil
}

// own says who owns the texts of v. Kernels do not: what they make lies in memory that the
// collector has, or in that of the columns that they read.
func (ev *Evaluator) own(v *vector.Vector, b *vector.Batch) {
	if v.Owner() != vector.Lent || ev.e == nil {
		return
	}
	least := vector.Shared
	for _, c := range ev.columns {
		least = min(least, b.Cols[c].Owner())
	}
	v.Raise(least)
}

// columnNode reads a column of the batch.
type columnNode struct{ index int }

func (c *Column) compile(*Compiler) kernel.Node { return columnNode{c.Index} }

func (c columnNode) Eval(f *kernel.Frame, _ []int32) (*vector.Vector, error) {
	return f.Cols[c.index], nil
}

// constNode is one value for all rows.
type constNode struct{ v *vector.Vector }

func (c *Const) compile(*Compiler) kernel.Node {
	v := vector.NewConstant(c.Value, 1)
	v.Raise(vector.Shared)
	return constNode{v}
}

func (c constNode) Eval(f *kernel.Frame, _ []int32) (*vector.Vector, error) {
	c.v.Len = f.N
	return c.v, nil
}
