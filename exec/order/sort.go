// Package order sorts rows: ORDER BY, and ORDER BY with LIMIT, which needs to keep
// only few rows.
package order

import (
	"context"
	"errors"
	"sync"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// sorter makes sorted runs and then merges them. The workers make runs in parallel,
// small enough that sorting them stays in the cache. When the memory limit is reached,
// runs move to disk, the largest first. The worker that meets the limit moves them
// while the others continue.
type sorter struct {
	in     []exec.Operator
	keys   []expr.SortKey
	env    exec.Env
	budget *membudget.Budget
	file   *spill.File

	mu   sync.Mutex
	runs []*run
	held int64

	ran   bool
	err   error
	merge *merger
	out   vector.Batch
}

const (
	runBytes = 32 << 20
	// minRunBytes of each worker are not charged: even without memory runs should not be
	// tiny.
	minRunBytes = 128 * vector.BatchSize
	// runRows is large enough that few runs are to be merged, and small enough that their
	// references, 24 bytes each, fit a cache.
	runRows = 64 * vector.BatchSize
	// fanIn is the number of runs on disk that are merged at once: each needs one block in
	// memory.
	fanIn = 64
)

// NewSort sorts all rows of its inputs. The order of rows with equal keys is
// undefined. When the budget of env is used up, rows are spilled to disk.
func NewSort(env exec.Env, in []exec.Operator, keys []expr.SortKey) exec.Operator {
	return &sorter{env: env, in: in, keys: keys, budget: env.Budget, file: spill.New(env.TempDir, env.Encrypt, env.Budget)}
}

func (s *sorter) Schema() vector.Schema { return s.in[0].Schema() }

func (s *sorter) Close() error {
	s.runs, s.merge = nil, nil
	s.budget.Release(s.held)
	s.held = 0
	s.ran = true
	return errors.Join(s.file.Close(), exec.CloseAll(s.in))
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
	picks, err := s.merge.next(vector.BatchSize)
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

func (s *sorter) run(ctx context.Context) error {
	err := exec.Parallel(ctx, len(s.in), func(ctx context.Context, i int) error {
		enc, err := newKeyEncoder(s.env, s.keys)
		if err != nil {
			return err
		}
		w := &sortWorker{sorter: s, rows: newSortRows(s.Schema(), enc)}
		defer w.release()
		return w.consume(ctx, s.in[i])
	})
	if err != nil {
		return err
	}
	var types []vector.Type
	for _, c := range s.Schema() {
		types = append(types, c.Type)
	}
	if err := s.reduce(ctx, types); err != nil {
		return err
	}
	s.merge = newMerger(types, s.runs, s.file)
	return nil
}

// reduce merges runs on disk until at most fanIn are left.
func (s *sorter) reduce(ctx context.Context, types []vector.Type) error {
	for {
		var disk, rest []*run
		for _, r := range s.runs {
			if r.blocks != nil {
				disk = append(disk, r)
			} else {
				rest = append(rest, r)
			}
		}
		if len(disk) <= fanIn {
			return nil
		}
		rows, bytes := 0, int64(0)
		for _, r := range disk[:fanIn] {
			rows += r.n
			for _, b := range r.blocks {
				bytes += int64(b.Len())
			}
		}
		merged, err := newMerger(types, disk[:fanIn], s.file).toDisk(ctx, blockRows(bytes, rows))
		if err != nil {
			return err
		}
		s.runs = append(append(rest, disk[fanIn:]...), merged)
	}
}

// spillLargest moves the largest run in memory to disk. It returns false if there is
// none.
func (s *sorter) spillLargest(ctx context.Context, types []vector.Type) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var largest *run
	for _, r := range s.runs {
		if r.blocks == nil && (largest == nil || r.bytes > largest.bytes) {
			largest = r
		}
	}
	if largest == nil {
		return false, nil
	}
	m := newMerger(types, []*run{largest}, s.file)
	moved, err := m.toDisk(ctx, blockRows(largest.bytes, largest.n))
	if err != nil {
		return false, err
	}
	s.budget.Release(largest.bytes)
	s.held -= largest.bytes
	*largest = *moved
	return true, nil
}

// sortWorker makes runs of one input.
type sortWorker struct {
	*sorter
	rows *sortRows
	own  int64 // reserved for rows
}

func (w *sortWorker) consume(ctx context.Context, in exec.Operator) error {
	for {
		b, err := in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			return w.finish()
		}
		if b.Rows() == 0 {
			continue
		}
		if err := w.rows.add(b); err != nil {
			return err
		}
		full, err := w.charge(ctx)
		if err != nil {
			return err
		}
		if full || w.rows.n >= runRows || w.rows.bytes() >= runBytes {
			if err := w.finish(); err != nil {
				return err
			}
		}
	}
}

// charge reserves memory for the growth of rows. If moving runs to disk does not free
// enough, full is true: the rows themselves must become a run.
func (w *sortWorker) charge(ctx context.Context) (full bool, err error) {
	n := w.rows.bytes() - minRunBytes - w.own
	if n <= 0 {
		return false, nil
	}
	for w.budget.Reserve(n) != nil {
		moved, err := w.spillLargest(ctx, w.rows.types)
		if err != nil || !moved {
			return true, err
		}
	}
	w.own += n
	return false, nil
}

// finish makes the rows so far a run.
func (w *sortWorker) finish() error {
	if w.rows.n == 0 {
		return nil
	}
	sorted := w.rows.sort()
	// The run will need about as much memory as the rows.
	bytes := w.rows.bytes()
	err := w.budget.Reserve(bytes)
	if err != nil {
		r, err := w.rows.toDisk(sorted, w.file)
		if err != nil {
			return err
		}
		w.rows.clear()
		w.release()
		w.keep(r)
		return nil
	}
	r, err := w.rows.toMemory(sorted)
	if err != nil {
		w.budget.Release(bytes)
		return err
	}
	r.bytes = bytes
	w.rows.reset()
	w.keep(r)
	return nil
}

func (w *sortWorker) keep(r *run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs = append(w.runs, r)
	w.held += r.bytes
}

func (w *sortWorker) release() {
	w.budget.Release(w.own)
	w.own = 0
}
