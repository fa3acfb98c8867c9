// Package window computes window functions: f(…) OVER (…).
//
// Rows are divided by the hash of their partition, so that several workers can go on with
// them, and sorted by the keys of PARTITION BY and ORDER BY, in any order of the partitions; exec/spill and exec/order
// do this, within the memory limit. Of the sorted rows sections are made: some thousand rows, but always whole
// partitions. Everything else works on a section: an evaluator per call prepares what
// the frames need (prefix sums, a segment tree, …) for all its rows, whichever
// partitions they belong to, and then makes the results a batch at a time. A partition
// that is too large for the memory limit goes to disk, see long. Most functions have one evaluator
// for both, which sees an area: some rows of a section, or a block of a long partition.
//
// A frame is a range of row numbers, or up to three of them with EXCLUDE; framer
// computes them. How aggregates over frames are computed is described at
// newAggregate. No function takes time that grows with the size of the frames, but for
// those whose results do, and a few that cannot be combined, see recomputed.
//
//	window.go           the operator
//	numbered.go         the operator that only numbers rows as they come
//	source.go           rows, sorted, and divided among workers
//	section.go          some thousand rows, and the columns of a plan
//	section_fill.go     the next section, within the memory limit
//	cut.go, marks.go    where partitions and peers begin
//	place.go, area.go   where a row is; rows whose results are computed at once
//	frame.go            frames
//	long.go             a partition that is on disk (long_frame.go: its frames; loaded.go: the rows of some frames in memory)
//	maker.go            chooses evaluators; aggregate.go those of aggregates:
//	whole.go            aggregates of the partition
//	running.go          of frames that grow
//	sliding.go          MIN and MAX of frames that move
//	tree.go             of any frames, by a segment tree (long_tree.go: on disk)
//	recompute.go        of each frame anew
//	joined.go           texts of consecutive rows as parts of one text
//	counted.go          of the numbers of equal values (tally.go)
//	distinct.go         of distinct values (distinct_exact.go: over several pieces)
//	ranked.go           quantiles and the like, by a wavelet matrix (matrix.go; words.go: sorting)
//	rank.go             ROW_NUMBER, RANK and their kin
//	value.go            LAG, LEAD, FIRST_VALUE and their kin
//	own_order.go        functions of both kinds in an order of their own
//	fill.go             FILL
//
// To add a function, add its kind to expr/window and an evaluator to newEvaluator: one that works
// anywhere if it can. Another one sees its frames in memory also where the partition is not.
package window

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Window is what the operator computes.
type Window struct {
	Partition []expr.Expr
	OrderBy   []expr.SortKey
	Calls     []*window.Call
	// Refuse says, for tests, that there is no memory for a section; nil: the budget decides.
	Refuse func() bool
}

// operator is a Window over sorted rows.
type operator struct {
	parts  expr.Parts
	source rowSource
	in     exec.Operator // sorted rows; nil: the source has the next ones
	plan   *plan
	window []*window.Call
	schema vector.Schema
	budget *quota.Budget
	maker  // of calls
	calls  []evaluator

	section *section // its rows are returned, from row at on
	next    *section // the rows after it, so far
	at      int
	long    *long // its rows are returned instead
	held    int64 // reserved of the budget
	ended   bool  // the input has no more rows
	closed  bool
	err     error
	out     vector.Batch
}

// New adds the results of calls to the rows of all inputs. schema describes the columns
// of the inputs followed by the calls. It returns one stream per worker, or a single
// one where the rows are not divided into partitions.
func New(env exec.Env, in []exec.Operator, w Window, workers int, schema vector.Schema) ([]exec.Operator, error) {
	if numbersAll(w) && w.Refuse == nil {
		return []exec.Operator{newNumbered(env, in, schema)}, nil
	}
	first, err := newOperator(env, in[0].Schema(), w, schema)
	if err != nil {
		return nil, err
	}
	keys := first.plan.sort[:len(first.plan.partition)]
	if len(keys) == 0 || workers == 1 {
		first.source = newSorted(env, in, first.plan.sort, len(keys))
		return []exec.Operator{first}, nil
	}
	var by []expr.Expr
	for _, k := range keys {
		by = append(by, k.Expr)
	}
	shared := newDivided(env, in, by, first.plan.sort, workers, sectionRows)
	first.source = shared
	out := []exec.Operator{first}
	for range workers - 1 {
		o, err := newOperator(env, in[0].Schema(), w, schema)
		if err != nil {
			return nil, err
		}
		o.source = shared
		out = append(out, o)
	}
	return out, nil
}

