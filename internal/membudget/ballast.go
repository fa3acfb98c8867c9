package membudget

import "github.com/parquetsql/parquetsql/internal/slab"

const (
	// ballastFrom is what a query holds at least when it gets a ballast, which costs a
	// collection: windows of long columns, or tables.
	ballastFrom = 2 << 20
	// ballastLimit is the least memory limit beside which the garbage that a ballast allows
	// is little.
	ballastLimit = 512 << 20
)

// Keeps notes that operators of the query keep rows, which each collection has to mark:
// as soon as it holds a little, it gets a ballast, so that there are fewer. A query that passes
// rows on takes less memory without one.
func (b *Budget) Keeps() {
	if b != nil && (b.limit == 0 || b.limit >= ballastLimit) {
		b.keeps.Store(true)
	}
}

// weigh gets the ballast, once. It goes when no query has run for a while.
func (b *Budget) weigh() {
	if b.keeps.Load() && b.used.Load() >= ballastFrom && b.keeps.Swap(false) {
		slab.HoldBallast()
	}
}
