package order

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// topN is ORDER BY with LIMIT: each worker keeps the n best rows of its input, and the
// workers' rows are merged.
//
// Soon nearly all rows are worse than the n-th best row so far. They are discarded
// early: by the first key, and by the second one where many rows have the same first
// key, before keys are normalised; then by the whole key, before any other column is read. The best of the workers' n-th rows is a bound for
// all workers. Bound passes it on to the scan, which can skip rows that are worse.
//
// Where the budget is used up a worker makes a run of its rows, which may go to disk,
// and begins again. The bound that there was remains.
type topN struct {
	*runs
	in     []exec.Operator
	keys   []expr.SortKey
	n      int // rows to keep: offset+limit
	offset int
	env    exec.Env
	bound  func(vector.Scalar)

	change sync.Mutex // of best
	best   atomic.Pointer[topBound]
	ran    bool
	err    error
	merge  *merger
	passed int // rows of the merge so far
	out    vector.Batch
}

// topBound is the n-th best row that any worker has seen.
type topBound struct {
	key     []byte
	leading []vector.Scalar // its first keys
}

// leadingKeys is how many keys rows are compared by before keys are normalised.
const leadingKeys = 2

// TopN describes ORDER BY with LIMIT.
type TopN struct {
	Keys          []expr.SortKey
	Offset, Limit int64
	// Bound, unless nil, is called with the first key of the current n-th row, n
	// being Offset+Limit, each time it improves; never by several goroutines at the
	// same time. Rows whose first key sorts strictly after it are not needed; if it
	// is NULL and NULLs are first, rows with a value are not needed. The input may
	// still deliver such rows.
	Bound func(vector.Scalar)
}

// NewTopN returns the rows Offset to Offset+Limit-1 of the sorted rows of all
// inputs. When the budget of env is used up, rows are spilled to disk. Of texts it keeps
// copies alone.
func NewTopN(env exec.Env, in []exec.Operator, top TopN) exec.Operator {
	offset, limit := max(top.Offset, 0), max(top.Limit, 0)
	n := offset + limit
	if n < 0 || n > math.MaxInt32 {
		n = math.MaxInt32
	}
	return &topN{runs: newRuns(env, in[0].Schema()), env: env, in: in, keys: top.Keys, n: int(n), offset: int(min(offset, n)), bound: top.Bound}
}

func (t *topN) Schema() vector.Schema { return t.in[0].Schema() }

func (t *topN) Close() error {
	t.merge, t.ran = nil, true
	return errors.Join(t.runs.close(), exec.CloseAll(t.in))
}

