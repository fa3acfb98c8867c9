package quota

import "github.com/parquetsql/parquetsql/internal/slab"

const (
	// ballastFrom is how much memory a query takes before it gets a ballast, which costs a
	// collection, with what it has given back: the windows and pages that it has read, and tables.
	// What it holds would not do. A scan of many short files holds a few pages, and
	// what it makes to read them is garbage all the same.
	ballastFrom = 2 << 20
	// ballastLimit is the least memory limit beside which the garbage that a ballast allows
	// is little.
	ballastLimit = 512 << 20
)

// Keeps notes that operators of the query keep rows, which each collection has to mark:
// as soon as it has taken some memory, it gets a ballast, so that there are fewer. A query that
// passes rows on takes less memory without one.
func (b *Budget) Keeps() {
	if b != nil && (b.limit == 0 || b.limit >= ballastLimit) {
		b.keeps.Store(true)
	}
}

// weigh gets the ballast, once, when n bytes more are taken. It goes when no query has run for a while.
func (b *Budget) weigh(n int64) {
	if b.keeps.Load() && b.taken.Add(n) >= ballastFrom && b.keeps.Swap(false) {
		slab.HoldBallast()
	}
}
