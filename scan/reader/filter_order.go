package reader

import (
	"slices"
	"time"

	"github.com/parquetsql/parquetsql/expr"
)

// conjunctOrder decides in which order conjuncts are evaluated: first those that
// remove the most rows for their measured cost. It starts with the user's order and
// learns; it is kept from morsel to morsel.
//
// A conjunct that may raise an error never moves before one that the user wrote
// earlier: the earlier one may remove the rows that raise the error.
type conjunctOrder struct {
	stats []conjunctStats
	order []int
	seen  int
}

type conjunctStats struct {
	fallible bool
	in, out  int64
	cost     time.Duration // including the decoding of columns that it needed first
}

// reorderEvery is the number of batches after which the order is computed again.
const reorderEvery = 16

func newConjunctOrder(filter []expr.Expr) *conjunctOrder {
	o := &conjunctOrder{stats: make([]conjunctStats, len(filter))}
	for i, e := range filter {
		o.stats[i].fallible = expr.CanFail(e)
		o.order = append(o.order, i)
	}
	return o
}

// note adds the measurements of a conjunct on one batch.
func (o *conjunctOrder) note(i, in, out int, cost time.Duration) {
	s := &o.stats[i]
	s.in += int64(in)
	s.out += int64(out)
	s.cost += cost
}

// next is the order for the next batch.
func (o *conjunctOrder) next() []int {
	if o.seen++; o.seen%reorderEvery == 0 && len(o.order) > 1 {
		o.sort()
	}
	return o.order
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
