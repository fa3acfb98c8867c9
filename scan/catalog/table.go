package catalog

import (
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
	"github.com/parquetsql/parquetsql/vector"
)

// Table is the union of some files by column name. It is immutable.
type Table struct {
	scan.Table
	Files []*File
	Scan  scan.Options // how the table is read

	// Virtual is set for computed tables without files (system tables). It makes the
	// rows; their columns are Columns.
	Virtual func(ctx context.Context) ([]*vector.Batch, error)
}

// File is one file of a table.
type File struct {
	Path      string // below the location, with "/"; the base name if the location is one file
	Size      int64
	ModTime   time.Time
	Partition []vector.Scalar // by table column; set only for partition columns

	snapshot   *Snapshot
	name       string           // in the location's file system
	err        error            // why the file cannot be opened, if known
	footerRead atomic.Int64     // bytes of the footer that were read but not yet counted by a scan
	part       *fileformat.File // this file's metadata from a summary file, used instead of its own footer
	schema     *schema
	columns    []nested.Column
	index      []int // by table column: the index into columns, or -1
}

// Column returns table column i with this file's own type. It is false if the values
// do not come from the file, or if the file has no such column (its rows have NULL).
func (f *File) Column(i int) (nested.Column, bool) {
	if i >= len(f.index) || f.index[i] < 0 {
		return nested.Column{}, false
	}
	return f.columns[f.index[i]], true
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
	io.ReaderAt

	table  *File
	handle *lentHandle
	once   sync.Once
	err    error
}

// ReadUntil is ReadAt until ctx ends. If it ends during the read, the file may still write to p.
func (f *OpenFile) ReadUntil(ctx context.Context, p []byte, off int64) (int, error) {
	return f.handle.readUntil(ctx, p, off)
}

// Near reports whether the file is in a folder of the system, not in a file system that was
// given: there each read may be a request.
func (f *OpenFile) Near() bool {
	_, given := f.table.snapshot.location.fsys.(givenFS)
	return !given
}

// Open opens the file and checks that it is still the one of the snapshot. The
// footer comes from the catalog's cache. The context is that of asking for a key.
func (f *File) Open(ctx context.Context) (*OpenFile, error) {
	if f.err != nil {
		return nil, f.err
	}
	h, err := f.open()
	if err != nil {
		return nil, err
	}
	file, err := f.footer(ctx, h)
	if err != nil {
		h.Close()
		return nil, err
	}
	lent := f.snapshot.catalog.handles.lend(h, f.open)
	return &OpenFile{File: file, ReaderAt: lent, table: f, handle: lent}, nil
}

// open opens the file if it is still the one of the snapshot.
func (f *File) open() (handle, error) {
	h, err := f.snapshot.location.fsys.open(f.name)
	if err != nil {
		return nil, f.notOpened(err)
	}
	info, err := h.Stat()
	if err == nil {
		err = f.same(info)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// footer returns the file's metadata, from a summary file if that names the file.
func (f *File) footer(ctx context.Context, h handle) (*fileformat.File, error) {
	if f.part != nil {
		return f.part, nil
	}
	own, err := f.snapshot.footer(ctx, f, h)
	if err != nil {
		return nil, err
	}
	if own.schema != f.schema && own.schema.fields != f.schema.fields {
		return nil, &errs.ChangedError{File: f.Path} // the size and the time are the same, the schema is not
	}
	return own.file, nil
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

// same fails if the file's size or time is not the snapshot's.
func (f *File) same(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("file %q is a folder", f.Path)
	case info.Size() != f.Size || !info.ModTime().Equal(f.ModTime):
		return &errs.ChangedError{File: f.Path}
	}
	return nil
}

// notOpened is the error of a file of the snapshot that cannot be opened.
func (f *File) notOpened(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &errs.ChangedError{File: f.Path, Err: err}
	}
	return fmt.Errorf("file %q: %w", f.Path, err)
}

// Unchanged fails if the file was changed or replaced since the snapshot. Rows read
// since Open must then not be returned.
func (f *OpenFile) Unchanged() error {
	info, err := f.table.snapshot.location.fsys.present(f.table.name)
	if err != nil {
		return f.table.notOpened(err)
	}
	return f.table.same(info)
}

// Close frees the handle; it may be called twice.
func (f *OpenFile) Close() error {
	f.once.Do(func() { f.err = f.handle.Close() })
	return f.err
}
