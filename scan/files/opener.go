package files

import (
	"context"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Opener opens the files of a scan in order, some of them before the caller asks for
// them: a scan of many small files whose footers are not cached mostly waits. It opens
// fewer files ahead than were asked for, so that a scan that needs few files opens few. Ahead it
// opens no file from which nothing will be read.
// Several goroutines may use it, one for each file.
type Opener struct {
	ctx    context.Context // of the files that are opened ahead
	cancel context.CancelFunc

	mu      sync.Mutex
	files   []*File
	most    int // how many files are opened ahead at most
	started int // how many files are open or being opened, or were
	asked   int // how many were asked for
	opening map[*File]*opening
	readers sync.WaitGroup
	closed  bool
}

// opening is a file that is being opened and that nobody has got yet.
type opening struct {
	asked bool
	done  chan struct{} // nil: it is opened when it is asked for
	file  *OpenFile
	err   error
}

// A file of which nothing must be read to have it open is one of these.
var (
	near      = &opening{}
	nearAsked = &opening{asked: true}
)

// maxAhead bounds how many files are opened ahead.
const maxAhead = 15

// NewOpener opens no file. Without ahead, each file is opened only on request. ctx bounds the
// opening ahead, which Close ends too: it must not end before the scan does.
func NewOpener(ctx context.Context, files []*File, ahead bool) *Opener {
	o := &Opener{files: files, opening: map[*File]*opening{}}
	o.ctx, o.cancel = context.WithCancel(ctx)
	if ahead {
		o.most = maxAhead
	}
	return o
}

// Open returns one of the files opened, as File.Open does. ctx is that of this call alone: a
// file that is opened ahead is also for others than the one who is the first to ask for any.
// After an error the file may be asked for again.
func (o *Opener) Open(ctx context.Context, f *File) (*OpenFile, error) {
	found := o.find(f)
	if found == nil || found.done == nil {
		file, err := f.Open(ctx)
		if err == nil {
			o.take(f)
		}
		return file, err
	}
	select {
	case <-found.done:
	case <-ctx.Done(): // the file stays, for the next who asks or for Close
		return nil, ctx.Err()
	}
	if found.err != nil {
		return nil, found.err
	}
	if !o.take(f) {
		return nil, o.ctx.Err() // Close closes it
	}
	return found.file, nil
}

// find returns the file if it is being opened, and begins to open others.
func (o *Opener) find(f *File) *opening {
	o.mu.Lock()
	defer o.mu.Unlock()
	if x := o.opening[f]; x == nil || !x.asked {
		o.asked++
	}
	for !o.closed && o.started < len(o.files) && (o.opening[f] == nil || o.started < o.asked+min(o.most, o.asked-1)) {
		o.start(o.files[o.started])
		o.started++
	}
	found := o.opening[f]
	switch found {
	case nil, nearAsked:
	case near:
		o.opening[f] = nearAsked
	default:
		found.asked = true
	}
	return found
}

// take makes a file that of the one who asked for it, and is false after Close.
func (o *Opener) take(f *File) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.opening, f)
	return !o.closed
}

// start opens a file in a goroutine of its own if anything must be read for that.
func (o *Opener) start(f *File) {
	if f.Near() {
		o.opening[f] = near
		return
	}
	x := &opening{done: make(chan struct{})}
	o.opening[f] = x
	o.readers.Go(func() {
		defer close(x.done)
		defer errs.Recover(&x.err)
		x.file, x.err = f.Open(o.ctx)
	})
}

// Close ends the opening of files, waits for it and closes the files that nobody got. It may
// be called more than once.
func (o *Opener) Close() error {
	o.cancel()
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
