package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/storage"
)

// Open implements storage.Store.
func (s *Store) Open(e storage.Entry) storage.File { return &file{store: s, entry: e} }

// leastProgress is how much must come of a body that ends too early so that it counts as no
// failure: with less, a server could be asked for ever.
const leastProgress = 64 << 10

// file is one version of an object. Where the entry has none, as those of files that a table's
// log names, it is the version of the first answer.
type file struct {
	store  *Store
	entry  storage.Entry
	first  atomic.Pointer[string]
	closed atomic.Bool
}

// version is the version to be read, "" if any will do.
func (f *file) version() string {
	if v := f.first.Load(); v != nil {
		return *v
	}
	return f.entry.Version
}

// is reports whether an answer is of the version that is read.
func (f *file) is(a *Answer) bool {
	if f.entry.Version == "" {
		f.first.CompareAndSwap(nil, &a.Version)
	}
	return a.Size == f.entry.Size && a.Version == f.version()
}

// ReadAt implements storage.File.
func (f *file) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if f.closed.Load() {
		return 0, fs.ErrClosed
	}
	if off < 0 || off >= f.entry.Size {
		return 0, io.EOF
	}
	want := p[:min(int64(len(p)), f.entry.Size-off)]
	n, err := f.read(ctx, want, off)
	if errors.Is(err, fs.ErrNotExist) {
		err = &storage.OpenError{Err: err}
	}
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// Unchanged implements storage.File: each read names the version.
func (f *file) Unchanged(context.Context) error { return nil }

// Verify implements storage.File: all that was read is of one version.
func (f *file) Verify(context.Context) error { return nil }

// Close implements storage.File.
func (f *file) Close() error {
	f.closed.Store(true)
	return nil
}

// read fills p from the tails or with requests. A body that ends too early goes on where it
// stopped.
func (f *file) read(ctx context.Context, p []byte, off int64) (n int, err error) {
	if len(p) == 0 || f.store.tails.read(f.entry, p, off) {
		return len(p), nil
	}
	var patience patience
	for {
		more, err := f.piece(ctx, p[n:], off+int64(n))
		storage.TrafficOf(ctx).Bytes.Add(int64(more))
		if n += more; n == len(p) {
			f.store.tails.wasRead(f.entry, p, off)
			return n, nil
		}
		if ofContext(err) {
			return n, err
		}
		if more >= leastProgress {
			patience.progress()
		}
		if err := patience.again(ctx, err); err != nil {
			return n, err
		}
		storage.TrafficOf(ctx).Retries.Add(1)
	}
}

// piece sends one request for the rest of a range.
func (f *file) piece(ctx context.Context, p []byte, off int64) (n int, err error) {
	r := Range{Name: f.entry.Name, Version: f.version(), Off: off, N: int64(len(p))}
	err = f.store.request(ctx, r, func(a *Answer, alive func()) (err error) {
		switch {
		case !f.is(a):
			return &Error{Kind: Changed, Reason: "it is another version than the listing had"}
		case a.Off != off:
			return &Error{Reason: fmt.Sprintf("the server answers with bytes from %d on, asked for those from %d on", a.Off, off), Help: "it must answer requests of ranges"}
		}
		n, err = fill(a.Body, p, alive)
		return err
	})
	return n, err
}
