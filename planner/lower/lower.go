// Package lower makes operators of a plan. A scan becomes one reader for each
// worker, and filters, projections and unnesting are done by the worker that
// read the rows:
//
//	reader 1 → filter → project ┐
//	                            ├ Aggregate, Sort, TopN or Gather → one stream
//	reader 2 → filter → project ┘
//
// Whatever needs all rows at once takes the workers' streams as its inputs and
// gives one; above it there is one stream.
package lower

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/group"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/reader"
)

// Options is what execution may use.
type Options struct {
	Parallelism   int
	Env           exec.Env
	Pruning       scan.Pruners
	OnCorruptSkip bool
	OnSkip        func(*errs.CorruptError)
	Trace         *Trace // nil: nobody asks what the operators did
}

// Table is a logical.Table with what reads it.
type Table interface {
	logical.Table
	Scanned() *catalog.Table
}

// Plan is operators that are ready to run.
type Plan struct {
	Root exec.Operator // its Close frees everything
	b    *builder
}

// Running is a scan and the node that it is of. What metadata leaves over is
// scanned separately: then a node has two.
type Running struct {
	Node *logical.Scan
	Scan *reader.Scan
}

// Scans are the scans in the order in which the plan has them. Their counters
// may be read after Root was closed, too.
func (p *Plan) Scans() []Running { return p.b.scans }

// builder collects what a plan consists of.
type builder struct {
	ctx     context.Context
	options Options
	scans   []Running
	first   map[*logical.Scan]scan.RowOrder // in which order a TopN would like the rows
}

// Build makes the operators of a plan. It reads what planning the scans needs,
// but no rows.
func Build(ctx context.Context, n logical.Node, o Options) (*Plan, error) {
	o.Parallelism = max(o.Parallelism, 1)
	b := &builder{ctx: ctx, options: o, first: map[*logical.Scan]scan.RowOrder{}}
	ops, err := b.build(n)
	if err != nil {
		b.closeScans()
		return nil, err
	}
	return &Plan{Root: &guard{in: gather(ops), b: b}, b: b}, nil
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

// gather makes one stream.
func gather(ops []exec.Operator) exec.Operator {
	if len(ops) == 1 {
		return ops[0]
	}
	return exec.NewGather(ops)
}

// build is the node's streams, one a worker.
func (b *builder) build(n logical.Node) ([]exec.Operator, error) {
	ops, err := b.untraced(n)
	if err != nil || b.options.Trace == nil {
		return ops, err
	}
	return b.options.Trace.watch(n, ops), nil
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
		return []exec.Operator{exec.NewValues(n.Output, n.Batches)}, nil
	case logical.OneRow:
		return []exec.Operator{exec.OneRow()}, nil
	}
	inputs := n.Inputs()
	if len(inputs) != 1 {
		return nil, errs.Unsupported("running %T", n)
	}
	in, err := b.build(inputs[0])
	if err != nil {
		return nil, err
	}
	if one := b.join(n, in); one != nil {
		return []exec.Operator{one}, nil
	}
	for i := range in {
		if in[i] = each(n, in[i]); in[i] == nil {
			return nil, errs.Unsupported("running %T", n)
		}
	}
	return in, nil
}

// each is the operator of a node that every worker does for its own rows.
func each(n logical.Node, in exec.Operator) exec.Operator {
	switch n := n.(type) {
	case *logical.Filter:
		return exec.NewFilter(in, conjunction(n.Conjuncts))
	case *logical.Project:
		return exec.NewProject(in, n.Exprs, n.Output)
	case *logical.Unnest:
		return exec.NewUnnest(in, exec.Unnest{
			Column: n.Column, Keep: n.Keep, Fields: n.Fields, Pos: n.Pos, Outer: n.Outer, On: n.On,
		})
	}
	return nil
}

// join is the operator of a node that needs the rows of all workers; nil for
// the others.
func (b *builder) join(n logical.Node, in []exec.Operator) exec.Operator {
	switch n := n.(type) {
	case *logical.Aggregate:
		return group.New(b.options.Env, in, n.GroupBy, n.Aggs, n.Output)
	case *logical.Sort:
		return order.NewSort(b.options.Env, in, n.Keys)
	case *logical.Limit:
		return exec.NewLimit(gather(in), n.Offset, n.Limit)
	}
	return nil
}

// conjunction is the AND of conditions that were one before.
func conjunction(conjuncts []expr.Expr) expr.Expr {
	if len(conjuncts) == 1 {
		return conjuncts[0]
	}
	if e, err := expr.NewAnd(conjuncts...); err == nil {
		return e
	}
	return &expr.Logic{Args: conjuncts}
}
