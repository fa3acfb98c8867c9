// Package membudget charges the bytes that one query holds to its memory limit:
// what operators keep (hash tables, sort runs, prefetched ranges) and large pages
// while they are decoded, but not the batches that operators pass on.
package membudget

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Budget is the memory of one query, for all its goroutines. A nil Budget has no
// limit.
type Budget struct {
	whole *Budget // what this one is a part of; nil: nothing
	limit int64
	used  atomic.Int64
	pages atomic.Int64 // see Pages

	peak, spilled atomic.Int64
	garbage       garbage
}

// New returns a budget of limit bytes; with 0 it has no limit.
func New(limit int64) *Budget { return &Budget{limit: limit} }

// Reserve charges n bytes. Where they exceed the limit it charges nothing and
// returns an error that wraps ErrMemoryLimit. It is for who can spill then, or do without.
func (b *Budget) Reserve(n int64) error { return b.reserve(n, pagesShare) }

// Need is Reserve for who fails without the memory. It does not leave any to the pages
// that are being read, which are gone a moment later: whether a query fails should not
// depend on how many they are.
func (b *Budget) Need(n int64) error { return b.reserve(n, noPages) }

func (b *Budget) reserve(n, share int64) error {
	if b == nil {
		return nil
	}
	pages := min(b.pages.Load(), b.limit/share)
	if used := b.used.Add(n) + pages; b.limit > 0 && used > b.limit {
		b.used.Add(-n)
		return b.refused(used-n, n)
	}
	if err := b.whole.reserve(n, share); err != nil {
		b.used.Add(-n)
		return err
	}
	b.note(b.used.Load())
	if b.whole == nil {
		b.Made(n)
	}
	return nil
}

// Refused is the error of Reserve for n bytes, which it does not try to reserve: for an
// operator that has tried, and that other operators may have left memory since.
func (b *Budget) Refused(n int64) error { return b.refused(b.Used(), n) }

func (b *Budget) refused(used, n int64) error {
	return fmt.Errorf("%w: the query holds %d bytes and needs %d more, memory_limit is %d; raise it or narrow the query",
		errs.ErrMemoryLimit, used, n, b.Limit())
}

// note keeps the peak.
func (b *Budget) note(used int64) {
	for peak := b.peak.Load(); used > peak && !b.peak.CompareAndSwap(peak, used); peak = b.peak.Load() {
	}
}

// Peak is the most bytes that were charged at a time, pages apart.
func (b *Budget) Peak() int64 {
	if b == nil {
		return 0
	}
	return b.peak.Load()
}

// AddSpilled notes bytes that were written to disk for want of memory.
func (b *Budget) AddSpilled(n int64) {
	if b == nil {
		return
	}
	b.spilled.Add(n)
	b.whole.AddSpilled(n)
}

// Spilled is the bytes that were written to disk.
func (b *Budget) Spilled() int64 {
	if b == nil {
		return 0
	}
	return b.spilled.Load()
}

// Half is a budget of half as many bytes, which are charged to b too: for an operator
// that can spill and works for another one that cannot, or only later.
func (b *Budget) Half() *Budget {
	if b == nil || b.limit == 0 {
		return b
	}
	return &Budget{whole: b, limit: b.limit/2 + 1}
}

// Release returns n bytes to the budget.
func (b *Budget) Release(n int64) {
	if b == nil {
		return
	}
	b.used.Add(-n)
	if b.whole != nil {
		b.whole.Release(n)
		return
	}
	b.Made(n)
}

// Limit is the number of bytes that may be charged; 0: any.
func (b *Budget) Limit() int64 {
	if b == nil {
		return 0
	}
	return b.limit
}

// Used is the number of bytes charged.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}

// pagesShare is the part of the limit that operators which can spill leave to the pages
// that are being read, where there are so many. With noPages they leave none.
const (
	pagesShare = 4
	noPages    = math.MaxInt64
)

// freePage is the size up to which a page is not charged, like a batch.
const freePage = 1 << 20

// fewPages is what pages may take under any limit: some columns for some readers.
const fewPages = 16 << 20

// Pages charges the decompressed pages of one reader. Pages may take half of the
// limit, or fewPages, or more where operators leave it free: an operator that fills memory
// before it spills must not make the read of a page fail. One goroutine uses it.
type Pages struct {
	budget *Budget
	held   int64
}

// Pages returns the account of a new reader.
func (b *Budget) Pages() *Pages { return &Pages{budget: b} }

// Reserve charges the bytes of one more page, or returns an error that wraps
// ErrMemoryLimit.
func (p *Pages) Reserve(n int64) error {
	b := p.budget
	if b == nil || b.limit == 0 {
		return nil
	}
	b.Made(n)
	if n <= freePage {
		return nil
	}
	if pages := b.pages.Add(n); pages > max(b.limit/2, fewPages) && pages+b.used.Load() > b.limit {
		b.pages.Add(-n)
		return fmt.Errorf("%w: a page needs %d bytes, other pages being read hold %d, memory_limit is %d; raise it or lower the parallelism",
			errs.ErrMemoryLimit, n, pages-n, b.limit)
	}
	p.held += n
	return nil
}

// Release returns the bytes of all pages to the budget, but for those that are kept.
func (p *Pages) Release(kept int64) {
	if kept < p.held {
		p.budget.pages.Add(kept - p.held)
		p.held = kept
	}
}
