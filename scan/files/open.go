package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/storage"
)

// OpenFile is an open file. Several goroutines may use it until Close.
type OpenFile struct {
	*fileformat.File
	Columns *mapping.Columns // where the table's columns are; of a file without mapping nil

	table *File
	bytes storage.File
	once  sync.Once
	err   error
}

// ReadAt reads until ctx ends. If it ends during the read, the file may still write to p. Of a
// file that was replaced it reads nothing.
func (f *OpenFile) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := f.bytes.ReadAt(ctx, p, off)
	if changed := f.Unchanged(ctx); changed != nil {
		return 0, changed
	}
	return n, f.table.readError(err)
}

// Reader is the file for those who know no context.
func (f *OpenFile) Reader(ctx context.Context) io.ReaderAt { return readerAt{ctx, f} }

type readerAt struct {
	ctx  context.Context
	file *OpenFile
}

// ReadAt implements io.ReaderAt.
func (r readerAt) ReadAt(p []byte, off int64) (int, error) { return r.file.ReadAt(r.ctx, p, off) }

// Cost is what reads of the file cost.
func (f *OpenFile) Cost() storage.Cost { return f.table.Store.Cost() }

// Open has the file's footer, from the cache or the file. A file whose footer is known is opened
// when it is read, and compared with the entry then: of many files no row group is.
// The context is that of asking for a key.
func (f *File) Open(ctx context.Context) (*OpenFile, error) {
	if f.Err != nil {
		return nil, f.Err
	}
	e := f.entry()
	h := f.Store.Open(e)
	own, err := f.metadata(ctx, e, h)
	if f.resized(ctx, e, err) {
		_ = h.Close() // nothing was read
		e = f.entry()
		h = f.Store.Open(e)
		own, err = f.metadata(ctx, e, h)
	}
	if err != nil {
		_ = h.Close() // the first error counts
		return nil, err
	}
	columns, err := f.columns(own)
	if err != nil {
		_ = h.Close()
		return nil, err
	}
	return &OpenFile{File: own.file, Columns: columns, table: f, bytes: h}, nil
}

// metadata has the footer of the file as it is opened: as the entry e.
func (f *File) metadata(ctx context.Context, e storage.Entry, h storage.File) (*footer, error) {
	if known := f.known(e); known != nil {
		return known, cmp.Or(f.fits(known), f.readError(h.Unchanged(ctx)))
	}
	own, err := f.footers.footer(ctx, f, e, h)
	if err != nil {
		return nil, err
	}
	return own, f.fits(own)
}

// columns asks the mapping.
func (f *File) columns(own *footer) (*mapping.Columns, error) {
	if f.Mapping == nil {
		return nil, nil
	}
	out, err := f.Mapping.In(own.schema.Columns, f.NestedOptions())
	if err != nil {
		return nil, fmt.Errorf("file %q: %w", f.Path, err)
	}
	return out, nil
}

// known is the metadata of a file if no part of the file must be read for it, or nil.
func (f *File) known(e storage.Entry) *footer {
	if f.part != nil {
		return &footer{f.part, f.schema}
	}
	if own := f.near.Swap(nil); own != nil && f.actual.Load() == nil {
		return own
	}
	return f.footers.known(metaKey{fileKey: f.footers.fileKey(f, e)}, cached)
}

// Near reports whether no part of the file must be read to have its footer, which the next who
// opens it then has without looking.
func (f *File) Near() bool {
	if f.part != nil || f.near.Load() != nil {
		return true
	}
	e, resized := f.entry(), f.actual.Load() != nil
	if own := f.footers.known(metaKey{fileKey: f.footers.fileKey(f, e)}, present); own != nil {
		if !resized {
			f.near.Store(own)
		}
		return true
	}
	raw := f.footers.cache.raw
	return raw != nil && raw.has(metaKey{fileKey: f.footers.fileKey(f, e)})
}

// fits fails if a footer is not the expected one: the size and the time are the same, the
// schema is not.
func (f *File) fits(own *footer) error {
	if f.schema != nil && own.schema != f.schema && own.schema.fields != f.schema.fields {
		return &errs.ChangedError{File: f.Path}
	}
	return nil
}

