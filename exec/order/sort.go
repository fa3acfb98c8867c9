// Package order sorts rows: ORDER BY, and ORDER BY with LIMIT, which needs to keep
// only few rows.
package order

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// sorter makes sorted runs and then merges them. The workers make runs in parallel,
// small enough that sorting them stays in the cache. When the memory limit is reached,
// runs move to disk, the largest first. The worker that meets the limit moves them
// while the others continue.
type sorter struct {
	*runs
	in   []exec.Operator
	keys []expr.SortKey
	env  exec.Env

	partition int // how many keys are those of partitions, which may be in any order; 0: none

	ran   bool
	err   error
	total atomic.Int64 // rows of finished runs
	merge *merger
	most  int   // rows of a batch
	skip  int64 // rows that are left out first
	out   vector.Batch
}

const (
	// minRunBytes of each worker are not charged: even without memory runs should not be
	// tiny.
	minRunBytes = 128 * vector.BatchSize
	// runRows is large enough that few runs are to be merged, and small enough that their
	// references, 24 bytes each, fit a cache.
	runRows = 64 * vector.BatchSize
)

// NewSort sorts all rows of its inputs. Rows with equal keys stay in the order of their
// input, and those of an input before those of the next one, as far as runs on disk
// have not been merged. When the budget of env is used up, rows are spilled to disk. Of texts it keeps
// copies alone.
func NewSort(env exec.Env, in []exec.Operator, keys []expr.SortKey) exec.Operator {
	return newSort(env, in, keys)
}

func newSort(env exec.Env, in []exec.Operator, keys []expr.SortKey) *sorter {
	return &sorter{runs: newRuns(env, in[0].Schema()), env: env, in: in, keys: keys, most: expr.BatchRows(env.Budget, len(in[0].Schema()))}
}

func (s *sorter) Schema() vector.Schema { return s.in[0].Schema() }

func (s *sorter) Close() error {
	s.merge, s.ran = nil, true
	exec.ForgetRows(&s.out)
	return errors.Join(s.runs.close(), exec.CloseAll(s.in))
}

func (s *sorter) Next(ctx context.Context) (*vector.Batch, error) {
	if !s.ran {
		s.ran = true
		s.err = s.run(ctx)
	}
	if s.err != nil || s.merge == nil {
		return nil, s.err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.err = s.pass(ctx); s.err != nil {
		return nil, s.err
	}
	picks, err := s.merge.next(s.most)
	if err != nil || len(picks) == 0 {
		s.err = err
		return nil, err
	}
	for len(s.out.Cols) < len(s.merge.types) {
		s.out.Cols = append(s.out.Cols, &vector.Vector{})
	}
	s.out.Len, s.out.Sel = len(picks), nil
	for c, v := range s.out.Cols {
		if s.err = s.merge.column(v, c, picks); s.err != nil {
			return nil, s.err
		}
	}
	return &s.out, nil
}

// Rows is how many rows an operator of NewSort has in all; 0 before its first Next, of other operators, and where it
// has written rows to disk.
func Rows(op exec.Operator) (n int) {
	s, ok := op.(*sorter)
	if !ok || s.merge == nil {
		return 0
	}
	for _, c := range s.merge.cursors {
		if c.run.blocks != nil {
			return 0
		}
		n += c.run.n
	}
	return n
}

// Total is a function that says how many rows an operator of NewSort has in all, from its first Next on; nil: it is another operator.
func Total(op exec.Operator) func() int64 {
	s, ok := op.(*sorter)
	if !ok {
		return nil
	}
	return s.total.Load
}

func (s *sorter) run(ctx context.Context) error {
	err := parallel.Each(ctx, len(s.in), func(ctx context.Context, i int) error {
		enc, err := s.encoder()
		if err != nil {
			return err
		}
		if enc.partition != nil {
			defer enc.partition.end()
		}
		w := newSortWorker(s, enc, i)
		defer w.release()
		return w.consume(ctx, s.in[i])
	})
	if err == nil {
		s.merge, err = s.merger(ctx)
	}
	return err
}

func (s *sorter) encoder() (*keyEncoder, error) {
	if s.partition > 0 {
		return newPartitionEncoder(s.env, s.keys, s.partition)
	}
	return newKeyEncoder(s.env, s.keys)
}

// sortWorker makes runs of one input.
type sortWorker struct {
	*sorter
	rows *sortRows
	run  int64 // the size of a run
	reservation
}

func newSortWorker(s *sorter, enc *keyEncoder, input int) *sortWorker {
	w := &sortWorker{sorter: s, rows: newSortRows(s.Schema(), enc), run: quota.RunBytes, reservation: reservation{runs: s.runs, input: input}}
	if limit := s.budget.Limit(); limit > 0 {
		w.run = min(quota.RunBytes, max(limit/quota.RunShare, minRunBytes))
	}
	return w
}

func (w *sortWorker) consume(ctx context.Context, in exec.Operator) error {
	if err := each(ctx, in, w.take); err != nil {
		return err
	}
	return w.finish()
}

// take adds rows with texts of so many bytes, and makes a run of the rows so far where
// that is due.
func (w *sortWorker) take(ctx context.Context, b *vector.Batch, texts int64) error {
	if texts > minRunBytes {
		// One long row: there must be room for it before it is copied, also into its key.
		ok, err := w.charge(ctx, 2*texts)
		if err == nil && !ok {
			if err = w.finish(); err == nil {
				ok, err = w.charge(ctx, 2*texts)
			}
		}
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("sorting a row of %d bytes: %w", texts, w.budget.Refused(2*texts))
		}
	}
	if err := w.rows.add(b); err != nil {
		return err
	}
	ok, err := w.charge(ctx, 0)
	if err != nil {
		return err
	}
	if !ok || w.rows.n >= runRows || w.rows.bytes() >= w.run {
		return w.finish()
	}
	return nil
}

// charge reserves memory for the growth of rows, and for more that will be added. It
// returns false if moving runs to disk does not free enough: the rows themselves must
// become a run.
func (w *sortWorker) charge(ctx context.Context, more int64) (bool, error) {
	return w.grow(ctx, w.rows.bytes()+more)
}

// finish makes the rows so far a run, in memory if there is room for it.
func (w *sortWorker) finish() error {
	if w.rows.n == 0 {
		return nil
	}
	w.total.Add(int64(w.rows.n))
	sorted := w.rows.sort()
	if err := w.add(w.input, w.rows, sorted, w.rows.bytes()); err != nil {
		return err
	}
	if w.rows.reset(); w.rows.bytes() > w.run {
		w.rows.clear()
	}
	w.shrink(w.rows.bytes())
	return nil
}