func (t *topN) Next(ctx context.Context) (*vector.Batch, error) {
	if !t.ran {
		t.ran = true
		if t.n > t.offset {
			t.err = t.run(ctx)
		}
	}
	if t.err != nil || t.merge == nil {
		return nil, t.err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for t.passed < t.n {
		picks, err := t.merge.next(min(vector.BatchSize, t.n-t.passed))
		if err != nil || len(picks) == 0 {
			return nil, err
		}
		skip := min(max(t.offset-t.passed, 0), len(picks))
		t.passed += len(picks)
		if picks = picks[skip:]; len(picks) == 0 {
			continue
		}
		for len(t.out.Cols) < len(t.merge.types) {
			t.out.Cols = append(t.out.Cols, &vector.Vector{})
		}
		t.out.Len, t.out.Sel = len(picks), nil
		for c, v := range t.out.Cols {
			if t.err = t.merge.column(v, c, picks); t.err != nil {
				return nil, t.err
			}
		}
		return &t.out, nil
	}
	return nil, nil
}

func (t *topN) run(ctx context.Context) error {
	err := parallel.Each(ctx, len(t.in), func(ctx context.Context, i int) error {
		enc, err := newKeyEncoder(t.env, t.keys)
		if err != nil {
			return err
		}
		w := &topWorker{topN: t, rows: newSortRows(t.Schema(), enc), leading: t.newLeading(), reservation: reservation{runs: t.runs, input: i}}
		defer w.release()
		return w.consume(ctx, t.in[i])
	})
	if err == nil {
		t.merge, err = t.merger(ctx)
	}
	return err
}

// newLeading is columns for the leading keys.
func (t *topN) newLeading() (columns []*rowstore.Column) {
	for _, k := range t.keys[:min(len(t.keys), leadingKeys)] {
		columns = append(columns, rowstore.NewColumn(k.Expr.Type()))
	}
	return columns
}

// offer makes b the bound if it is better than the present one.
func (t *topN) offer(b *topBound) {
	t.change.Lock()
	defer t.change.Unlock()
	if old := t.best.Load(); old != nil && bytes.Compare(old.key, b.key) <= 0 {
		return
	}
	t.best.Store(b)
	if t.bound != nil {
		t.bound(b.leading[0])
	}
}

// heapRows is up to how many rows a heap finds the best: beyond it each new row would cost
// comparisons with rows that are out of the cache.
const heapRows = 1 << 10

// topWorker keeps the best rows of one input: a heap of row numbers, the worst row at
// the top. Rows that left the heap stay in rows until there are too many of them.
// Where more than heapRows are wanted, heap is no heap but a list of up to twice as many rows, of
// which the best are chosen when it is full: it costs a sort of few bytes a row.
type topWorker struct {
	*topN
	rows    *sortRows
	leading []*rowstore.Column // the values of the leading keys, by row
	heap    []int32
	reservation

	batch  keyBuf
	sel    []int32
	tied   tied
	kept   []int32
	narrow vector.Batch
}

// listed reports whether heap is a list.
func (w *topWorker) listed() bool { return w.n > heapRows }

func (w *topWorker) consume(ctx context.Context, in exec.Operator) error {
	if err := each(ctx, in, w.take); err != nil {
		return err
	}
	return w.finish()
}

// take adds the rows that are better than the bound, with texts of so many bytes.
func (w *topWorker) take(ctx context.Context, b *vector.Batch, texts int64) error {
	if texts > minRunBytes {
		// One long row: there must be room for it before it is copied, also into its key,
		// which the batch has too.
		if err := w.charge(ctx, 3*texts); err != nil {
			return err
		}
	}
	if n := w.rows.keys.growth(texts); n > minRunBytes {
		// The keys are copied when they grow: where there is no room for both, these rows are a run.
		ok, err := w.grow(ctx, w.bytes()+n)
		if err == nil && !ok {
			err = w.finish()
		}
		if err != nil {
			return err
		}
	}
	if err := w.rows.enc.each(b, w.addPart); err != nil {
		return err
	}
	if w.rows.n > 4*w.n+8*vector.BatchSize || w.listed() && len(w.heap) >= 2*w.n {
		if err := w.compact(); err != nil {
			return err
		}
	}
	return w.charge(ctx, 0)
}

// bytes is the memory that the rows hold.
func (w *topWorker) bytes() int64 {
	n := w.rows.bytes() + w.batch.bytes()
	for _, c := range w.leading {
		n += c.Bytes()
	}
	return n
}

// charge reserves memory for the growth of the rows, and for more that will be added.
// Where there is too little it forgets the rows that left the heap, then it makes a run
// of the others.
func (w *topWorker) charge(ctx context.Context, more int64) error {
	for try := 0; ; try++ {
		ok, err := w.grow(ctx, w.bytes()+more)
		if ok || err != nil {
			return err
		}
		switch {
		case try == 0 && w.rows.n > 4*min(len(w.heap), w.n): // the copies are small
			err = w.compact()
		case len(w.heap) > 0:
			err = w.finish()
		case more > 0:
			return fmt.Errorf("ORDER BY with LIMIT, a row of %d bytes: %w", more/3, w.budget.Refused(w.bytes()+more-minRunBytes-w.own))
		default: // memory that is kept for more rows
			w.clear()
			return nil
		}
		if err != nil {
			return err
		}
		w.shrink(w.bytes())
	}
}

// finish makes the rows of the heap a run, in memory if there is room for it.
func (w *topWorker) finish() error {
	if len(w.heap) == 0 {
		return nil
	}
	sorted := w.sorted()
	if err := w.add(w.input, w.rows, sorted, w.bytes()); err != nil {
		return err
	}
	w.clear()
	return nil
}

// sorted is the best rows of the heap in order. It is no heap afterwards.
func (w *topWorker) sorted() []sortRef {
	slices.Sort(w.heap)
	sorted := w.rows.sortSome(w.heap)
	return sorted[:min(len(sorted), w.n)]
}

// clear forgets the rows and their memory.
func (w *topWorker) clear() {
	w.rows.clear()
	w.leading = w.newLeading()
	w.heap, w.batch = nil, keyBuf{}
	w.shrink(w.bytes())
}

func (w *topWorker) addPart(values []*vector.Vector, b *vector.Batch) error {
	best := w.best.Load()
	w.narrow = *b
	if best != nil {
		w.sel = vector.Resize(w.sel, b.Rows())
		w.narrow.Sel = notAfter(w.sel, values[0], b, best.leading[0], w.keys[0], len(w.keys) == 1)
		if len(w.keys) > 1 && len(w.narrow.Sel) > b.Rows()/tiesShare {
			w.narrow.Sel = w.tied.notAfter(&w.narrow, values, best.leading, w.keys)
		}
		if len(w.narrow.Sel) == 0 {
			return nil
		}
	}
	w.batch.reset()
	if err := w.rows.enc.encode(values, &w.narrow, &w.batch); err != nil {
		return err
	}
	w.kept = w.kept[:0]
	for i := range w.narrow.Rows() {
		key := w.batch.key(i)
		full := len(w.heap) == w.n && !w.listed()
		if best != nil && bytes.Compare(key, best.key) >= 0 ||
			full && bytes.Compare(key, w.rows.keys.key(int(w.heap[0]))) >= 0 {
			continue
		}
		w.kept = append(w.kept, int32(w.narrow.Row(i)))
		w.rows.keys.data = append(w.rows.keys.data, key...)
		w.rows.keys.ends = append(w.rows.keys.ends, len(w.rows.keys.data))
		w.push(int32(len(w.rows.keys.ends)-1), full)
	}
	if len(w.kept) == 0 {
		return nil
	}
	for i, c := range w.rows.cols {
		if err := c.Append(b.Cols[i], w.kept); err != nil {
			return err
		}
	}
	for i, c := range w.leading {
		if err := c.Append(values[i], w.kept); err != nil {
			return err
		}
	}
	w.rows.n += len(w.kept)
	if len(w.heap) == w.n && !w.listed() {
		w.tell(int(w.heap[0]))
	}
	return nil
}

// tell offers row as the bound: n rows are not worse.
func (w *topWorker) tell(row int) {
	bound := &topBound{key: bytes.Clone(w.rows.keys.key(row))}
	for _, c := range w.leading {
		bound.leading = append(bound.leading, c.Vec.Get(row))
	}
	w.offer(bound)
}
