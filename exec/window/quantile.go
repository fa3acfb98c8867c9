package window

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// quantiles finds the values next to the place of a fraction in each frame.
type quantiles struct {
	input
	fraction float64
	before   []int32 // by row, and for the row after the last: how many values come before it
	sorted   []float64
	ranks    matrix // by value that is not NULL: its index in sorted
}

func (q *quantiles) bytes() int64 {
	return int64(cap(q.before))*4 + int64(cap(q.sorted))*8 + q.ranks.bytes()
}

func (q *quantiles) prepare(ctx context.Context, s *section) error {
	v := s.vec(q.columns[0])
	q.before = vector.Resize(q.before, s.n+1)
	var values []float64
	for i := range s.n {
		q.before[i] = int32(len(values))
		if !v.IsNull(i) {
			values = append(values, v.F64[i])
		}
	}
	q.before[s.n] = int32(len(values))
	order, err := sortedOrder(ctx, len(values), func(a, b uint32) int {
		return cmp.Or(vector.CompareFloats(values[a], values[b]), cmp.Compare(a, b))
	})
	if err != nil {
		return err
	}
	ranks := make([]uint32, len(values))
	q.sorted = vector.Resize(q.sorted, len(values))
	for rank, at := range order {
		ranks[at], q.sorted[rank] = uint32(rank), values[at]
	}
	return q.ranks.build(ctx, ranks)
}

// sortedOrder is the numbers 0 to n-1 in order. It sorts parts and merges them, so that
// it can end when the query is cancelled.
func sortedOrder(ctx context.Context, n int, compare func(a, b uint32) int) ([]uint32, error) {
	order, spare := make([]uint32, n), make([]uint32, n)
	err := each(ctx, n, func(from, k int) error {
		for i := from; i < from+k; i++ {
			order[i] = uint32(i)
		}
		slices.SortFunc(order[from:from+k], compare)
		return nil
	})
	for size := prepareRows; size < n && err == nil; size *= 2 {
		for from := 0; from < n; from += 2 * size {
			if err = ctx.Err(); err != nil {
				break
			}
			middle, end := min(from+size, n), min(from+2*size, n)
			a, b := order[from:middle], order[middle:end]
			for i := from; i < end; i++ {
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

func (q *quantiles) eval(_ context.Context, _ *section, _, n int, out *vector.Vector) error {
	out.Reset(q.call.Type(), n)
	ranges := make([]span, q.framer.pieces)
	for i := range n {
		count := 0
		for p := range ranges {
			ranges[p] = span{q.before[q.framer.from[p][i]], q.before[q.framer.to[p][i]]}
			count += int(ranges[p].to - ranges[p].from)
		}
		if count == 0 {
			out.SetNull(i)
			continue
		}
		out.F64[i] = aggregate.Interpolate(q.fraction, count, func(k int) float64 { return q.sorted[q.ranks.smallest(ranges, k)] })
	}
	return nil
}

// span is the places from to to-1.
type span struct{ from, to int32 }

// matrix is a wavelet matrix: it finds the k-th smallest of the numbers at some places
// in as many steps as the numbers have bits (Claude, Navarro: The Wavelet Matrix). The
// numbers are 0 to n-1, each once. Level i has the i-th highest bit of each number,
// the numbers being sorted by the bits above, lowest level first.
type matrix struct{ levels []bitLevel }

type bitLevel struct {
	words []uint64
	ones  []int32 // by word: the ones before it
	zeros int32   // in all
}

func (m *matrix) bytes() (n int64) {
	for _, l := range m.levels {
		n += int64(cap(l.words))*8 + int64(cap(l.ones))*4
	}
	return n
}

// build makes the matrix; it overwrites numbers.
func (m *matrix) build(ctx context.Context, numbers []uint32) error {
	n := len(numbers)
	m.levels = m.levels[:0]
	spare := make([]uint32, n)
	for bit := bits.Len(uint(max(n-1, 0))) - 1; bit >= 0; bit-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := bitLevel{words: make([]uint64, n/64+1), ones: make([]int32, n/64+1)}
		for _, v := range numbers {
			l.zeros += int32(v>>bit&1 ^ 1)
		}
		zero, one := 0, int(l.zeros)
		for i, v := range numbers {
			if i%64 == 0 {
				l.ones[i/64] = int32(one) - l.zeros
			}
			if v>>bit&1 == 0 {
				spare[zero] = v
				zero++
			} else {
				l.words[i/64] |= 1 << (i % 64)
				spare[one] = v
				one++
			}
		}
		if n%64 == 0 {
			l.ones[n/64] = int32(one) - l.zeros
		}
		m.levels = append(m.levels, l)
		numbers, spare = spare, numbers
	}
	return nil
}

// before is how many ones there are before a place.
func (l *bitLevel) before(i int32) int32 {
	return l.ones[i>>6] + int32(bits.OnesCount64(l.words[i>>6]&(1<<(uint(i)&63)-1)))
}

// smallest is the k-th smallest number, from 0, at the places of some spans.
func (m *matrix) smallest(spans []span, k int) uint32 {
	var at [3]span
	copy(at[:], spans)
	found := uint32(0)
	for i := range m.levels {
		l := &m.levels[i]
		var ones [3]span
		zeros := 0
		for p := range spans {
			ones[p] = span{l.before(at[p].from), l.before(at[p].to)}
			zeros += int(at[p].to - at[p].from - (ones[p].to - ones[p].from))
		}
		found <<= 1
		if k < zeros {
			for p := range spans {
				at[p].from, at[p].to = at[p].from-ones[p].from, at[p].to-ones[p].to
			}
			continue
		}
		k -= zeros
		found |= 1
		for p := range spans {
			at[p] = span{l.zeros + ones[p].from, l.zeros + ones[p].to}
		}
	}
	return found
}
