// Package idle gives memory back to the system when no query runs any longer.
//
// What a query leaves behind is garbage, which Go collects when the heap has grown
// further: in a process that does nothing after a query, only its two-minute timer looks.
// And the runtime keeps the memory of a heap that was large. So some seconds after the last
// query the heap is collected and its free memory given back, where queries have
// made it grow. No query waits for it. Rows that nobody reads on or closes do not count as
// a query that runs, and when the last database is closed nothing happens any more.
package idle

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parquetsql/parquetsql/internal/slab"
)

const (
	// pause is how long no query must compute: memory that is lent (see package slab) is
	// dropped by then.
	pause = 3 * time.Second
	// least and share say which growth is worth a collection, which marks the whole heap
	// of the program: so many bytes, and this part of the heap as it was.
	least = 8 << 20
	share = 8
)

// Open notes that a database was opened. It must be followed by one Close.
func Open() { process.opened() }

// Close notes that a database was closed. The last one stops the timer.
func Close() { process.closed() }

// Begin notes that a query will begin, before it holds anything.
func Begin() { process.begin() }

// End notes that a query has ended, and holds nothing.
func End() { process.end() }

// Enter notes that a query computes until Leave: it plans, or makes its next batch.
func Enter() { process.enter() }

// Leave follows Enter.
func Leave() { process.leave() }

var process = &watch{
	size: heap, release: debug.FreeOSMemory, weighted: func() bool { return slab.Ballast() > 0 }, drop: slab.DropBallast,
	after: func(f func()) func() bool { return time.AfterFunc(pause, f).Stop },
}

// heap is the bytes of the heap that the system has given. It has given none for the ballast.
func heap() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(samples)
	var n uint64
	for _, s := range samples {
		n += s.Value.Uint64()
	}
	return int64(n) - slab.Ballast()
}

// watch is the state of a process.
type watch struct {
	size     func() int64
	release  func()
	weighted func() bool // there is a ballast
	drop     func()      // the ballast
	after    func(func()) (stop func() bool)

	busy  atomic.Int64 // queries that compute
	calls atomic.Int64 // how often one has begun to

	mu    sync.Mutex
	open  int         // databases
	armed bool        // look will be called
	stop  func() bool // that call
	turn  int         // of calls that were not stopped
	known bool        // base
	base  int64       // the least heap before a query since memory was last given back
}

func (w *watch) opened() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open++
}

func (w *watch) closed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open--; w.open > 0 {
		return
	}
	w.drop()
	if w.armed {
		w.stop()
		w.armed = false
		w.turn++
	}
}

func (w *watch) enter() {
	w.busy.Add(1)
	w.calls.Add(1)
}

func (w *watch) leave() { w.busy.Add(-1) }

func (w *watch) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy.Load() > 0 || w.armed {
		return
	}
	if n := w.size(); !w.known || n < w.base {
		w.known, w.base = true, n
	}
}

func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open == 0 {
		w.drop()
	}
	w.arm()
}

// arm makes sure that look is called, where it would do something.
func (w *watch) arm() {
	if w.open > 0 && !w.armed && w.worth() {
		w.armed = true
		turn, calls := w.turn, w.calls.Load()
		w.stop = w.after(func() { w.look(turn, calls) })
	}
}

// worth reports whether there is something to give back.
func (w *watch) worth() bool { return w.grown() || w.weighted() }

func (w *watch) grown() bool { return w.size() > w.base+max(least, w.base/share) }

// look gives memory back, unless queries compute or have done so since it was armed.
func (w *watch) look(turn int, calls int64) {
	if !w.due(turn, calls) {
		return
	}
	w.drop()
	w.release()
	w.released(turn, calls)
}

// quiet reports whether no query computes or has computed since.
func (w *watch) quiet(calls int64) bool { return w.busy.Load() == 0 && w.calls.Load() == calls }

// due reports whether memory is to be given back. If so, nobody arms until released.
func (w *watch) due(turn int, calls int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.turn != turn:
		return false
	case w.quiet(calls) && w.worth():
		return true
	}
	w.armed = false
	w.arm()
	return false
}

// released notes that memory was given back, while queries may have computed.
func (w *watch) released(turn int, calls int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.turn != turn {
		return
	}
	if w.armed = false; w.quiet(calls) {
		w.base = w.size()
	} else {
		w.arm()
	}
}
