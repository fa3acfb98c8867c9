package catalog

import (
	"container/list"
	"context"
	"io/fs"
	"sync"
)

// maxHandles is how many files a catalog keeps open, besides those that are being read
// at the moment and those whose footer is being read.
const maxHandles = 128

// handles is the open files of a catalog. Some scans plan the row groups of thousands of
// files before they read the first: where too many files are open, those that were not
// read for the longest time are closed, and opened again when they are read.
type handles struct {
	mu   sync.Mutex
	most int
	open int       // handles that are open
	idle list.List // of *lentHandle: open and not being read, that read last at the back
}

// lentHandle is a file that is opened when it is read. It may be used by several
// goroutines.
type lentHandle struct {
	pool *handles
	open func() (handle, error)

	mu      sync.Mutex // before pool.mu
	h       handle     // nil: not open
	reading int
	place   *list.Element // in idle
	closed  bool
}

// lend takes over an open handle, nil if the file is not open yet; open opens the same file
// again.
func (p *handles) lend(h handle, open func() (handle, error)) *lentHandle {
	l := &lentHandle{pool: p, open: open, h: h}
	if h == nil {
		return l
	}
	p.mu.Lock()
	p.open++
	l.place = p.idle.PushBack(l)
	p.mu.Unlock()
	p.trim()
	return l
}

// ReadAt implements io.ReaderAt.
func (l *lentHandle) ReadAt(b []byte, off int64) (int, error) {
	return l.readUntil(context.Background(), b, off)
}

// readUntil is ReadAt until ctx ends.
func (l *lentHandle) readUntil(ctx context.Context, b []byte, off int64) (int, error) {
	h, err := l.take()
	if err != nil {
		return 0, err
	}
	defer l.pool.trim()
	defer l.give()
	return readUntil(ctx, h, b, off)
}

func (l *lentHandle) take() (handle, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, fs.ErrClosed
	}
	if l.h == nil {
		h, err := l.open()
		if err != nil {
			return nil, err
		}
		l.h = h
		l.pool.mu.Lock()
		l.pool.open++
		l.pool.mu.Unlock()
	}
	l.reading++
	l.unlist()
	return l.h, nil
}

// unlist takes the handle out of idle; l.mu is held.
func (l *lentHandle) unlist() {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	if l.place != nil {
		l.pool.idle.Remove(l.place)
		l.place = nil
	}
}

func (l *lentHandle) give() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reading--; l.reading == 0 && l.h != nil {
		l.pool.mu.Lock()
		l.place = l.pool.idle.PushBack(l)
		l.pool.mu.Unlock()
	}
}

// trim closes the files that were not read for the longest time while too many are open.
func (p *handles) trim() {
	for {
		p.mu.Lock()
		oldest := p.idle.Front()
		if p.open <= p.most || oldest == nil {
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
		_ = oldest.Value.(*lentHandle).shut(true) // it was only read
	}
}

// shut closes the file. With again it may be opened again, and stays open while it is
// being read.
func (l *lentHandle) shut(again bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if again && l.reading > 0 {
		return nil
	}
	l.closed = l.closed || !again
	if l.h == nil {
		return nil
	}
	l.unlist()
	l.pool.mu.Lock()
	l.pool.open--
	l.pool.mu.Unlock()
	h := l.h
	l.h = nil
	return h.Close()
}

// Close closes the file for good.
func (l *lentHandle) Close() error { return l.shut(false) }