// Unlock makes the leaves readable if they are encrypted: see fileformat.File.Unlock. It
// must not be called while others use the file.
func (f *OpenFile) Unlock(ctx context.Context, leaves []int) error {
	unlocked, err := f.File.Unlock(ctx, leaves)
	if err == nil {
		f.File = unlocked
	}
	return err
}

// UnlockKnown unlocks all leaves whose keys are known. It must not be called while others
// use the file.
func (f *OpenFile) UnlockKnown(ctx context.Context) error {
	unlocked, err := f.File.UnlockKnown(ctx)
	if err == nil {
		f.File = unlocked
	}
	return err
}

// Metadata is the file's footer, which is read anew only if the cache does not have it, and where
// the table's columns are. The file may have changed since it was listed: it is for estimates.
func (f *File) Metadata(ctx context.Context) (*fileformat.File, *mapping.Columns, error) {
	if f.Err != nil {
		return nil, nil, f.Err
	}
	e := f.entry()
	own := f.known(e)
	if own == nil {
		var err error
		if own, err = f.footers.read(ctx, f, e); f.resized(ctx, e, err) {
			own, err = f.footers.read(ctx, f, f.entry())
		}
		if err != nil {
			return nil, nil, err
		}
	}
	columns, err := f.columns(own)
	return own.file, columns, err
}

// entry is the file in its store. It changes once where the size in it is found to be wrong: who opens the file
// takes it once.
func (f *File) entry() storage.Entry {
	if e := f.actual.Load(); e != nil {
		return *e
	}
	return f.Entry
}

// sizeError says that a file has another size than the metadata of its table say.
type sizeError struct{ size int64 }

// Error implements error.
func (e *sizeError) Error() string {
	return fmt.Sprintf("its size is not %d bytes, as the log or the metadata of the table say", e.size)
}

// resized asks the store for the size of a file where an error of reading it as the entry e says that it is
// another one than metadata have: some writers have a wrong one. Another goroutine may have asked before.
// It is false where that is not what is wrong.
func (f *File) resized(ctx context.Context, e storage.Entry, err error) bool {
	return err != nil && f.sizedWrong(ctx, e, err)
}

// sizedWrong is resized of an error: where there is none, nothing is made to look into it.
func (f *File) sizedWrong(ctx context.Context, e storage.Entry, err error) bool {
	var size *sizeError
	if !errors.As(err, &size) {
		return false
	}
	if f.actual.Load() == nil {
		actual, err := f.Store.Stat(ctx, f.Entry.Name)
		if err != nil || actual.Err != nil || actual.Folder || actual.Size == f.Entry.Size {
			return false // the first error counts
		}
		f.actual.CompareAndSwap(nil, &actual)
	}
	return f.entry().Size != e.Size
}

// readError is an error of the store with the name that the user knows.
func (f *File) readError(err error) error {
	if err == nil {
		return nil
	}
	return f.named(err)
}

// named is readError of an error.
func (f *File) named(err error) error {
	var opening *storage.OpenError
	switch {
	case f.Unlisted && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("file %q, which the log or the metadata of the table name, is not there: was it removed (VACUUM, expired snapshots), or not copied with the table? %w", f.Path, err)
	case f.Unlisted && errors.Is(err, storage.ErrChanged):
		return &errs.CorruptError{File: f.Path, RowGroup: -1, Offset: -1, Err: &sizeError{f.entry().Size}}
	case errors.Is(err, storage.ErrChanged):
		return &errs.ChangedError{File: f.Path}
	case !errors.As(err, &opening):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &errs.ChangedError{File: f.Path, Err: opening.Err}
	}
	return fmt.Errorf("file %q: %w", f.Path, opening.Err)
}

// Unchanged fails if the file was changed since it was listed; that it was replaced may be found by
// Verify only. Rows read since Open must then not be returned.
func (f *OpenFile) Unchanged(ctx context.Context) error {
	return f.table.readError(f.bytes.Unchanged(ctx))
}

// Verify is Unchanged even if that takes a request. It is called once all that is needed was
// read.
func (f *OpenFile) Verify(ctx context.Context) error {
	return f.table.readError(f.bytes.Verify(ctx))
}

// Close frees the file; it may be called twice.
func (f *OpenFile) Close() error {
	f.once.Do(func() { f.err = f.bytes.Close() })
	return f.err
}
