// Package logical is the meaning of a query: a tree of relational nodes over
// typed columns, with names resolved. Binding makes it, rules rewrite it to do
// less work, lowering turns it into operators, EXPLAIN prints it.
//
// Columns are known by identity, not by position: see ColumnID. A rule may
// therefore drop, add or reorder the columns of a node, and put nodes between
// others, and no expression above or below has to change.
//
// Nodes are immutable: a rule makes new ones. To add a node:
//
//   - Write the type in a file of this package, with the methods of Node; the
//     compiler names those that are missing. The rule Prune calls Narrow: a node
//     that adds or drops columns drops there those that are not needed, any other
//     returns itself. If its expressions read columns that it adds itself, as those
//     of Unnest do, it needs a case in own (set.go).
//   - Add it to nodes in logical_test.go, so that the tests of all nodes try it.
//   - Give it a case in choose.go of package physical/choose, which makes a physical node
//     of it, and one in describe.go of package explain.
//   - Let the binder or a rule make it.
//
// Rules reach the inputs of every node through Inputs and WithInputs, so that
// those which are not about the node need no change.
//
// Sort and TopN give the rows an order. The nodes above keep it, but for
// Aggregate; elsewhere rows have none.
package logical

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/scan"
)

// Node is one relational operation.
type Node interface {
	// Columns are the columns that it produces, in order; no ID occurs twice.
	Columns() Columns
	// Inputs are the nodes that it takes its rows from, the left one first.
	Inputs() []Node
	// Exprs are all expressions that it evaluates. They read the columns of the
	// inputs, columns of the node itself where its comment says so, and outer
	// columns (see Free).
	Exprs() []expr.Expr
	// Narrow is the node without those columns that it adds and that are not in
	// need, and without the expressions that compute only these. Its rows stay the
	// same otherwise. It may keep more than need. It is never an input of the node:
	// an input is narrowed after it.
	Narrow(need Set) Node

	// Over is the node over other inputs, as many as it has. Call WithInputs, which
	// checks them.
	Over(inputs []Node) (Node, error)
}

// Query is a plan and the allocator of its columns' identities.
type Query struct {
	Root Node
	IDs  *IDs
	// Statistics estimates what a table holds; nil, or nil for a table, if nothing is
	// known of it.
	Statistics func(Table) scan.Statistics
	// SkipsDamage says that scans leave out damaged rows, so that two scans of a table that read
	// other columns may have other rows.
	SkipsDamage bool
	// MemoryLimit is how many bytes the query may hold; 0: any.
	MemoryLimit int64
	// Look is the error of the query's context: rules whose work grows with the square of
	// the plan call it. nil: the query is never cancelled.
	Look func() error
}

// Ended is the error of the query's context.
func (q Query) Ended() error {
	if q.Look == nil {
		return nil
	}
	return q.Look()
}

// WithInputs is the node over other inputs, which must produce the columns that
// it reads. It is an error if their number is another or if the node cannot
// stand on such an input.
func WithInputs(n Node, inputs []Node) (Node, error) {
	if n == nil {
		return nil, fmt.Errorf("internal error: inputs for no plan node")
	}
	old := n.Inputs()
	if len(old) != len(inputs) {
		return nil, fmt.Errorf("internal error: %d inputs for a %T, which has %d", len(inputs), n, len(old))
	}
	same := true
	for i := range inputs {
		if inputs[i] == nil {
			return nil, fmt.Errorf("internal error: input %d of a %T is missing", i, n)
		}
		same = same && inputs[i] == old[i]
	}
	if same {
		return n, nil
	}
	return n.Over(inputs)
}

// Needs is, for each input of a node, the columns that it must produce: those
// that the node's expressions read and those of need that come from it.
func Needs(n Node, need Set) []Set {
	want := need.Union(ReadBy(n.Exprs()...))
	inputs := n.Inputs()
	out := make([]Set, len(inputs))
	switch n := n.(type) {
	case *Apply:
		want.AddSet(Free(n.R))
	case *With:
		Uses(n.Body, n.ID, &want)
	case *Union:
		for i := range inputs {
			out[i] = SetOf(n.From[i]...)
		}
		return out
	case *Recursive:
		return []Set{SetOf(n.From[0]...), SetOf(n.From[1]...)}
	}
	for i, in := range inputs {
		out[i] = want.Intersect(Made(in))
	}
	return out
}
