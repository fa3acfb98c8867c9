package storage

import (
	"container/list"
	"context"
	"io/fs"
	"sync"
)

// MaxHandles is how many files are kept open, besides those that are being read at the
// moment.
const MaxHandles = 128

// Handles is the open files of some stores. Some scans plan the row groups of thousands of
// files before they read the first: where too many files are open, those that were not
// read for the longest time are closed, and opened again when they are read.
type Handles struct {
	mu   sync.Mutex
	most int
	open int       // handles that are open
	idle list.List // of *lentHandle: open and not being read, that read last at the back

	spool spool
}

// lentHandle is a file that is opened when it is read. It may be used by several
// goroutines.
type lentHandle struct {
	pool *Handles
	from opener

	mu      sync.Mutex // before pool.mu
	h       handle     // nil: not open
	reading int
	place   *list.Element // in idle
	closed  bool
}

// NewHandles keeps up to most files open. Files that have to be copied to be read are copied to
// tempDir, os.TempDir() if it is empty.
func NewHandles(most int, tempDir string) *Handles {
	return &Handles{most: most, spool: spool{dir: tempDir}}
}

// Open is how many files are open.
func (p *Handles) Open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open
}

// opener opens a file that is lent.
type opener interface{ openHandle() (handle, error) }

// ReadAt implements File.
func (l *lentHandle) ReadAt(ctx context.Context, b []byte, off int64) (int, error) {
	h, err := l.take()
	if err != nil {
		return 0, err
	}
	defer l.pool.trim()
	defer l.give()
	return readUntil(ctx, h, b, off)
}

// unchanged fails if the open file is not the entry; one that is not open will be compared
// when it is opened.
func (l *lentHandle) unchanged(e Entry) error {
	l.mu.Lock()
	h := l.h
	if h != nil {
		l.reading++ // so that nobody closes it
		l.unlist()
	}
	l.mu.Unlock()
	if h == nil {
		return nil
	}
	defer l.give()
	info, err := statHandle(h)
	if err != nil {
		return &OpenError{err}
	}
	return e.same(info)
}

func (l *lentHandle) take() (handle, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, fs.ErrClosed
	}
	if l.h == nil {
		h, err := l.from.openHandle()
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
func (p *Handles) trim() {
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