func newOperator(env exec.Env, input vector.Schema, w Window, schema vector.Schema) (*operator, error) {
	o := &operator{plan: newPlan(env, input, w), window: w.Calls, schema: schema, budget: env.Budget}
	return o, o.begin()
}

// begin makes the evaluators, which have no memory yet.
func (o *operator) begin() error {
	o.maker, o.calls = maker{plan: o.plan}, nil
	for _, c := range o.window {
		e, err := o.newEvaluator(c)
		if err != nil {
			return err
		}
		o.calls = append(o.calls, e)
	}
	return nil
}

// evaluator computes one call.
type evaluator interface {
	// prepare is called once per section.
	prepare(ctx context.Context, s *section) error
	// eval writes the results of n rows, at most vector.BatchSize, from the given one
	// on. It is called for all rows of the section in turn.
	eval(ctx context.Context, s *section, from, n int, out *vector.Vector) error
	// bytes is the memory that prepare has left.
	bytes() int64
}

func (o *operator) Schema() vector.Schema { return o.schema }

func (o *operator) Close() error {
	if o.closed {
		return nil
	}
	o.closed = true
	err := o.endLong()
	o.section, o.next, o.calls, o.framers = nil, nil, nil, nil
	o.budget.Release(o.held)
	o.held = 0
	if o.in != nil {
		err = errors.Join(err, o.in.Close())
	}
	return errors.Join(err, o.source.Close())
}

func (o *operator) Next(ctx context.Context) (*vector.Batch, error) {
	if o.err != nil || o.closed {
		return nil, o.err
	}
	b, err := o.batch(ctx)
	o.err = err
	return b, err
}

func (o *operator) batch(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for o.section == nil || o.long == nil && o.at == o.section.n || o.long != nil && o.long.done() {
		if ok, err := o.fill(ctx); err != nil || !ok {
			return nil, err
		}
	}
	for len(o.out.Cols) < len(o.schema) {
		o.out.Cols = append(o.out.Cols, &vector.Vector{})
	}
	o.out.Sel = nil
	if o.long != nil {
		return &o.out, o.long.batch(ctx, &o.out)
	}
	s, from := o.section, o.at
	n := min(vector.BatchSize, s.n-from)
	o.at += n
	o.out.Len = n
	for c, out := range o.out.Cols[:o.plan.input] {
		out.Slice(s.vec(c), from, n)
	}
	for _, f := range o.framers {
		if err := f.compute(s, from, n); err != nil {
			return nil, err
		}
	}
	for i, c := range o.calls {
		if err := c.eval(ctx, s, from, n, o.out.Cols[o.plan.input+i]); err != nil {
			return nil, o.window[i].Span().Mark(err)
		}
	}
	return &o.out, nil
}

// read is the next sorted rows; nil at the end.
func (o *operator) read(ctx context.Context) (*vector.Batch, error) {
	for !o.ended {
		if o.in == nil {
			var err error
			if o.in, err = o.source.Next(ctx); err != nil {
				return nil, err
			}
			if o.ended = o.in == nil; o.ended {
				break
			}
		}
		b, err := o.in.Next(ctx)
		switch {
		case err != nil:
			return nil, err
		case b == nil:
			err := o.in.Close()
			if o.in = nil; err != nil {
				return nil, err
			}
		case b.Rows() > 0:
			return b, nil
		}
	}
	return nil, nil
}
