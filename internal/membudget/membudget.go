// Package membudget counts the bytes that one query holds against its limit.
// It counts what operators keep (hash tables, sort runs, prefetched ranges),
// not the batch in flight.
package membudget

import (
	"fmt"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Budget is shared by all goroutines of a query. A nil Budget has no limit.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// New is a budget of limit bytes; 0 is none.
func New(limit int64) *Budget { return &Budget{limit: limit} }

// Reserve takes n bytes, or none and an error that wraps ErrMemoryLimit.
func (b *Budget) Reserve(n int64) error {
	if b == nil {
		return nil
	}
	if used := b.used.Add(n); b.limit > 0 && used > b.limit {
		b.used.Add(-n)
		return fmt.Errorf("%w: the query holds %d bytes and needs %d more, memory_limit is %d; raise it or narrow the query",
			errs.ErrMemoryLimit, used-n, n, b.limit)
	}
	return nil
}

// Release gives n bytes back.
func (b *Budget) Release(n int64) {
	if b != nil {
		b.used.Add(-n)
	}
}

// Used is how many bytes are taken.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}
