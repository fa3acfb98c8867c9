// Package lower turns a plan into operators. A scan becomes one reader per worker,
// and filters, projections and unnesting run in the worker that read the rows:
//
//	reader 1 → filter → project ┐
//	                            ├ Sort, TopN or Gather → one stream
//	reader 2 → filter → project ┘
//
// An operator that needs the rows of all workers takes their streams as its inputs
// and produces one stream; so do all operators above it. Aggregations with keys, joins
// and unions produce several streams again, for the workers of the operators above.
//
// Rows that several places read (With, Reuse) are computed once, see common.go; the
// step of a recursion is lowered anew in each round, see recursive.go.
//
// To lower a new node, add it to builder.untraced. Its operator is one of three
// kinds: it runs on each worker's stream (see each), or it takes all the streams,
// or it needs all rows in one stream (see stream). Expressions of plans find
// columns by identity, operators find them by position:
// positionsOf(input.Columns()) translates.
package lower

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/reader"
)

// Running is a scan and its node.
type Running struct {
	Node *logical.Scan
	Scan *reader.Scan
}

// builder is the state of one Build.
type builder struct {
	ctx     context.Context
	workers int // the largest number of workers
	env     exec.Env
	trace   *Trace
	scans   []Running
	first   map[*logical.Scan]scan.RowOrder // the order that a TopN above prefers
	inOrder map[*logical.Scan]*placed       // the scans whose rows are wanted in order
	lent    map[*logical.Scan][]int         // the columns of which nobody keeps texts; see inputOf
	input   map[*logical.Union]int          // the unions of which one input alone is built
	scope   *scope                          // of the node that is built
	result  logical.Node                    // whose rows are those of the query; see lendRows

	mu sync.Mutex // for builds while the query runs: recursive
}

// Build makes the operators of a plan. It opens files to plan the scans, but reads
// no rows. trace is nil if the operators are not measured.
func Build(ctx context.Context, n logical.Node, l Limits, trace *Trace) (*Plan, error) {
	env, err := l.env(ctx)
	if err != nil {
		return nil, err
	}
	b := &builder{ctx: ctx, workers: max(l.Parallelism, 1), env: env, trace: trace, first: map[*logical.Scan]scan.RowOrder{}, inOrder: map[*logical.Scan]*placed{}, lent: map[*logical.Scan][]int{}, result: n, input: map[*logical.Union]int{}}
	b.env.Encrypt = readsEncrypted(n)
	if keepsRows(n) {
		b.env.Budget.Keeps()
	}
	in, err := b.stream(n)
	if err != nil {
		b.closeScans()
		return nil, err
	}
	return &Plan{in: in, schema: n.Columns().Schema(), b: b}, nil
}

// readsEncrypted reports whether some table of the plan has encrypted columns.
func readsEncrypted(n logical.Node) bool {
	if s, ok := n.(*logical.Scan); ok {
		return s.Table.Description().Encrypted
	}
	return slices.ContainsFunc(n.Inputs(), readsEncrypted)
}

// keepsRows reports whether an operator of the plan keeps many rows, rather than pass them on.
func keepsRows(n logical.Node) bool {
	switch n.(type) {
	case *logical.Aggregate, *logical.GroupingSets, *logical.Join, *logical.AsOfJoin, *logical.Sort, *logical.Window, *logical.Recursive:
		return true
	}
	return slices.ContainsFunc(n.Inputs(), keepsRows)
}

func (b *builder) closeScans() error {
	var first error
	for _, s := range b.scans {
		if err := s.Scan.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// build makes the streams of a node, one per worker.
func (b *builder) build(n logical.Node) ([]exec.Operator, error) {
	if s := b.scope.fixedRows(n); s != nil {
		return b.read(s, s.columns.List(), s.columns)
	}
	ops, err := b.untraced(n)
	if err != nil || b.trace == nil {
		return ops, err
	}
	return b.trace.watch(n, ops), nil
}

func (b *builder) untraced(n logical.Node) ([]exec.Operator, error) {
	switch n := n.(type) {
	case *logical.Scan:
		return b.scan(n)
	case *logical.MetaAggregate:
		return b.metaAggregate(n)
	case *logical.TopN:
		return b.topN(n)
	case *logical.Values:
		return []exec.Operator{exec.NewValues(n.Output.Schema(), n.Batches)}, nil
	case *logical.OneRow:
		return []exec.Operator{exec.OneRow()}, nil
	case *logical.Filter:
		return b.filter(n)
	case *logical.Project:
		return b.project(n)
	case *logical.Unnest:
		return b.unnest(n)
	case *logical.Aggregate:
		return b.aggregate(n)
	case *logical.Window:
		return b.window(n)
	case *logical.GroupingSets:
		return b.groupingSets(n)
	case *logical.Sort:
		return b.sort(n)
	case *logical.Join:
		return b.join(n)
	case *logical.With:
		return b.with(n)
	case *logical.Reuse:
		return b.reuse(n)
	case *logical.Union:
		return b.union(n)
	case *logical.Recursive:
		return b.recursive(n)
	case *logical.AsOfJoin:
		return b.asOf(n)
	case *logical.PositionalJoin:
		return b.positional(n)
	case *logical.Limit:
		if n == b.result {
			b.result = n.In
		}
		in, err := b.stream(n.In)
		if err != nil {
			return nil, err
		}
		return []exec.Operator{exec.NewLimit(in, n.Offset, n.Limit)}, nil
	}
	return nil, fmt.Errorf("internal error: planner/lower has no operator for a %T; builder.untraced needs a case", n)
}
