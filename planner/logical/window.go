package logical

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
)

// Window adds columns that window functions compute: the columns of the input, then
// Calls. Rows with equal values of Partition are one partition; within it they are in
// the order of OrderBy. Calls over other windows are nodes of their own.
type Window struct {
	In        Node
	Partition []expr.Expr
	OrderBy   []expr.SortKey
	Calls     []WindowCall
	// First says that rows which so many rows of their partition come strictly before need not
	// be returned; 0: all rows are wanted.
	First int64
	// Expected is about how many rows there are, where First is set.
	Expected float64
	// Grouped says that the results of all calls are aggregates of whole partitions, of which each row
	// gets that of its group: no row need be sorted, and the rows may be kept in memory.
	Grouped bool
	// Repeats says, where Grouped is set, that the input may be read twice.
	Repeats bool
}

// WindowCall is one call and the column of its results.
type WindowCall struct {
	Column
	Call *window.Call
}

// NewWindowCall gives the results of a call a column.
func NewWindowCall(ids *IDs, call *window.Call) WindowCall {
	c := Column{ID: ids.New(), Name: call.String(), Type: call.Type(), Nullable: call.Nullable(), Counts: numbers(call)}
	return WindowCall{Column: c, Call: call}
}

// numbers reports whether the results of a call are numbers of rows.
func numbers(call *window.Call) bool {
	switch call.Kind() {
	case window.RowNumber, window.Rank, window.DenseRank, window.Ntile:
		return true
	case window.Aggregate:
		return counts(call.Aggregate())
	}
	return false
}

// NewNumbered numbers the rows of each partition from 1; number is the column of that.
// Partitions may be lists, maps and structs.
func NewNumbered(ids *IDs, in Node, partition []expr.Expr, order []expr.SortKey) (w *Window, number Column, err error) {
	call, err := window.New("row_number", nil, window.Options{})
	if err != nil {
		return nil, number, err
	}
	numbered := NewWindowCall(ids, call)
	for i, e := range partition {
		partition[i] = expr.OrderKey(e)
	}
	return &Window{In: in, Partition: partition, OrderBy: order, Calls: []WindowCall{numbered}}, numbered.Column, nil
}

// Columns implements Node.
func (w *Window) Columns() Columns {
	out := fresh(w.In)
	for _, c := range w.Calls {
		out = append(out, c.Column)
	}
	return out
}

// Inputs implements Node.
func (w *Window) Inputs() []Node { return []Node{w.In} }

// Over implements Node.
func (w *Window) Over(in []Node) (Node, error) {
	c := *w
	c.In = in[0]
	return &c, nil
}

// Exprs implements Node.
func (w *Window) Exprs() []expr.Expr {
	out := append([]expr.Expr(nil), w.Partition...)
	out = append(out, exprsOfKeys(w.OrderBy)...)
	for _, c := range w.Calls {
		out = append(out, c.Call.Exprs()...)
	}
	return out
}

// Narrow drops calls. Without any the node is its input.
func (w *Window) Narrow(need Set) Node {
	c := *w
	c.Calls = needed(w.Calls, need)
	return &c
}
