package window

import (
	"cmp"
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// ranked is an aggregate whose result follows from few of the rows of a frame in an order,
// for example a quantile. The rows that count are numbered by their order, and a wavelet
// matrix finds the k-th of a frame.
type ranked struct {
	input
	order *aggregate.Sorted

	compare func(a, b int) int // the order of two rows of the section
	words   []uint64           // by row that counts: its value as a number of the same order, if that is known
	sorting wordSort
	before  []int32         // by row, and for the row after the last: how many rows before it count
	rows    []int32         // the rows that count, in order
	ranks   matrix          // by row that counts: its index in rows
	spans   []span          // of a frame
	results []vector.Scalar // of a batch
}

func (r *ranked) bytes() int64 {
	return int64(cap(r.before)+cap(r.rows))*4 + int64(cap(r.words))*8 + r.sorting.bytes() + r.ranks.bytes()
}

func (r *ranked) prepare(ctx context.Context, s *section) error {
	r.bind(s)
	r.before = vector.Resize(r.before, s.n+1)
	r.sel = r.sel[:0]
	for i := range s.n {
		r.before[i] = int32(len(r.sel))
		if r.counts(int32(i)) {
			r.sel = append(r.sel, int32(i))
		}
	}
	r.before[s.n] = int32(len(r.sel))
	compare, byWord := r.ordering()
	sorting := func(order []uint32) { slices.SortFunc(order, compare) }
	if byWord {
		sorting = func(order []uint32) { r.sorting.sort(order, r.words) }
	}
	order, err := mergedOrder(ctx, len(r.sel), sorting, compare)
	if err != nil {
		return err
	}
	ranks := make([]uint32, len(order))
	r.rows = vector.Resize(r.rows, len(order))
	for rank, at := range order {
		ranks[at], r.rows[rank] = uint32(rank), r.sel[at]
	}
	return r.ranks.build(ctx, ranks)
}

// ordering is the order of two of the rows that count; byWord says that it is that of words.
func (r *ranked) ordering() (compare func(a, b uint32) int, byWord bool) {
	r.compare = r.order.Ordering(r.args)
	if r.order.ByValue && r.args[r.order.By].Form == vector.Flat {
		by := r.args[r.order.By]
		switch by.Type.Storage() {
		case vector.StoreInt64, vector.StoreFloat64:
			r.words = vector.Resize(r.words, len(r.sel))
			vector.OrderedWords(r.words, by, r.sel)
			if r.order.Desc {
				for i, w := range r.words {
					r.words[i] = ^w
				}
			}
			return func(a, b uint32) int {
				return cmp.Or(cmp.Compare(r.words[a], r.words[b]), cmp.Compare(a, b))
			}, true
		}
	}
	return func(a, b uint32) int {
		return cmp.Or(r.compare(int(r.sel[a]), int(r.sel[b])), cmp.Compare(a, b))
	}, false
}

// counts reports whether a row belongs to the aggregate of its frames.
func (r *ranked) counts(row int32) bool {
	return r.pass(row) && !slices.ContainsFunc(r.order.NotNull, func(i int) bool { return r.args[i].IsNull(int(row)) })
}

// sortedOrder is the numbers 0 to n-1 in order.
func sortedOrder(ctx context.Context, n int, compare func(a, b uint32) int) ([]uint32, error) {
	return mergedOrder(ctx, n, func(order []uint32) { slices.SortFunc(order, compare) }, compare)
}

// mergedOrder is sortedOrder with a function that sorts a part. It sorts parts and merges them, so that
// it can end when the query is cancelled.
func mergedOrder(ctx context.Context, n int, sorting func(order []uint32), compare func(a, b uint32) int) ([]uint32, error) {
	order, spare := make([]uint32, n), make([]uint32, n)
	err := each(ctx, n, func(from, k int) error {
		for i := from; i < from+k; i++ {
			order[i] = uint32(i)
		}
		sorting(order[from : from+k])
		return nil
	})
	ticker := quota.NewTicker(ctx, quota.RowsPerLook)
	for size := prepareRows; size < n && err == nil; size *= 2 {
		for from := 0; from < n && err == nil; from += 2 * size {
			middle, end := min(from+size, n), min(from+2*size, n)
			a, b := order[from:middle], order[middle:end]
			for i := from; i < end; i++ {
				if err = ticker.Work(1); err != nil {
					break
				}
				if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
					spare[i], a = a[0], a[1:]
				} else {
					spare[i], b = b[0], b[1:]
				}
			}
		}
		order, spare = spare, order
	}
	return order, err
}

func (r *ranked) eval(ctx context.Context, _ *section, _, n int, out *vector.Vector) error {
	r.results = vector.Resize(r.results, n)
	results := r.results
	defer clear(results)
	r.spans = vector.Resize(r.spans, r.framer.pieces)
	row := func(k int) int { return int(r.rows[r.ranks.smallest(r.spans, k)]) }
	for i := range results {
		if r.framer.repeats(i) {
			results[i] = results[i-1]
			continue
		}
		count := 0
		for p := range r.spans {
			r.spans[p] = span{r.before[r.framer.from[p][i]], r.before[r.framer.to[p][i]]}
			count += int(r.spans[p].to - r.spans[p].from)
		}
		if count == 0 {
			results[i] = vector.NullOf(r.call.Type())
			continue
		}
		var err error
		if results[i], err = r.order.Result(r.args, count, row); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return out.FromScalars(r.call.Type(), results)
}
