package catalog

import (
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Opener opens the files of a scan, in their order and some ahead of the caller:
// where the cache does not have the footers, many small files are mostly waiting.
// It opens no more files ahead than were asked for, so that a scan which needs few
// files opens few. It may be used by several goroutines; each file is asked for once.
type Opener struct {
	mu      sync.Mutex
	files   []*File
	most    int // files that are opened ahead
	started int // how many of the files are being opened or were
	asked   int // how many were asked for
	opening map[*File]*opening
	readers sync.WaitGroup
	closed  bool
}

// opening is a file that is being opened.
type opening struct {
	done chan struct{}
	file *OpenFile
	err  error
}

// NewOpener opens nothing yet. Without ahead a file is opened only when it is asked for.
func NewOpener(files []*File, ahead bool) *Opener {
	o := &Opener{files: files, opening: map[*File]*opening{}}
	if ahead {
		o.most = maxFooterReaders - 1
	}
	return o
}

// Open is File.Open of one of the files.
func (o *Opener) Open(f *File) (*OpenFile, error) {
	o.mu.Lock()
	o.asked++
	for !o.closed && o.started < len(o.files) && (o.opening[f] == nil || o.started < o.asked+min(o.most, o.asked-1)) {
		o.start(o.files[o.started])
		o.started++
	}
	found := o.opening[f]
	delete(o.opening, f)
	o.mu.Unlock()
	if found == nil {
		return f.Open()
	}
	<-found.done
	return found.file, found.err
}

// start opens a file in a goroutine of its own.
func (o *Opener) start(f *File) {
	x := &opening{done: make(chan struct{})}
	o.opening[f] = x
	o.readers.Go(func() {
		defer close(x.done)
		defer errs.Recover(&x.err)
		x.file, x.err = f.Open()
	})
}

// Close waits for the files that are being opened and closes those that nobody asked
// for. It may be called twice.
func (o *Opener) Close() error {
	o.mu.Lock()
	o.closed = true
	left := o.opening
	o.opening = map[*File]*opening{}
	o.mu.Unlock()
	o.readers.Wait()
	var first error
	for _, x := range left {
		if x.file == nil {
			continue
		}
		if err := x.file.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
