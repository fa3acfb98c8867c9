package group

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Beside is rows with the aggregates of their groups beside them: aggregates over whole partitions of
// a window.
type Beside struct {
	Keys   []expr.Expr // at least one
	Aggs   []*aggregate.Call
	Schema vector.Schema // the columns of the rows, then the aggregates
	// Unread says by column of Schema which ones nobody reads: they are NULL. nil: none.
	Unread []bool
	// Otherwise makes the same where there is not enough memory, in at most as many streams as there are inputs. in
	// is the rows; nil if some columns are not read, and so not kept.
	Otherwise func(in []exec.Operator) ([]exec.Operator, error)
}

// beside reads all rows once. Each worker keeps its rows, and with each the number of its group in the
// worker's own table. In the end the groups of all workers are brought together, so that
// the result of a row is found by number: no key is looked up twice. Nothing is written to disk: when the
// memory limit is reached the groups are given up, and Otherwise gets the rows.
type beside struct {
	with    Beside
	in      []exec.Operator
	plan    groupPlan
	kept    []int         // the columns that are kept
	types   []vector.Type // theirs
	budget  *quota.Budget
	workers []*keeper
	refused atomic.Bool

	once    sync.Once
	err     error
	results []*vector.Vector // by aggregate, by group
	instead []exec.Operator

	mu   sync.Mutex // of what follows
	held int64      // reserved for results
	open int        // streams that are not closed
}

// NewBeside returns one stream for each input.
func NewBeside(env exec.Env, in []exec.Operator, b Beside) []exec.Operator {
	s := &beside{with: b, in: in, plan: newPlan(env, b.Keys, b.Aggs), budget: env.Budget, open: len(in)}
	for i, c := range in[0].Schema() {
		if b.Unread == nil || !b.Unread[i] {
			s.kept, s.types = append(s.kept, i), append(s.types, c.Type)
		}
	}
	out := make([]exec.Operator, len(in))
	for i := range in {
		k := &keeper{
			beside: s, in: in[i], eval: s.plan.newEval(), add: s.plan.newGrouper(), groups: s.plan.newGroups(), rows: rowstore.New(s.types),
		}
		s.workers = append(s.workers, k)
		out[i] = &besideStream{beside: s, rows: k, number: i}
	}
	return out
}

// keeper is a worker, with the rows of one input.
type keeper struct {
	*beside
	in     exec.Operator
	eval   *groupEval
	parts  expr.Parts
	texts  vector.Longest
	add    *grouper
	groups *groups // nil when given up
	rows   *rowstore.Rows
	n      int              // how many
	cols   []*vector.Vector // of a batch: those that are kept
	ids    [][]uint32       // of the groups of the rows, idBlock in each but the last
	held   int64            // reserved; twice as much until all rows are there
	to     []uint32         // by id: the number of the group

	settled bool // no longer twice as much as held is reserved
}

// idBlock is how many numbers of groups are in a piece of memory.
const idBlock = 32 * vector.BatchSize

// consume reads all rows of the input, until memory is refused.
func (k *keeper) consume(ctx context.Context) error {
	for !k.refused.Load() {
		b, err := k.in.Next(ctx)
		switch {
		case err != nil:
			return err
		case b == nil:
			k.eval.end()
			return nil
		case b.Rows() == 0:
			continue
		}
		err = k.texts.Cut(b, exec.CutBytes, func(part *vector.Batch, _ int64) error { return k.parts.Each(part, k.take) })
		if err != nil {
			return err
		}
	}
	return nil
}

// take adds rows to their groups and keeps them, or returns quota.ErrBatchTooLong, which changes nothing.
// Rows that come after memory was refused are only kept: they are the rest of a batch.
func (k *keeper) take(b *vector.Batch) error {
	if !k.refused.Load() {
		rows, err := k.eval.eval(b)
		if err != nil {
			return err
		}
		if err := k.add.fits(k.groups, rows); err != nil {
			return err
		}
		if err := k.add.add(k.groups, rows); err != nil {
			return err
		}
		k.keepIDs(k.add.ids)
	}
	k.n += b.Rows()
	if len(k.kept) > 0 {
		k.cols = k.cols[:0]
		for _, c := range k.kept {
			k.cols = append(k.cols, b.Cols[c])
		}
		if err := k.rows.Append(k.cols, b.Sel, b.Len); err != nil {
			return err
		}
	}
	return k.charge()
}

