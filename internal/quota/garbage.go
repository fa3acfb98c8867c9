package quota

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/internal/slab"
)

// Go collects garbage when the heap has doubled, so that a query which holds a gigabyte
// may leave another one behind before anybody looks. memory_limit is a promise about the
// process: where the heap has grown past the limit since the query began, the query asks
// for a collection itself. It changes no setting of the program. What is reserved and what
// is released count as made, and so do pages; who makes more without either says so.
type garbage struct {
	made      atomic.Int64 // bytes since the heap was last looked at
	uncharged atomic.Int64 // see unchargedBytes

	mu     sync.Mutex
	begun  bool
	base   int64 // the heap without what the query holds, when it was first looked at
	beyond int64 // the heap size at which the next collection is worth its cost, whatever it finds
}

const (
	// lookBytes is how much a query makes between two looks at the heap, which take some
	// microseconds.
	lookBytes = 4 << 20
	// garbageBytes is how much of the heap above the limit may be garbage, or batches,
	// which are not charged.
	garbageBytes = 16 << 20
	// againBytes and againLeast are the least growth of the heap between two collections, under
	// ordinary limits and under those of a few megabytes, so that they take a small share of the
	// time.
	againBytes = 16 << 20
	againLeast = 8 << 20
	// edgeBytes is how much of the heap above the limit calls for more collections: the process
	// should not have more than the limit and 64 MiB. Where much of a large limit is in use they
	// cost more than that is worth: edgeShare of it may be garbage again.
	edgeBytes = 48 << 20
	edgeShare = 32
	// unchargedBytes is how much more than what is charged a collection may leave where that is
	// beyond the limit.
	// What is beyond that is held by somebody, or was freed in places where nothing else fits;
	// those who can spill leave so much of the limit. It is a part of the limit at most, as it may
	// also be the program's.
	unchargedBytes = 24 << 20
	unchargedShare = 2
	// othersBytes and othersShare say when the rest of the program is so large that
	// marking it costs more than the garbage of a query: then its own pace of collections
	// remains.
	othersBytes = 256 << 20
	othersShare = 4
)

// Made notes n bytes that are garbage soon and not charged.
func (b *Budget) Made(n int64) { b.made(n, 0) }

// Coming is Made before the bytes are there.
func (b *Budget) Coming(n int64) { b.made(n, n) }

// made notes n bytes, of which some come only now.
func (b *Budget) made(n, coming int64) {
	if b == nil {
		return
	}
	for b.whole != nil {
		b = b.whole
	}
	if b.limit == 0 || b.garbage.made.Add(n) < lookBytes {
		return
	}
	g := &b.garbage
	g.mu.Lock() // and wait for a collection that another goroutine has asked for
	defer g.mu.Unlock()
	g.made.Store(0)
	g.look(b.limit, b.used.Load()+b.pages.Load()-coming, coming)
}

// Collect is called before anything is reserved, where much garbage was made for the query.
// A collection cannot be stopped: when the context ends it is left to itself.
func (b *Budget) Collect(ctx context.Context) error {
	if _, live := heapSize(); b.limit == 0 || live > othersBytes+othersShare*b.limit {
		return ctx.Err()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		debug.FreeOSMemory()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// look asks for a collection where the heap will have grown by more than the limit. Memory
// that waits for a borrower is garbage too.
func (g *garbage) look(limit, used, coming int64) {
	heap, live := heapSize()
	if !g.begun {
		g.begun, g.base = true, max(0, heap-used-slab.Idle())
		g.beyond = g.base + limit + garbageBytes
	}
	again := max(min(againBytes, max(againLeast, limit/2)), limit/8)
	goal := g.base + limit + garbageBytes
	if heap+coming < goal || heap+coming < g.beyond && slab.Idle() < again || live > othersBytes+othersShare*limit {
		return
	}
	slab.Drop()
	debug.FreeOSMemory() // a collection alone keeps the freed pages resident for minutes
	heap, _ = heapSize()
	if heap-g.base > limit {
		g.uncharged.Store(min(max(heap-g.base-used-unchargedBytes, 0), limit/unchargedShare))
	}
	g.beyond = max(goal, next(heap+coming, again, g.base+limit+edgeBytes, max(againLeast, limit/edgeShare)))
}

// next is the size of a heap at which it is collected again: it grows by again, but where it comes to
// the edge only by least.
func next(heap, again, edge, least int64) int64 {
	return min(heap+again, max(edge, heap+least))
}

// heapSize is what the runtime has of the system's memory, and the bytes of the objects that
// the last collection found in use. Much of the former may be free: what a collection has
// freed stays with the process for a while, and long objects need not fit where short ones were.
// The ballast does not count.
func heapSize() (all, live int64) {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	ballast := slab.Ballast()
	return int64(samples[0].Value.Uint64()-samples[1].Value.Uint64()) - ballast, int64(samples[2].Value.Uint64()) - ballast
}
