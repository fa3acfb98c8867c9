package reader

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/parquetsql/parquetsql/expr"
)

// In which order the conjuncts of a filter are evaluated.

// conjunctOrder is the order of the conjuncts of a filter: first those that remove the most
// rows for their measured cost. It starts with the user's order and
// learns; it is kept from morsel to morsel.
//
// A conjunct that may raise an error never moves before one that the user wrote
// earlier: the earlier one may remove the rows that raise the error. Nor does one that comes later move before
// it, so that the same rows raise errors in each run. Where the statistics of a row group say that it raises none
// there, it moves like others.
type conjunctOrder struct {
	stats []stats
	order []int
	seen  int
}

type stats struct {
	canFail  bool // for some values
	fallible bool // and for some of the row group
	optional bool // of Restrict: it may be left out
	paused   int  // optional: the number of batches for which it is left out
	in, out  int64
	cost     time.Duration // including the decoding of columns that it needed first
}

// reorderEvery is the number of batches after which the order is computed again.
const reorderEvery = 16

// An optional conjunct that keeps more than keptShare of the rows is left out for
// pauseBatches and then tried again, as data changes within a file.
const (
	keptShare    = 0.9
	pauseBatches = 8 * reorderEvery
)

// newConjunctOrder starts with the order of the filter, whose conjuncts are optional
// from the given one on.
func newConjunctOrder(ctx context.Context, filter []expr.Expr, optional int) (*conjunctOrder, error) {
	o := &conjunctOrder{stats: make([]stats, len(filter))}
	for i, e := range filter {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// Of thousands, finding it out takes more time and memory than their order is worth.
		fails := i >= expr.KeptOperands && i < optional || expr.CanFail(e)
		o.stats[i].canFail, o.stats[i].fallible, o.stats[i].optional = fails, fails, i >= optional
		o.order = append(o.order, i)
	}
	return o, nil
}

// begin begins with the rows of a row group in which some of the conjuncts that may raise an error raise
// none; nil: no such are known.
func (o *conjunctOrder) begin(safe []bool) {
	changed := false
	for i := range o.stats {
		s := &o.stats[i]
		fallible := s.canFail && !(i < len(safe) && safe[i])
		changed = changed || fallible != s.fallible
		s.fallible = fallible
	}
	if changed && len(o.order) > 1 {
		o.sort()
	}
}

// conjunctColumns are the indexes of the columns that each conjunct of a filter reads, and those that
// any of them reads: ascending, without repeats.
func conjunctColumns(ctx context.Context, filter []expr.Expr) (each [][]int, all []int, err error) {
	each, read := make([][]int, len(filter)), map[int]bool{}
	for i, e := range filter {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		each[i] = expr.ColumnsOf(e)
		for _, c := range each[i] {
			read[c] = true
		}
	}
	return each, slices.Sorted(maps.Keys(read)), nil
}

// Fails reports whether the conjunct may raise an error.
func (o *conjunctOrder) Fails(i int) bool { return o.stats[i].fallible }

// Pauses reports whether the conjunct is left out of this batch.
func (o *conjunctOrder) Pauses(i int) bool {
	s := &o.stats[i]
	if s.paused == 0 {
		return false
	}
	s.paused--
	return true
}

// Note adds the measurements of a conjunct on one batch.
func (o *conjunctOrder) Note(i, in, out int, cost time.Duration) {
	s := &o.stats[i]
	s.in += int64(in)
	s.out += int64(out)
	s.cost += cost
}

// Next is the order for the next batch.
func (o *conjunctOrder) Next() []int {
	if o.seen++; o.seen%reorderEvery == 0 {
		o.pause()
		if len(o.order) > 1 {
			o.sort()
		}
	}
	return o.order
}

// pause looks for optional conjuncts that do not pay.
func (o *conjunctOrder) pause() {
	for i := range o.stats {
		if s := &o.stats[i]; s.optional && s.paused == 0 && s.in > 0 && float64(s.out) > keptShare*float64(s.in) {
			s.paused, s.in, s.out, s.cost = pauseBatches, 0, 0, 0
		}
	}
}

// sort ranks by cost per removed row. Older measurements count less, as data changes
// within a file.
func (o *conjunctOrder) sort() {
	rank := make([]float64, len(o.stats))
	for i := range o.stats {
		s := &o.stats[i]
		removed := float64(s.in-s.out) + 0.5
		rank[i] = (float64(s.cost) + 1) / removed
		if s.in == 0 {
			rank[i] = 0 // never tried: find out
		}
		s.in, s.out, s.cost = s.in/2, s.out/2, s.cost/2
	}
	slices.Sort(o.order)
	for from := 0; from < len(o.order); {
		to := from + 1 // a run: one conjunct that may fail, or several that cannot
		for !o.stats[o.order[from]].fallible && to < len(o.order) && !o.stats[o.order[to]].fallible {
			to++
		}
		slices.SortStableFunc(o.order[from:to], func(a, b int) int {
			switch {
			case rank[a] < rank[b]:
				return -1
			case rank[a] > rank[b]:
				return 1
			}
			return 0
		})
		from = to
	}
}