func (k *keeper) keepIDs(ids []uint32) {
	for len(ids) > 0 {
		last := len(k.ids) - 1
		if last < 0 || len(k.ids[last]) == cap(k.ids[last]) {
			k.ids = append(k.ids, make([]uint32, 0, idBlock))
			last++
		}
		n := min(len(ids), cap(k.ids[last])-len(k.ids[last]))
		k.ids[last], ids = append(k.ids[last], ids[:n]...), ids[n:]
	}
}

// charge reserves what the worker holds, and as much again, which is given back when all rows are there: for the
// groups that are brought together, or for those who read the rows instead.
func (k *keeper) charge() error {
	n := k.groups.bytes() + k.rows.Bytes() + int64(len(k.ids))*idBlock*4 - quota.FreeRow*vector.BatchSize - k.held
	if n < quota.GroupChargeStep || k.refused.Load() {
		return nil
	}
	err := k.budget.Reserve(2 * n)
	if errors.Is(err, errs.ErrMemoryLimit) {
		k.refused.Store(true)
		return nil
	}
	if err == nil {
		k.held += n
	}
	return err
}

// run reads all rows and makes the results, or the streams instead.
func (s *beside) run(ctx context.Context) error {
	err := parallel.Each(ctx, len(s.in), func(ctx context.Context, i int) error { return s.workers[i].consume(ctx) })
	if err == nil && !s.refused.Load() {
		err = s.gather(ctx)
		if errors.Is(err, errs.ErrMemoryLimit) {
			s.refused.Store(true)
			err = nil
		}
	}
	for _, k := range s.workers {
		k.settle()
	}
	if err != nil || !s.refused.Load() {
		return err
	}
	s.results = nil
	s.budget.Release(s.held)
	s.held = 0
	var rest []exec.Operator
	for _, k := range s.workers {
		if s.with.Unread != nil {
			k.forget()
			continue
		}
		k.ids, k.to = nil, nil
		rest = append(rest, &besideRest{rows: k})
	}
	s.instead, err = s.with.Otherwise(rest)
	if s.with.Unread != nil { // what they hold is free for the second read
		err = errors.Join(err, exec.CloseAll(s.in))
		s.in = nil
	}
	return err
}

// settle forgets the groups of the worker, and gives back all that is reserved but for the rows and
// what they need.
func (k *keeper) settle() {
	k.groups, k.add, k.eval, k.settled = nil, nil, nil, true
	n := min(k.held, k.rows.Bytes()+int64(len(k.ids))*idBlock*4)
	k.budget.Release(2*k.held - n)
	k.held = n
}

// start reads all rows if no stream has done so.
func (s *beside) start(ctx context.Context) error {
	s.once.Do(func() {
		// Each makes an error of a panic, for all streams.
		s.err = parallel.Each(ctx, 1, func(ctx context.Context, _ int) error { return s.run(ctx) })
	})
	return s.err
}

// end closes the inputs with the last stream.
func (s *beside) end() error {
	s.mu.Lock()
	s.open--
	last := s.open == 0
	s.mu.Unlock()
	if !last {
		return nil
	}
	err := exec.CloseAll(s.instead)
	for _, k := range s.workers {
		k.forget()
	}
	s.budget.Release(s.held)
	s.workers, s.results, s.held = nil, nil, 0
	return errors.Join(err, exec.CloseAll(s.in))
}

// forget frees the rows.
func (k *keeper) forget() {
	k.rows.Clear()
	k.ids, k.to, k.n = nil, nil, 0
	if k.budget.Release(k.held); !k.settled {
		k.budget.Release(k.held)
	}
	k.held = 0
}
