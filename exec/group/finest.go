package group

import (
	"context"
	"math"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// finestGroups is grouping sets for which rows are grouped by all keys first: there are
// fewer such groups than rows, and only the groups are repeated for each set. Where that is not so,
// rows are grouped by the keys of each set. It needs states that can be merged into the groups of
// several sets, see aggregate.Call.Combines.
type finestGroups struct {
	all  setsPlan   // by all keys, for all sets
	each []setsPlan // by the keys of some sets, for those
}

// setsPlan is how rows are grouped before they are repeated for sets.
type setsPlan struct {
	plan    groupPlan // without the number of the set
	columns []int     // its keys among all keys
	numbers []int64   // of the sets
}

// mostSources is how many tables a worker has at most when it groups by the keys of each set.
const mostSources = 16

func newFinestGroups(env exec.Env, keys []expr.Expr, aggs []*aggregate.Call, numbers []int64) *finestGroups {
	f := &finestGroups{all: newSetsPlan(env, keys, aggs, 0)}
	f.all.numbers = numbers
	places := map[int64]int{} // in each, by the keys
	for _, number := range numbers {
		lacks := number & (1<<len(keys) - 1)
		at, known := places[lacks]
		if !known {
			at = len(f.each)
			places[lacks] = at
			f.each = append(f.each, newSetsPlan(env, keys, aggs, lacks))
		}
		f.each[at].numbers = append(f.each[at].numbers, number)
	}
	if len(f.each) > mostSources {
		f.each = nil
	}
	return f
}

// newSetsPlan groups by those keys whose bit in lacks is not set.
func newSetsPlan(env exec.Env, keys []expr.Expr, aggs []*aggregate.Call, lacks int64) setsPlan {
	var s setsPlan
	var by []expr.Expr
	for i, k := range keys {
		if lacks>>i&1 == 0 {
			s.columns, by = append(s.columns, i), append(by, k)
		}
	}
	s.plan = newPlan(env, by, aggs)
	return s
}

// finestWorker groups the rows of one worker before they are repeated.
type finestWorker struct {
	to      *groupWorker
	keys    int // how many there are
	texts   vector.Longest
	sources []*setsSource // each row goes to all of them
	others  []setsPlan    // take the place of the source if that is not worth it
}

// setsSource is the groups of one worker for some sets. They fit into the cache of
// a core; from time to time they are merged into the worker's groups of all sets.
type setsSource struct {
	*setsPlan
	to     *groupWorker
	eval   *groupEval
	add    *grouper
	repeat repeater
	groups *groups
	rows   int // in groups
	pause  int // rows that are repeated themselves, because grouping them first was not worth it
	held   int64

	keys []*vector.Vector // of plan
	cols []*vector.Vector // all keys
	from []uint32
	into []uint32
}

// finestBytes is about the largest size of the groups of a source.
const finestBytes = 1024 * vector.BatchSize

func (f *finestGroups) newWorker(to *groupWorker) *finestWorker {
	types := f.all.plan.types[:len(f.all.plan.keys)]
	w := &finestWorker{to: to, keys: len(types), others: f.each}
	w.sources = []*setsSource{newSetsSource(&f.all, to, types)}
	return w
}

func newSetsSource(p *setsPlan, to *groupWorker, types []vector.Type) *setsSource {
	s := &setsSource{setsPlan: p, to: to, eval: p.plan.newEval(), add: p.plan.newGrouper(), groups: p.plan.newGroups(), repeat: newRepeater(types),
		cols: make([]*vector.Vector, len(types))}
	for _, c := range p.columns {
		v := &vector.Vector{}
		s.keys, s.cols[c] = append(s.keys, v), v
	}
	if to.budget.Reserve(finestBytes) != nil {
		s.pause = math.MaxInt // there is better use for the memory
	} else {
		s.held = finestBytes
	}
	return s
}

// release ends a source without groups.
func (s *setsSource) release() { s.to.budget.Release(s.held) }

// consume reads all rows of an input.
func (w *finestWorker) consume(ctx context.Context, in exec.Operator) error {
	defer func() {
		for _, s := range w.sources {
			s.release()
		}
	}()
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
	for _, s := range w.sources {
		if err := s.flush(ctx); err != nil {
			return err
		}
	}
	return w.to.end()
}

func (w *finestWorker) take(ctx context.Context, b *vector.Batch) error {
	for _, s := range w.sources {
		if err := s.take(ctx, b); err != nil {
			return err
		}
	}
	first := w.sources[0]
	if len(w.sources) > 1 || first.pause <= 0 || first.held == 0 || len(w.others) < 2 || w.to.frozen.Load() {
		return nil
	}
	first.release()
	types := first.plan.types[:w.keys]
	w.sources = w.sources[:0]
	for i := range w.others {
		w.sources = append(w.sources, newSetsSource(&w.others[i], w.to, types))
	}
	return nil
}

func (s *setsSource) take(ctx context.Context, b *vector.Batch) error {
	if s.pause > 0 || s.to.frozen.Load() {
		s.pause -= b.Rows()
		return s.repeatRows(ctx, b)
	}
	rows, err := s.eval.eval(b)
	if err != nil {
		return err
	}
	if err := s.add.add(s.groups, rows); err != nil {
		return err
	}
	s.rows += b.Rows()
	if s.groups.bytes() < finestBytes {
		return nil
	}
	if s.rows < worthRows*s.groups.len() {
		s.pause = tryAgain
	}
	return s.flush(ctx)
}

// repeatRows adds the rows to the groups of each set. When further rows go to disk,
// states cannot follow them there.
func (s *setsSource) repeatRows(ctx context.Context, b *vector.Batch) error {
	if err := s.flush(ctx); err != nil {
		return err
	}
	for _, number := range s.numbers {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := s.to.eval.eval(s.repeat.batch(b, b.Sel, number))
		if err != nil {
			return err
		}
		if err := s.to.take(rows); err != nil {
			return err
		}
	}
	return nil
}

// flush merges the groups into those of each set.
func (s *setsSource) flush(ctx context.Context) error {
	if s.rows == 0 {
		return nil
	}
	for at := 0; at < s.groups.len(); at += vector.BatchSize {
		n := min(vector.BatchSize, s.groups.len()-at)
		s.from = vector.Resize(s.from, n)
		for i := range s.from {
			s.from[i] = uint32(at + i)
		}
		if s.groups.table != nil {
			if err := s.groups.table.Keys(s.from, s.keys); err != nil {
				return err
			}
		}
		for _, number := range s.numbers {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.merge(s.repeat.batch(&vector.Batch{Len: n, Cols: s.cols}, nil, number)); err != nil {
				return err
			}
		}
	}
	s.groups, s.rows = s.plan.newGroups(), 0
	if s.to.frozen.Load() {
		return s.to.split()
	}
	return nil
}

// merge merges the groups in from into the groups with these keys.
func (s *setsSource) merge(keys *vector.Batch) error {
	if s.to.groups == nil {
		s.to.begin()
	}
	g := s.to.groups
	s.into = vector.Resize(s.into, keys.Len)
	if err := g.table.FindOrInsert(keys.Cols, keys, s.into); err != nil {
		return err
	}
	g.resize()
	for i, state := range g.states {
		if err := state.Merge(s.groups.states[i], s.from, s.into); err != nil {
			return err
		}
	}
	s.to.rows += keys.Len
	return s.to.settle()
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
