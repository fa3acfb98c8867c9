package diskcache

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/parquetsql/parquetsql/storage"
)

// Store is a store whose bytes are kept.
type Store struct {
	storage.Store
	address string
	folder  *folder

	// Blocks that are being read are not charged to any query: these bound them.
	short, long chan struct{}
}

// A short read fills few blocks. Longer ones than longRead are not kept.
const (
	shortRead  = 2 * blockSize
	longRead   = 8 << 20
	shortReads = 32
	longReads  = 4
)

// New keeps up to limit bytes of a store in a folder, which several stores and processes may
// share. address tells the store from others.
func New(s storage.Store, address, dir string, limit int64) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of the cache: %w", err)
	}
	return &Store{Store: s, address: address, folder: &folder{dir: dir, limit: limit}, short: make(chan struct{}, shortReads), long: make(chan struct{}, longReads)}, nil
}

// final is in place of the version of a file that is never written again; no store has such a one.
const final = "\x00"

// Close closes the store, if it can be closed. What is kept stays.
func (s *Store) Close() error {
	if c, ok := s.Store.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Open implements storage.Store.
func (s *Store) Open(e storage.Entry) storage.File {
	f := s.Store.Open(e)
	switch {
	case e.Version != "":
	case e.Final:
		e.Version = final
	default:
		return f
	}
	return &file{File: f, store: s, entry: e}
}

type file struct {
	storage.File
	store *Store
	entry storage.Entry
}

func (f *file) key(block int64) key {
	return keyOf(f.store.address, f.entry.Name, f.entry.Version, f.entry.Size, block)
}

// ReadAt implements storage.File.
func (f *file) ReadAt(ctx context.Context, p []byte, off int64) (n int, err error) {
	if off < 0 || off >= f.entry.Size || len(p) > longRead {
		return f.File.ReadAt(ctx, p, off)
	}
	want := p[:min(int64(len(p)), f.entry.Size-off)]
	for n < len(want) && err == nil {
		var more int
		if more = f.kept(ctx, want[n:], off+int64(n)); more == 0 {
			more, err = f.missing(ctx, want[n:], off+int64(n))
		}
		n += more
	}
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// kept copies the beginning of a range from the block that has it, 0 bytes if it is not kept.
func (f *file) kept(ctx context.Context, p []byte, off int64) int {
	block := off / blockSize
	data, ok := f.store.folder.get(f.key(block))
	at := off - block*blockSize
	if !ok || int64(len(data)) != min(blockSize, f.entry.Size-block*blockSize) {
		return 0
	}
	n := copy(p, data[at:])
	storage.TrafficOf(ctx).Cached.Add(int64(n))
	return n
}

// missing reads the blocks at the beginning of a range that are not kept, at once, and keeps them.
func (f *file) missing(ctx context.Context, p []byte, off int64) (int, error) {
	first, last := off/blockSize, (off+int64(len(p))-1)/blockSize
	for end := first + 1; end <= last; end++ {
		if _, err := os.Stat(f.store.folder.path(f.key(end))); err == nil {
			last = end - 1
		}
	}
	from := first * blockSize
	size := min((last+1)*blockSize, f.entry.Size) - from
	slots := f.store.long
	if size <= shortRead {
		slots = f.store.short
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	data := make([]byte, size)
	n, err := f.File.ReadAt(ctx, data, from)
	if int64(n) < size {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return max(0, copy(p, data[min(off-from, int64(n)):n])), err
	}
	for b := first; b <= last; b++ {
		f.store.folder.put(f.key(b), data[(b-first)*blockSize:min((b-first+1)*blockSize, size)])
	}
	return copy(p, data[off-from:]), nil
}
