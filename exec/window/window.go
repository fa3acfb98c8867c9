// Package window computes window functions: f(…) OVER (…).
//
// Rows are divided by the hash of their partition, so that several workers can go on with
// them, and sorted by the keys of PARTITION BY and ORDER BY; exec/spill and exec/order
// do this, within the memory limit. Of the sorted rows sections are made: some thousand rows, but always whole
// partitions. The columns that no function reads go to disk where a partition is too large
// for the memory limit; what functions read must fit. Everything else works on a section: an evaluator per call prepares what
// the frames need (prefix sums, a segment tree, …) for all its rows, whichever
// partitions they belong to, and then makes the results a batch at a time.
//
// A frame is a range of row numbers, or up to three of them with EXCLUDE; framer
// computes them. How aggregates over frames are computed is described at
// newAggregate. No function takes time that grows with the size of the frames, but for
// those whose results do, and a few that cannot be combined, see recomputed.
//
// To add a function, add its kind to expr/window and an evaluator to newEvaluator.
package window

import (
	"context"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// Window is what the operator computes.
type Window struct {
	Partition []expr.Expr
	OrderBy   []expr.SortKey
	Calls     []*window.Call
}

// operator is a Window over sorted rows.
type operator struct {
	parts   expr.Parts
	source  source
	in      exec.Operator // sorted rows; nil: the source has the next ones
	plan    *plan
	schema  vector.Schema
	budget  *membudget.Budget
	file    *spill.File
	framers []*framer
	calls   []evaluator

	section *section // its rows are returned, from row at on
	next    *section // the rows after it, so far
	at      int
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
	first, err := newOperator(env, in[0].Schema(), w, schema)
	if err != nil {
		return nil, err
	}
	keys := first.plan.sort[:len(first.plan.partition)]
	if len(keys) == 0 || workers == 1 {
		first.source = &sorted{op: sortedRows(env, in, first.plan.sort), inputs: in}
		return []exec.Operator{first}, nil
	}
	var by []expr.Expr
	for _, k := range keys {
		by = append(by, k.Expr)
	}
	shared := newDivided(env, in, by, first.plan.sort, workers)
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

// sortedRows is the rows of all inputs in order.
func sortedRows(env exec.Env, in []exec.Operator, keys []expr.SortKey) exec.Operator {
	if len(keys) == 0 {
		return env.Gather(in)
	}
	env.Budget = env.Budget.Half() // what the sort has in memory must leave room for a section
	return order.NewSort(env, in, keys)
}

func newOperator(env exec.Env, input vector.Schema, w Window, schema vector.Schema) (*operator, error) {
	o := &operator{plan: newPlan(env, input, w), schema: schema, budget: env.Budget, file: spill.New(env.TempDir, env.Encrypt, env.Budget)}
	for _, c := range w.Calls {
		e, err := o.newEvaluator(c)
		if err != nil {
			return nil, err
		}
		o.calls = append(o.calls, e)
	}
	return o, nil
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

func (o *operator) newEvaluator(c *window.Call) (evaluator, error) {
	if c.Ordered() {
		return o.newPlaced(c)
	}
	arg := func(i int) int { return o.plan.column(c.Args()[i]) }
	switch c.Kind() {
	case window.Aggregate:
		return o.newAggregate(c)
	case window.Ntile:
		return &ntile{arg: arg(0)}, nil
	case window.Lag, window.Lead:
		e := &shift{value: newValues(arg(0), c.IgnoreNulls()), distance: -1, other: -1, forward: c.Kind() == window.Lead}
		if len(c.Args()) > 1 {
			e.distance = arg(1)
		}
		if len(c.Args()) > 2 {
			e.other = arg(2)
		}
		return e, nil
	case window.Fill:
		return o.newFill(c)
	case window.FirstValue, window.LastValue:
		return &edge{value: newValues(arg(0), c.IgnoreNulls()), framer: o.framer(c.Frame()), last: c.Kind() == window.LastValue}, nil
	case window.NthValue:
		return &nth{value: newValues(arg(0), c.IgnoreNulls()), framer: o.framer(c.Frame()), number: arg(1)}, nil
	}
	return &rank{kind: c.Kind()}, nil
}

// framer finds or adds the computation of a frame.
func (o *operator) framer(f window.Frame) *framer {
	made := o.plan.newFramer(f)
	for _, old := range o.framers {
		if old.same(made) {
			return old
		}
	}
	o.framers = append(o.framers, made)
	return made
}

func (o *operator) Schema() vector.Schema { return o.schema }

func (o *operator) Close() error {
	if o.closed {
		return nil
	}
	o.closed = true
	o.section, o.next, o.calls, o.framers = nil, nil, nil, nil
	o.budget.Release(o.held)
	o.held = 0
	var err error
	if o.in != nil {
		err = o.in.Close()
	}
	return errors.Join(err, o.source.close(), o.file.Close())
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
	for o.section == nil || o.at == o.section.n {
		if ok, err := o.fill(ctx); err != nil || !ok {
			return nil, err
		}
	}
	s, from := o.section, o.at
	n := min(vector.BatchSize, s.n-from)
	o.at += n
	for len(o.out.Cols) < len(o.schema) {
		o.out.Cols = append(o.out.Cols, &vector.Vector{})
	}
	o.out.Len, o.out.Sel = n, nil
	if err := s.input(from, n, o.out.Cols[:o.plan.input]); err != nil {
		return nil, err
	}
	for _, f := range o.framers {
		if err := f.compute(s, from, n); err != nil {
			return nil, err
		}
	}
	for i, c := range o.calls {
		if err := c.eval(ctx, s, from, n, o.out.Cols[o.plan.input+i]); err != nil {
			return nil, err
		}
	}
	return &o.out, nil
}

// fill makes the next section and prepares the evaluators. ok is false at the end.
func (o *operator) fill(ctx context.Context) (ok bool, err error) {
	if o.section == nil {
		o.section, o.next = o.plan.newSection(o.file), o.plan.newSection(o.file)
	}
	o.section.reset()
	o.section, o.next = o.next, o.section
	o.at = 0
	for {
		if !o.parts.More() {
			b, err := o.read(ctx)
			if err != nil {
				return false, err
			}
			if b == nil {
				break
			}
			o.parts.Start(b)
		}
		cut := false
		err := o.parts.Next(func(part *vector.Batch) (err error) {
			cut, err = o.section.add(part, o.next)
			return err
		})
		if err != nil {
			return false, err
		}
		if err := o.charge(); err != nil {
			return false, err
		}
		if cut {
			break
		}
	}
	s := o.section
	if s.n == 0 {
		return false, nil
	}
	if err := s.finish(); err != nil {
		return false, err
	}
	for _, f := range o.framers {
		if err := f.prepare(s); err != nil {
			return false, err
		}
	}
	for _, c := range o.calls {
		if err := c.prepare(ctx, s); err != nil {
			return false, err
		}
	}
	return true, o.charge()
}

// read is the next sorted rows; nil at the end.
func (o *operator) read(ctx context.Context) (*vector.Batch, error) {
	for !o.ended {
		if o.in == nil {
			var err error
			if o.in, err = o.source.next(ctx); err != nil {
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

// chargeStep is the growth after which the budget is asked again.
const chargeStep = 64 << 10

// charge reserves the memory of the sections and of what was prepared. Some of it is
// free, so that small partitions are always possible. What is not needed in memory goes
// to disk if there is not enough.
func (o *operator) charge() error {
	for {
		err := o.reserve()
		if err == nil {
			return nil
		}
		if moved, failed := o.section.spill(); failed != nil {
			return failed
		} else if !moved {
			return fmt.Errorf("window functions over a long partition: %w", err)
		}
	}
}

func (o *operator) reserve() error {
	bytes := o.section.bytes() + o.next.bytes()
	for _, f := range o.framers {
		bytes += f.bytes()
	}
	for _, c := range o.calls {
		bytes += c.bytes()
	}
	n := max(0, bytes-freeBytes) - o.held
	if n < 0 {
		o.budget.Release(-n)
		o.held += n
		return nil
	}
	if n < chargeStep {
		return nil
	}
	if err := o.budget.Need(n); err != nil {
		return err
	}
	o.held += n
	return nil
}
