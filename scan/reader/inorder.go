package reader

import (
	"sync"
	"sync/atomic"
)

// A scan with Request.InOrder hands out morsels in the order of the rows, and each of
// its readers returns batches of one morsel after another. To put the batches of all
// readers into the order of the rows, a consumer takes those of the morsel that First
// names, from the reader whose Place it is, and passes a morsel when its reader has
// ended it and all of its batches are taken. Morsels are any comparable values here,
// so that consumers need not know this package.

// First is the work whose rows come next, nil if there is none. It is the Place of a
// reader if a reader has begun it; changed is closed when First may be another.
func (s *Scan) First() (place any, changed <-chan struct{}) {
	if s.queue == nil {
		return nil, nil
	}
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	if s.queue.first == nil {
		return nil, s.queue.changed
	}
	return s.queue.first, s.queue.changed
}

// Pass says that all batches of a morsel are taken.
func (s *Scan) Pass(place any) { s.queue.end(place.(*task)) }

// Sparse is closed when most windows have lost all their rows to the filter so far.
func (s *Scan) Sparse() <-chan struct{} { return s.windows.becameSparse }

// manyWindows tell which part of all has rows that satisfy the filter.
const manyWindows = 64

// windows counts those that were filtered.
type windows struct {
	seen, left   atomic.Int64 // left: a row of the window was left
	once         sync.Once
	becameSparse chan struct{}
}

func newWindows() *windows { return &windows{becameSparse: make(chan struct{})} }

// add counts a window, in which so many rows were left.
func (w *windows) add(rows int) {
	if rows > 0 {
		w.left.Add(1)
	}
	if w.seen.Add(1); w.sparse() {
		w.once.Do(func() { close(w.becameSparse) })
	}
}

func (w *windows) sparse() bool {
	seen := w.seen.Load()
	return seen >= manyWindows && w.left.Load() < seen/4
}

// selective is sparse, and true before many windows were read.
func (w *windows) selective() bool { return w.seen.Load() < manyWindows || w.sparse() }

// Place is the morsel that the reader works on, which is that of the batch that Next
// has returned; nil if it works on none.
func (r *Reader) Place() any {
	if r.current == nil {
		return nil
	}
	return r.current.task
}

// Ended are the morsels with rows that the reader has ended since the last call: Next
// returned all of their batches.
func (r *Reader) Ended() []any {
	out := r.ends
	r.ends = nil
	return out
}
