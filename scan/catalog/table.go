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
	Scan  scan.Options // how the catalog wants it to be read

	// Virtual is set for tables that are computed and have no files (system
	// tables): it makes their rows, whose columns are Columns.
	Virtual func(ctx context.Context) ([]*vector.Batch, error)
}

// File is one file of a table.
type File struct {
	Path      string // below the location, with "/"; the base name where the location is one file
	Size      int64
	ModTime   time.Time
	Partition []vector.Scalar // by table column; only those of partition columns are set

	snapshot   *Snapshot
	name       string           // in the location's file system
	err        error            // why the file cannot be opened, where that is known
	footerRead atomic.Int64     // bytes of the footer that were read and not yet counted by a scan
	part       *fileformat.File // what a summary file says of this one, instead of its own footer
	schema     *schema
	columns    []nested.Column
	index      []int // by table column: the index into columns, or -1
}

// Column is table column i as this file has it, with the file's own type;
// false where the file has no such column, so that it is NULL, or where the
// values do not come from the file.
func (f *File) Column(i int) (nested.Column, bool) {
	if i >= len(f.index) || f.index[i] < 0 {
		return nested.Column{}, false
	}
	return f.columns[f.index[i]], true
}

// PartitionValue is the value of table column i, a partition column, for all rows of the file.
func (f *File) PartitionValue(i int) vector.Scalar { return f.Partition[i] }

// NestedOptions is how the file's columns are to be read.
func (f *File) NestedOptions() nested.Options { return f.snapshot.nestedOptions() }

// Damage is why the file has no footer although its table was made without it
// (scan.Options.OnCorruptSkip); nil for all other files.
func (f *File) Damage() error { return f.err }

// TakeFooterBytes is how many bytes of the footer were read since it was last
// called, so that each byte is counted by one scan.
func (f *File) TakeFooterBytes() int64 { return f.footerRead.Swap(0) }

func (s *Snapshot) nestedOptions() nested.Options {
	return nested.Options{BinaryAsString: s.catalog.config.BinaryAsString}
}

// OpenFile is a file that can be read from. It may be used by several
// goroutines until Close.
type OpenFile struct {
	*fileformat.File
	io.ReaderAt

	table  *File
	handle handle
	once   sync.Once
	err    error
}

// Open opens the file and checks that it is still the one of the snapshot. The
// footer comes from the catalog's cache.
func (f *File) Open() (*OpenFile, error) {
	if f.err != nil {
		return nil, f.err
	}
	h, err := f.snapshot.location.fsys.open(f.name)
	if err != nil {
		return nil, f.notOpened(err)
	}
	out := &OpenFile{ReaderAt: h, table: f, handle: h}
	info, err := h.Stat()
	if err == nil {
		err = f.same(info)
	}
	if err == nil {
		out.File, err = f.footer(h)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return out, nil
}

// footer is the file's own footer or what a summary says instead of it.
func (f *File) footer(h handle) (*fileformat.File, error) {
	if f.part != nil {
		return f.part, nil
	}
	own, err := f.snapshot.footer(f, h)
	if err != nil {
		return nil, err
	}
	if own.schema != f.schema && own.schema.fields != f.schema.fields {
		return nil, &errs.ChangedError{File: f.Path} // with the same size at the same time
	}
	return own.file, nil
}

// same is an error where the file's size or time is not the snapshot's.
func (f *File) same(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("parquet: file %q is a folder", f.Path)
	case info.Size() != f.Size || !info.ModTime().Equal(f.ModTime):
		return &errs.ChangedError{File: f.Path}
	}
	return nil
}

// notOpened is the error of a file that the snapshot has and that cannot be opened.
func (f *File) notOpened(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &errs.ChangedError{File: f.Path, Err: err}
	}
	return fmt.Errorf("parquet: file %q: %w", f.Path, err)
}

// Unchanged is an error where the file was changed or replaced since the
// snapshot: rows read since Open must then not be given out.
func (f *OpenFile) Unchanged() error {
	info, err := f.table.snapshot.location.fsys.stat(f.table.name)
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
