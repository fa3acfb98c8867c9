// Package membudget counts the bytes that one query holds against its limit.
// It counts what operators keep (hash tables, sort runs, prefetched ranges) and
// large pages while they are decoded, not the batch in flight.
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
	pages atomic.Int64 // see Pages
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

// freePage is the size up to which a page counts as part of the batch in flight.
const freePage = 1 << 20

// Pages are the decompressed pages of one reader. They have an account of their
// own, of up to half the limit or what operators leave of it: an operator that
// fills memory before it spills must not be the end of the query for want of a
// page. It is for one goroutine.
type Pages struct {
	budget *Budget
	held   int64
}

// Pages is for a reader that holds nothing yet.
func (b *Budget) Pages() *Pages { return &Pages{budget: b} }

// Reserve takes the bytes of one more page, or none and an error that wraps
// ErrMemoryLimit.
func (p *Pages) Reserve(n int64) error {
	b := p.budget
	if b == nil || b.limit == 0 || n <= freePage {
		return nil
	}
	if pages := b.pages.Add(n); pages > b.limit/2 && pages+b.used.Load() > b.limit {
		b.pages.Add(-n)
		return fmt.Errorf("%w: a page has %d bytes, others that are being read %d, memory_limit is %d; raise it or lower the parallelism",
			errs.ErrMemoryLimit, n, pages-n, b.limit)
	}
	p.held += n
	return nil
}

// Release gives all pages back.
func (p *Pages) Release() {
	if p.held > 0 {
		p.budget.pages.Add(-p.held)
		p.held = 0
	}
}
