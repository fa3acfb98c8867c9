package catalog

import (
	"context"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Opener opens the files of a scan in order, some of them before the caller asks for
// them: a scan of many small files whose footers are not cached mostly waits. It opens
// fewer files ahead than were asked for, so that a scan that needs few files opens few, and
// those ahead of which nothing is to be read not at all.
// It may be used by several goroutines; each file is asked for once.
type Opener struct {
	mu      sync.Mutex
	files   []*File
	most    int // how many files are opened ahead at most
	started int // how many files are open or being opened, or were
	asked   int // how many were asked for
	opening map[*File]*opening
	readers sync.WaitGroup
	closed  bool
}

// opening is a file that is being opened.
type opening struct {
	done chan struct{} // nil: it is opened when it is asked for
	file *OpenFile
	err  error
}

// NewOpener opens no file. Without ahead, each file is opened only on request.
func NewOpener(files []*File, ahead bool) *Opener {
	o := &Opener{files: files, opening: map[*File]*opening{}}
	if ahead {
		o.most = maxFooterReaders - 1
	}
	return o
}

// Open returns one of the files opened, as File.Open does. The context is also that of the
// files that are opened ahead.
func (o *Opener) Open(ctx context.Context, f *File) (*OpenFile, error) {
	o.mu.Lock()
	o.asked++
	for !o.closed && o.started < len(o.files) && (o.opening[f] == nil || o.started < o.asked+min(o.most, o.asked-1)) {
		o.start(ctx, o.files[o.started])
		o.started++
	}
	found := o.opening[f]
	delete(o.opening, f)
	o.mu.Unlock()
	if found == nil || found.done == nil {
		return f.Open(ctx)
	}
	<-found.done
	return found.file, found.err
}

// start opens a file in a goroutine of its own if anything must be read for that.
func (o *Opener) start(ctx context.Context, f *File) {
	x := &opening{}
	o.opening[f] = x
	if f.known() != nil {
		return
	}
	x.done = make(chan struct{})
	o.readers.Go(func() {
		defer close(x.done)
		defer errs.Recover(&x.err)
		x.file, x.err = f.Open(ctx)
	})
}

// Close waits for the files that are being opened and closes those that nobody asked
// for. It may be called more than once.
func (o *Opener) Close() error {
	o.mu.Lock()
	o.closed = true
	left := o.opening
	o.opening = map[*File]*opening{}
	o.mu.Unlock()
	o.readers.Wait()
	var first error
	for _, x := range left {
		if x.file == nil { // an error, or not opened
			continue
		}
		if err := x.file.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
