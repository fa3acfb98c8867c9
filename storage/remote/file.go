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

// file is one version of an object.
type file struct {
	store  *Store
	entry  storage.Entry
	closed atomic.Bool
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
	n, err := f.store.read(ctx, f.entry, want, off)
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
func (s *Store) read(ctx context.Context, e storage.Entry, p []byte, off int64) (n int, err error) {
	if len(p) == 0 || s.tails.read(e, p, off) {
		return len(p), nil
	}
	var patience patience
	for {
		more, err := s.piece(ctx, e, p[n:], off+int64(n))
		storage.TrafficOf(ctx).Bytes.Add(int64(more))
		if n += more; n == len(p) {
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
func (s *Store) piece(ctx context.Context, e storage.Entry, p []byte, off int64) (n int, err error) {
	r := Range{Name: e.Name, Version: e.Version, Off: off, N: int64(len(p))}
	err = s.request(ctx, r, func(a *Answer, alive func()) (err error) {
		switch {
		case a.Size != e.Size || a.Version != e.Version:
			return &Error{Kind: Changed, Reason: "it is another version than the listing had"}
		case a.Off != off:
			return &Error{Reason: fmt.Sprintf("the server answers with bytes from %d on, asked for those from %d on", a.Off, off), Help: "it must answer requests of ranges"}
		}
		n, err = fill(a.Body, p, alive)
		return err
	})
	return n, err
}
