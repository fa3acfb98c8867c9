package aggregate

import (
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// places finds items by their place in an order, without sorting all of them: each place that
// is asked for divides the items further, as quicksort does, and only the part with that place.
// Hoare, "Algorithm 65: Find" (1961), and Paredes and Navarro, "Optimal Incremental Sorting" (2006).
type places[T any] struct {
	items []T
	ends  []int // of parts, ascending: the items of a part come before those of the next
	order order[T]
	work  func(n int) error
	err   error // of work: from then on the items have any order

	sorted bool // all items are
	random uint64
}

// order has loops over items of a type, so that no comparison is a call.
type order[T any] interface {
	// partition moves items that are not after the pivot in front of those that are not before it,
	// and returns where those begin. The pivot is an item; both parts have items, unless it was at the end.
	partition(items []T, pivot T) int
	// sort orders items, a few thousand mostly.
	sort(items []T)
	// before tells that a is before b.
	before(a, b T) bool
}

func newPlaces[T any](items []T, o order[T], work func(n int) error) *places[T] {
	p := &places[T]{order: o, work: work}
	p.begin(items)
	return p
}

// begin takes other items. Few of them are sorted at once.
func (p *places[T]) begin(items []T) {
	p.items, p.ends, p.sorted, p.err = items, append(p.ends[:0], 0, len(items)), false, nil
	if len(items) <= fewItems {
		p.order.sort(items)
		p.sorted = true
	}
}

const (
	// fewItems is from how many items on sorting them is slower than dividing them again.
	fewItems = 32
	// manyEnds is from how many parts on all items are sorted.
	manyEnds = 4096
)

// at is the item of place k.
func (p *places[T]) at(k int) T {
	if p.sorted {
		return p.items[k]
	}
	if len(p.ends) > manyEnds {
		p.sortAll()
		return p.items[k]
	}
	i, found := slices.BinarySearch(p.ends, k+1)
	if !found || p.ends[i-1] != k { // else the part is this item alone
		p.divide(i, k)
	}
	return p.items[k]
}

// divide orders the items around place k, which is in the part that ends[i] ends.
func (p *places[T]) divide(i, k int) {
	from, to := p.ends[i-1], p.ends[i]
	for rounds := 64; to-from > fewItems && rounds > 0 && p.err == nil; rounds-- {
		if p.err = p.work(quota.CompareWork * (to - from)); p.err != nil {
			return
		}
		at := from + p.order.partition(p.items[from:to], p.pivot(from, to))
		if at == to {
			continue
		}
		p.ends = slices.Insert(p.ends, i, at)
		if k < at {
			to = at
		} else {
			from, i = at, i+1
		}
	}
	if p.err != nil {
		return
	}
	if to-from > fewItems { // bad pivots
		p.err = p.work(quota.CompareWork * (to - from) * 16)
	}
	p.order.sort(p.items[from:to])
	single := make([]int, 0, to-from)
	for at := from + 1; at < to; at++ {
		single = append(single, at)
	}
	p.ends = slices.Insert(p.ends, i, single...)
}

// pivot is the middle one of three items of a part.
func (p *places[T]) pivot(from, to int) T {
	a, m, b := p.any(from, to), p.any(from, to), p.any(from, to)
	switch {
	case p.order.before(m, a) == p.order.before(a, b):
		return a
	case p.order.before(m, b) == p.order.before(b, a):
		return b
	}
	return m
}

// any is some item of a part: no order of the items makes all of them bad pivots.
func (p *places[T]) any(from, to int) T {
	p.random = p.random*6364136223846793005 + 1442695040888963407 // Knuth, MMIX
	return p.items[from+int(p.random>>33)%(to-from)]
}

// sortAll orders all items.
func (p *places[T]) sortAll() {
	p.sorted = true
	for i := 1; i < len(p.ends); i++ {
		p.sortPart(p.ends[i-1], p.ends[i])
	}
}

// sortedAtOnce is how many items are sorted without asking whether the query has ended.
const sortedAtOnce = 1 << 14

func (p *places[T]) sortPart(from, to int) {
	for rounds := 64; to-from > sortedAtOnce && rounds > 0 && p.err == nil; rounds-- {
		if p.err = p.work(quota.CompareWork * (to - from)); p.err != nil {
			return
		}
		at := from + p.order.partition(p.items[from:to], p.pivot(from, to))
		switch {
		case at == to:
		case at-from < to-at:
			p.sortPart(from, at)
			from = at
		default:
			p.sortPart(at, to)
			to = at
		}
	}
	if p.err == nil {
		p.err = p.work(quota.CompareWork * (to - from))
	}
	if p.err == nil {
		p.order.sort(p.items[from:to])
	}
}
