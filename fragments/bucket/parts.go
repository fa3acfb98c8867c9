package bucket

import (
	"context"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql/fragments"
)

// part is the name of a part of a file.
func part(name string, number int64) string { return name + "." + strconv.FormatInt(number, 10) }

var partForm = regexp.MustCompile(`\.[0-9]+$`)

func isPart(name string) bool { return partForm.MatchString(name) }

// Create implements fragments.Store. Parts are seen before the file is whole, under names that nobody reads
// before.
func (b *Bucket) Create(ctx context.Context, name string) (fragments.Writer, error) {
	return &writer{ctx: ctx, to: b, name: name}, nil
}

// writer writes a file part by part. Its context is that of Create: io.Writer has none.
type writer struct {
	ctx   context.Context
	to    *Bucket
	name  string
	part  []byte // that is not yet written
	parts int64  // that are
	err   error
	done  bool
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (n int, err error) {
	for len(p) > 0 && w.err == nil {
		some := p[:min(len(p), partBytes-len(w.part))]
		w.part = append(w.part, some...)
		n, p = n+len(some), p[len(some):]
		if len(w.part) == partBytes {
			w.put()
		}
	}
	return n, w.err
}

func (w *writer) put() {
	if w.err = w.to.objects.Put(w.ctx, w.to.key(part(w.name, w.parts)), w.part, false); w.err == nil {
		w.parts++
		w.part = w.part[:0]
	}
}

// Close implements fragments.Writer. A file without bytes has no part.
func (w *writer) Close() error {
	if w.done {
		return nil
	}
	if len(w.part) > 0 && w.err == nil {
		w.put()
	}
	if w.err != nil {
		w.Abort()
		return w.err
	}
	w.done = true
	return nil
}

// mostAbort bounds the time that Abort takes: a worker whose store does not answer has to end, too.
const mostAbort = 30 * time.Second

// Abort implements fragments.Writer. What it cannot remove counts for nothing, and fragments.Clean removes it.
func (w *writer) Abort() {
	if w.done {
		return
	}
	w.done = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), mostAbort)
	defer cancel()
	var names []string
	for n := range w.parts + 1 { // the last one may have been written though there was an error
		names = append(names, part(w.name, n))
	}
	_ = w.to.removeThese(ctx, names)
}

// atOnce is how many objects are removed at the same time.
const atOnce = 16

// RemoveAll removes all objects whose names begin with a prefix.
func (b *Bucket) RemoveAll(ctx context.Context, prefix string) error {
	names, err := b.List(ctx, prefix)
	if err != nil {
		return err
	}
	return b.removeThese(ctx, names)
}

// removeThese removes objects, several at the same time, until one cannot be removed.
func (b *Bucket) removeThese(ctx context.Context, names []string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	left := make(chan string)
	var wg sync.WaitGroup
	for range min(atOnce, len(names)) {
		wg.Go(func() {
			for name := range left {
				if err := b.objects.Delete(ctx, b.key(name)); err != nil {
					cancel(err) // the first one counts
				}
			}
		})
	}
	for _, name := range names {
		left <- name
	}
	close(left)
	wg.Wait()
	return context.Cause(ctx)
}
