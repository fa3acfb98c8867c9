// Package idle gives memory back to the system when no query runs any longer.
//
// What a query leaves behind is garbage, which Go collects when the heap has grown
// further: in a process that does nothing after a query, only its two-minute timer looks.
// And the runtime keeps the memory of a heap that was large. So some seconds after the last
// query the heap is collected and its free memory given back, where queries have
// made it grow. No query waits for it.
package idle

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// pause is how long no query must run: memory that is lent (see package slab) is
	// dropped by then.
	pause = 3 * time.Second
	// least and share say which growth is worth a collection, which marks the whole heap
	// of the program: so many bytes, and this part of the heap as it was.
	least = 8 << 20
	share = 8
)

// Begin notes that a query begins. It must be followed by one End.
func Begin() { process.begin() }

// End notes that a query has ended, and holds nothing.
func End() { process.end() }

var process = &watch{size: heap, release: debug.FreeOSMemory, after: func(f func()) { time.AfterFunc(pause, f) }}

// heap is the bytes of the heap that the system has given.
func heap() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(samples)
	var n uint64
	for _, s := range samples {
		n += s.Value.Uint64()
	}
	return int64(n)
}

// watch is the state of a process.
type watch struct {
	size    func() int64
	release func()
	after   func(func())

	mu      sync.Mutex
	running int
	ends    int   // of phases in which queries ran
	armed   bool  // look will be called
	known   bool  // base
	base    int64 // the least heap before a query since memory was last given back
}

func (w *watch) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running++; w.running > 1 || w.armed {
		return
	}
	if n := w.size(); !w.known || n < w.base {
		w.known, w.base = true, n
	}
}

func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running--; w.running > 0 {
		return
	}
	w.ends++
	w.arm()
}

// arm makes sure that look is called, where it would do something.
func (w *watch) arm() {
	if !w.armed && w.grown() {
		w.armed = true
		ends := w.ends
		w.after(func() { w.look(ends) })
	}
}

func (w *watch) grown() bool { return w.size() > w.base+max(least, w.base/share) }

// look gives memory back, unless queries have run since it was armed.
func (w *watch) look(ends int) {
	if !w.due(ends) {
		return
	}
	w.release()
	w.released(ends)
}

// due reports whether memory is to be given back. If so, nobody arms until released.
func (w *watch) due(ends int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running == 0 && w.ends == ends && w.grown() {
		return true
	}
	if w.armed = false; w.running == 0 { // else its end arms
		w.arm()
	}
	return false
}

// released notes that memory was given back, while queries may have begun and ended.
func (w *watch) released(ends int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = false
	switch {
	case w.running > 0:
	case w.ends != ends:
		w.arm()
	default:
		w.base = w.size()
	}
}
