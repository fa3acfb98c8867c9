package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/vector"
)

// Table is the union of some files by column name. It is immutable.
type Table struct {
	scan.Table
	Files []*File
	Scan  scan.Options // how the table is read
}

// File is one file of a table.
type File struct {
	Path      string // below the location, with "/"; the base name if the location is one file
	Size      int64
	ModTime   time.Time
	Partition []vector.Scalar // by table column; set only for partition columns

	snapshot   *Snapshot
	entry      storage.Entry    // in the location's store
	err        error            // why the file cannot be opened, if known
	footerRead atomic.Int64     // bytes of the footer that were read but not yet counted by a scan
	part       *fileformat.File // this file's metadata from a summary file, used instead of its own footer
	schema     *schema
	columns    []nested.Column
	index      []int               // by table column: the index into columns, or -1
	valueless  map[int]vector.Type // by index into columns: see valueless.go
}

// Column returns table column i with this file's own type, which has NULL in place of what
// never has a value in this file and does not fit the table's type. It is false if the values
// do not come from the file, or if the file has no such column (its rows have NULL).
func (f *File) Column(i int) (nested.Column, bool) {
	if i >= len(f.index) || f.index[i] < 0 {
		return nested.Column{}, false
	}
	c := f.columns[f.index[i]]
	if t, ok := f.valueless[f.index[i]]; ok {
		c.Type = t
	}
	return c, true
}

// PartitionValue returns the value that all rows of the file have in table column i, a
// partition column.
func (f *File) PartitionValue(i int) vector.Scalar { return f.Partition[i] }

// NestedOptions says how the file's columns are read.
func (f *File) NestedOptions() nested.Options { return f.snapshot.nestedOptions() }

// Damage returns the error of a file whose footer is damaged and which
// scan.Options.OnCorruptSkip skips; nil for all other files.
func (f *File) Damage() error { return f.err }

// TakeFooterBytes returns how many bytes of the footer were read since its last call,
// so that only one scan counts each byte.
func (f *File) TakeFooterBytes() int64 { return f.footerRead.Swap(0) }

func (s *Snapshot) nestedOptions() nested.Options {
	return nested.Options{BinaryAsString: s.catalog.config.BinaryAsString, VariantGroups: s.catalog.config.VariantGroups}
}

// OpenFile is an open file. Several goroutines may use it until Close.
type OpenFile struct {
	*fileformat.File

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
func (f *OpenFile) Cost() storage.Cost { return f.table.snapshot.location.store.Cost() }

// Open has the file's footer, from the catalog's cache or the file, and checks that the file
// is still the one of the snapshot. A file whose footer is known is opened when it is read: of
// many files no row group is. The context is that of asking for a key.
func (f *File) Open(ctx context.Context) (*OpenFile, error) {
	if f.err != nil {
		return nil, f.err
	}
	h := f.snapshot.location.store.Open(f.entry)
	file, err := f.metadata(ctx, h)
	if err != nil {
		_ = h.Close() // the first error counts
		return nil, err
	}
	return &OpenFile{File: file, table: f, bytes: h}, nil
}

func (f *File) metadata(ctx context.Context, h storage.File) (*fileformat.File, error) {
	if known := f.known(); known != nil {
		return known.file, cmp.Or(f.fits(known), f.readError(h.Unchanged(ctx)))
	}
	return f.footer(ctx, h)
}

// known is the metadata of a file if no part of the file must be read for it, or nil.
func (f *File) known() *footer {
	if f.part != nil {
		return &footer{f.part, f.schema}
	}
	return f.snapshot.knownFooter(metaKey{fileKey: f.snapshot.fileKey(f)})
}

// footer reads the file's metadata.
func (f *File) footer(ctx context.Context, h storage.File) (*fileformat.File, error) {
	own, err := f.snapshot.footer(ctx, f, h)
	if err != nil {
		return nil, err
	}
	return own.file, f.fits(own)
}

// fits fails if a footer is not that of the snapshot: the size and the time are the same, the
// schema is not.
func (f *File) fits(own *footer) error {
	if own.schema != f.schema && own.schema.fields != f.schema.fields {
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

// readError is an error of the store with the name that the user knows.
func (f *File) readError(err error) error {
	var opening *storage.OpenError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, storage.ErrChanged):
		return &errs.ChangedError{File: f.Path}
	case !errors.As(err, &opening):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &errs.ChangedError{File: f.Path, Err: opening.Err}
	}
	return fmt.Errorf("file %q: %w", f.Path, opening.Err)
}

// Unchanged fails if the file was changed or replaced since the snapshot. Rows read
// since Open must then not be returned.
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
