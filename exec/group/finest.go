package group

import (
	"context"
	"math"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// finestGroups is grouping sets for which rows are grouped by all keys first: there are
// fewer such groups than rows, and only the groups are repeated for each set. It needs
// states that can be merged into the groups of several sets, see aggregate.Call.Combines.
type finestGroups struct {
	plan    groupPlan // by all keys, without the number of the set
	numbers []int64
}

// finestWorker groups the rows of one worker by all keys. Its groups fit into the cache of
// a core; from time to time they are merged into the worker's groups of all sets.
type finestWorker struct {
	*finestGroups
	to     *groupWorker
	texts  vector.Longest
	eval   *groupEval
	add    *grouper
	repeat repeater
	groups *groups
	rows   int // in groups
	pause  int // rows that are repeated themselves, because grouping them first was not worth it

	keys []*vector.Vector
	from []uint32
	into []uint32
}

// finestBytes is about the largest size of a worker's groups.
const finestBytes = 1024 * vector.BatchSize

func (f *finestGroups) newWorker(to *groupWorker) *finestWorker {
	keys := len(f.plan.keys)
	w := &finestWorker{
		finestGroups: f, to: to, eval: f.plan.newEval(), add: f.plan.newGrouper(), groups: f.plan.newGroups(),
		repeat: newRepeater(f.plan.types[:keys]), keys: make([]*vector.Vector, keys),
	}
	for i := range w.keys {
		w.keys[i] = &vector.Vector{}
	}
	return w
}

// consume reads all rows of an input.
func (w *finestWorker) consume(ctx context.Context, in exec.Operator) error {
	if w.to.budget.Reserve(finestBytes) != nil {
		w.pause = math.MaxInt // there is better use for the memory
	} else {
		defer w.to.budget.Release(finestBytes)
	}
	for {
		b, err := in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if b.Rows() == 0 {
			continue
		}
		err = w.texts.Cut(b, exec.CutBytes, func(part *vector.Batch, _ int64) error { return w.take(ctx, part) })
		if err != nil {
			return err
		}
	}
	if err := w.flush(ctx); err != nil {
		return err
	}
	return w.to.end()
}

func (w *finestWorker) take(ctx context.Context, b *vector.Batch) error {
	if w.pause > 0 || w.to.frozen.Load() {
		w.pause -= b.Rows()
		return w.repeatRows(ctx, b)
	}
	rows, err := w.eval.eval(b)
	if err != nil {
		return err
	}
	if err := w.add.add(w.groups, rows); err != nil {
		return err
	}
	w.rows += b.Rows()
	if w.groups.bytes() < finestBytes {
		return nil
	}
	if w.rows < worthRows*w.groups.len() {
		w.pause = tryAgain
	}
	return w.flush(ctx)
}

// repeatRows adds the rows to the groups of each set. When further rows go to disk,
// states cannot follow them there.
func (w *finestWorker) repeatRows(ctx context.Context, b *vector.Batch) error {
	if err := w.flush(ctx); err != nil {
		return err
	}
	for _, number := range w.numbers {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := w.to.eval.eval(w.repeat.batch(b, b.Sel, number))
		if err != nil {
			return err
		}
		if err := w.to.take(rows); err != nil {
			return err
		}
	}
	return nil
}

// flush merges the groups into those of each set.
func (w *finestWorker) flush(ctx context.Context) error {
	for at := 0; at < w.groups.len(); at += vector.BatchSize {
		n := min(vector.BatchSize, w.groups.len()-at)
		w.from = vector.Resize(w.from, n)
		for i := range w.from {
			w.from[i] = uint32(at + i)
		}
		if err := w.groups.table.Keys(w.from, w.keys); err != nil {
			return err
		}
		for _, number := range w.numbers {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.merge(w.repeat.batch(&vector.Batch{Len: n, Cols: w.keys}, nil, number)); err != nil {
				return err
			}
		}
	}
	if w.rows > 0 {
		w.groups, w.rows = w.plan.newGroups(), 0
	}
	if w.to.frozen.Load() {
		return w.to.split()
	}
	return nil
}

// merge merges the groups in from into the groups with these keys.
func (w *finestWorker) merge(keys *vector.Batch) error {
	if w.to.groups == nil {
		w.to.begin()
	}
	g := w.to.groups
	w.into = vector.Resize(w.into, keys.Len)
	if err := g.table.FindOrInsert(keys.Cols, keys, w.into); err != nil {
		return err
	}
	g.resize()
	for i, s := range g.states {
		if err := s.Merge(w.groups.states[i], w.from, w.into); err != nil {
			return err
		}
	}
	w.to.rows += keys.Len
	return w.to.settle()
}

// repeater makes batches of a grouping set: the first columns are the keys, NULL where
// the set lacks them, and the last one is the number of the set.
type repeater struct {
	nulls []*vector.Vector
	out   vector.Batch
}

func newRepeater(keys []vector.Type) repeater {
	r := repeater{}
	for _, t := range keys {
		r.nulls = append(r.nulls, vector.NewConstant(vector.NullOf(t), 0))
	}
	return r
}

// batch is the rows of b that sel lists, with the keys of a set.
func (r *repeater) batch(b *vector.Batch, sel []int32, number int64) *vector.Batch {
	r.out.Len, r.out.Sel = b.Len, sel
	r.out.Cols = append(r.out.Cols[:0], b.Cols...)
	for i, null := range r.nulls {
		if number>>i&1 != 0 {
			null.Len = b.Len
			r.out.Cols[i] = null
		}
	}
	r.out.Cols = append(r.out.Cols, vector.NewConstant(vector.IntScalar(number), b.Len))
	return &r.out
}

// columns are the first n columns as expressions.
func columns(schema vector.Schema, n int) []expr.Expr {
	out := make([]expr.Expr, n)
	for i, c := range schema[:n] {
		out[i] = expr.NewColumn(i, c.Name, c.Type)
	}
	return out
}
