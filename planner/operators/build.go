// Package operators makes operators of a physical plan, each as the plan says: it decides
// nothing. A scan becomes one reader per stream, and filters, projections and unnesting run in
// the worker that read the rows:
//
//	reader 1 → filter → project ┐
//	                            ├ Sort, TopN or Gather → one stream
//	reader 2 → filter → project ┘
//
// An operator that needs the rows of all workers takes their streams as its inputs.
//
// Shared rows are computed once, by whom reads them first (see shared.go); the step of a
// recursion becomes operators anew in each round.
//
// To add a node, add it to builder.untraced. Expressions of plans find columns by
// identity, operators find them by position: positionsOf(input.Columns()) translates.
package operators

import (
	"context"
	"fmt"
	"sync"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/common"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/scan"
)

// Running is a scan and its node.
type Running struct {
	Node *physical.Scan
	Scan scan.Scan

	before  scan.Scan // of the same rows, which were not kept as there was no memory; nil: none
	readers []exec.Placed
}

// Counters are those of the scan, with what was read before.
func (r Running) Counters() scan.Counters {
	c := r.Scan.Counters()
	if r.before != nil {
		c = r.before.Counters().Repeated(c)
	}
	return c
}

// Progress is how far the scan is. Where it reads rows a second time, that is a part of what the first time has left.
func (r Running) Progress() scan.Progress {
	p := r.Scan.Progress()
	if r.before != nil {
		p = r.before.Progress().Repeated(p)
	}
	return p
}

// builder is the state of one Build.
type builder struct {
	ctx   context.Context
	env   exec.Env
	trace *Trace
	scans []Running

	last map[*physical.Scan]Running        // the scan of a node that was made last
	rows map[*physical.Shared]*common.Rows // the rows that can be read now

	queues map[*physical.Shared]*common.Queue // instead, those of rounds whose operators are made once

	mu      sync.Mutex // for builds while the query runs: recursive, grouped
	repeats bool       // scans read once more what the last scan of their node has read
}

// Build makes the operators of a plan. It opens files to plan the scans, but reads
// no rows. trace is nil if the operators are not measured.
func Build(ctx context.Context, p *physical.Plan, l Limits, trace *Trace) (*Plan, error) {
	env, err := l.env(ctx)
	if err != nil {
		return nil, err
	}
	b := &builder{ctx: ctx, env: env, trace: trace, last: map[*physical.Scan]Running{}, rows: map[*physical.Shared]*common.Rows{}, queues: map[*physical.Shared]*common.Queue{}}
	b.env.Encrypt = p.Encrypted
	if p.Keeps {
		b.env.Budget.Keeps()
	}
	in, err := b.build(p.Root)
	if err != nil {
		b.closeScans()
		return nil, err
	}
	return &Plan{in: in[0], schema: p.Root.Columns().Schema(), b: b}, nil
}

func (b *builder) closeScans() error {
	var first error
	for _, r := range b.scans {
		for _, s := range []scan.Scan{r.before, r.Scan} {
			if s == nil {
				continue
			}
			if err := s.Close(); err != nil && first == nil {
				first = err
			}
		}
	}
	return first
}

// build makes the streams of a node, one per worker. Few rows that are there already come in
// fewer streams than the plan has.
func (b *builder) build(n physical.Node) ([]exec.Operator, error) {
	if err := b.ctx.Err(); err != nil { // plans may have thousands of nodes
		return nil, err
	}
	ops, err := b.untraced(n)
	if err == nil && (len(ops) == 0 || len(ops) > n.Streams()) {
		err = fmt.Errorf("internal error: %d streams of a %T, the plan says %d", len(ops), n, n.Streams())
	}
	if err != nil || b.trace == nil {
		return ops, err
	}
	return b.trace.watch(n, ops), nil
}

func (b *builder) untraced(n physical.Node) ([]exec.Operator, error) {
	switch n := n.(type) {
	case *physical.Scan:
		return b.scan(n)
	case *physical.MetaAggregate:
		return b.metaAggregate(n)
	case *physical.TopN:
		return b.topN(n)
	case *physical.Values:
		return one(exec.NewValues(n.Of.Output.Schema(), n.Of.Batches))
	case *physical.OneRow:
		return one(exec.OneRow())
	case *physical.Filter:
		return b.filter(n)
	case *physical.Project:
		return b.project(n)
	case *physical.Pick:
		return b.pick(n)
	case *physical.Unnest:
		return b.unnest(n)
	case *physical.Aggregate:
		return b.aggregate(n)
	case *physical.Window:
		return b.window(n)
	case *physical.GroupingSets:
		return b.groupingSets(n)
	case *physical.Sort:
		return b.sort(n)
	case *physical.Join:
		return b.join(n)
	case *physical.With:
		return b.with(n)
	case *physical.Reuse:
		return b.read(n.Rows, n.Of.From, n.Of.Output, n.Readers)
	case *physical.Once:
		return b.read(n.Rows, n.Rows.Has.List(), n.Rows.Has, n.Readers)
	case *physical.Recursive:
		return b.recursive(n)
	case *physical.Union:
		return b.union(n)
	case *physical.Gather:
		return b.gather(n)
	case *physical.Concat:
		parts, err := b.streams(n.In)
		if err != nil {
			return nil, err
		}
		return one(exec.NewConcat(parts))
	case *physical.Positional:
		sides, err := b.streams(n.Inputs())
		if err != nil {
			return nil, err
		}
		return one(join.NewPositional(sides[0], sides[1], n.Columns().Schema()))
	case *physical.Limit:
		in, err := b.build(n.In)
		if err != nil {
			return nil, err
		}
		return one(exec.NewLimit(in[0], offsetOf(in[0], n.Of.Offset), n.Of.Limit))
	case *physical.Portion:
		return b.portion(n)
	case *physical.Sample:
		return b.sample(n)
	}
	return nil, fmt.Errorf("internal error: planner/operators has no operator for a %T; builder.untraced needs a case", n)
}

func one(op exec.Operator) ([]exec.Operator, error) { return []exec.Operator{op}, nil }

// streams is the only stream of each of some nodes.
func (b *builder) streams(in []physical.Node) ([]exec.Operator, error) {
	out := make([]exec.Operator, len(in))
	for i, n := range in {
		ops, err := b.build(n)
		if err != nil {
			return nil, err
		}
		out[i] = ops[0]
	}
	return out, nil
}

// gather makes one stream.
func (b *builder) gather(n *physical.Gather) ([]exec.Operator, error) {
	in, err := b.build(n.In)
	if err != nil {
		return nil, err
	}
	if n.Order == nil {
		return one(b.env.Gather(in))
	}
	s := b.last[n.Order]
	if len(s.readers) != len(in) {
		return nil, fmt.Errorf("internal error: %d streams of %d readers are to be gathered in order", len(in), len(s.readers))
	}
	return one(exec.Ordered{Env: b.env, Order: s.Scan, Wide: n.Wide}.Gather(in, s.readers))
}

// union divides the streams of all inputs among workers.
func (b *builder) union(n *physical.Union) ([]exec.Operator, error) {
	inputs := make([][]exec.Operator, len(n.In))
	for i, in := range n.In {
		var err error
		if inputs[i], err = b.build(in); err != nil {
			return nil, err
		}
	}
	return exec.NewUnion(inputs, n.Workers, n.Of.Output.Schema()), nil
}
