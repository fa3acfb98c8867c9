package log

import (
	"cmp"
	"context"
	"io"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/storage"
)

// Table is a folder with a log. It may be used by several goroutines.
type Table struct {
	store  storage.Store
	folder string // below the store's
	places []storage.Place
	memory int64
	stats  int64

	mu   sync.Mutex
	last *Snapshot // nil: none was read
}

// Options says how a table is read.
type Options struct {
	Memory int64 // bytes that the state of a version may take; 0: any
	// Statistics is how many bytes the statistics of its files may take; 0: any. Of the files that
	// they are too many for only the number of rows is kept.
	Statistics int64
	Places     []storage.Place // where files are that the log has absolute paths of
}

// New is the table of a folder of a store.
func New(store storage.Store, folder string, o Options) *Table {
	return &Table{store: store, folder: folder, memory: o.Memory, stats: o.Statistics, places: o.Places}
}

// valid is the version that was read last, nil if the log does not have its mark any more as it
// was then: another table may be in its place.
func (t *Table) valid(l *Log) *Snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil || t.last.mark.Name == "" || l.mark(t.last.Version) != t.last.mark {
		return nil
	}
	return t.last
}

// keep makes a version the one that newer ones are made of, unless a newer one is that.
func (t *Table) keep(l *Log, s *Snapshot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil || s.Version >= t.last.Version || l.mark(t.last.Version) != t.last.mark {
		t.last = s
	}
}

// Forget lets go of the version that was read last.
func (t *Table) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = nil
}

// read is the bytes of a file as a text.
func (t *Table) read(ctx context.Context, e storage.Entry) (string, error) {
	f := t.store.Open(e)
	defer f.Close()
	data := make([]byte, e.Size)
	n, err := f.ReadAt(ctx, data, 0)
	if n < len(data) {
		return "", &errs.CorruptError{File: e.Name, RowGroup: -1, Offset: int64(n), Err: cmp.Or(err, io.ErrUnexpectedEOF)}
	}
	return string(data), nil
}

// readerAt is a file for those who know no context.
type readerAt struct {
	ctx  context.Context
	file storage.File
}

// ReadAt implements io.ReaderAt.
func (r readerAt) ReadAt(p []byte, off int64) (int, error) { return r.file.ReadAt(r.ctx, p, off) }
