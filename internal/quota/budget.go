// Package quota is what a query may take: of memory, and of time until it looks whether it was
// cancelled.
//
//	Budget  the bytes that one query holds, against its memory limit: what operators keep (hash
//	        tables, sort runs, prefetched ranges) and large pages while they are decoded, but
//	        not the batches that operators pass on
//	Meter   what the evaluation of expressions makes of one batch
//	Ticker  work, with a look at the context of the query now and then
//
// sizes.go has the sizes that they and their users go by.
package quota

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
	most  atomic.Int64 // that pages were, beyond freePages

	peak, spilled atomic.Int64
	garbage       garbage
	keeps         atomic.Bool  // see Keeps
	taken         atomic.Int64 // that was reserved until there is a ballast
}

// New returns a budget of limit bytes; with 0 it has no limit.
func New(limit int64) *Budget { return &Budget{limit: limit} }

// Reserve charges n bytes. Where they exceed the limit it charges nothing and
// returns an error that wraps ErrMemoryLimit. It is for who can spill then, or do without.
// It leaves room for the pages that are being read, and for as many again.
func (b *Budget) Reserve(n int64) error { return b.reserve(n, pagesShare) }

// Need is Reserve for who fails without the memory. It does not leave any to the pages
// that are being read, which are gone a moment later: whether a query fails should not
// depend on how many they are.
func (b *Budget) Need(n int64) error { return b.reserve(n, noPages) }

// NeedBesidePages is Need for a copy of what lies in pages that stay until it is made: those that are charged count too.
func (b *Budget) NeedBesidePages(n int64) error {
	if b != nil && b.limit > 0 {
		if pages := max(0, b.pages.Load()-freePages); b.used.Load()+pages+n > b.limit {
			return b.refused(b.used.Load()+pages, n)
		}
	}
	return b.Need(n)
}

func (b *Budget) reserve(n, share int64) error {
	if b == nil {
		return nil
	}
	pages := min(b.most.Load(), b.limit/share)
	if share != noPages {
		pages = min(pages+b.garbage.uncharged.Load(), b.limit/2)
	}
	// Nothing is added before it is sure to fit: others would be refused meanwhile what is there.
	for used := b.used.Load(); ; used = b.used.Load() {
		if b.limit > 0 && used+n+pages > b.limit {
			return b.refused(used+pages, n)
		}
		if b.used.CompareAndSwap(used, used+n) {
			break
		}
	}
	if err := b.whole.reserve(n, share); err != nil {
		b.used.Add(-n)
		return err
	}
	raise(&b.peak, b.used.Load())
	if b.whole == nil {
		b.weigh(n)
		b.made(n, n)
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

// raise makes a number at least n.
func raise(number *atomic.Int64, n int64) {
	for old := number.Load(); n > old && !number.CompareAndSwap(old, n); old = number.Load() {
	}
}

// Peak is the most bytes that were charged at a time, without pages.
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
	pagesShare = 2
	noPages    = math.MaxInt64
)

// freePages is what the pages of all readers may take under any limit, without being
// charged: some columns for some readers.
const freePages = 24 << 20

// crowdedPages is what the pages of one reader take at least if batches should point to few
// of them: more than a page of ordinary length and its bytes in the file.
const crowdedPages = 2 << 20

// crowdedShare is the part of the limit from which on batches should point to few pages.
const crowdedShare = 16

// Pages charges the pages of one reader. Beyond freePages, pages may take half of the limit,
// or more where operators leave it free: an operator that fills memory before it spills must
// not make the read of a page fail. One goroutine uses it.
type Pages struct {
	budget *Budget
	held   int64
}

// Pages returns the account of a new reader.
func (b *Budget) Pages() *Pages { return &Pages{budget: b} }

// Reserve charges n bytes more, or returns an error that wraps ErrMemoryLimit.
func (p *Pages) Reserve(n int64) error {
	b := p.budget
	if b == nil || b.limit == 0 {
		return nil
	}
	pages := b.pages.Add(n) - freePages
	if pages > b.limit/2 && pages+b.used.Load() > b.limit {
		b.pages.Add(-n)
		return fmt.Errorf("%w: a page needs %d bytes, other pages being read hold %d, memory_limit is %d; raise it or lower the parallelism",
			errs.ErrMemoryLimit, n, pages-n+freePages, b.limit)
	}
	raise(&b.most, pages)
	p.held += n
	b.made(n, n)
	return nil
}

// PageRoom is how much pages may take whatever operators hold; 0: any.
func (b *Budget) PageRoom() int64 {
	if limit := b.Limit(); limit > 0 {
		return freePages + limit/2
	}
	return 0
}

// Release returns n bytes to the budget.
func (p *Pages) Release(n int64) {
	if p.budget == nil || p.budget.limit == 0 {
		return
	}
	p.held -= n
	p.budget.pages.Add(-n)
}

// Crowded reports whether all pages hold so much of the limit, and those of this reader a
// part of it, that batches should point to few of them.
func (p *Pages) Crowded() bool {
	return p.held > crowdedPages && p.budget.pages.Load() > freePages+p.budget.limit/crowdedShare
}
