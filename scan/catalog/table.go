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
func (f *OpenFile) Near() bool { return f.table.near() }

func (f *File) near() bool {
	_, given := f.snapshot.location.fsys.(givenFS)
	return !given
}

// Open has the file's footer, from the catalog's cache or the file, and checks that the file
// is still the one of the snapshot. A file of the system whose footer is known is opened when
// it is read: of many files no row group is. The context is that of asking for a key.
func (f *File) Open(ctx context.Context) (*OpenFile, error) {
	if f.err != nil {
		return nil, f.err
	}
	if known := f.known(); known != nil {
		if err := cmp.Or(f.fits(known), f.unchanged()); err != nil {
			return nil, err
		}
		return f.lent(known.file, nil), nil
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
	return f.lent(file, h), nil
}

func (f *File) lent(file *fileformat.File, h handle) *OpenFile {
	lent := f.snapshot.catalog.handles.lend(h, f.open)
	return &OpenFile{File: file, ReaderAt: lent, table: f, handle: lent}
}

// known is the metadata of a file of the system if no part of the file must be read for it, or
// nil. In a file system that was given, looking at a file may cost as much as opening it.
func (f *File) known() *footer {
	if !f.near() {
		return nil
	}
	if f.part != nil {
		return &footer{f.part, f.schema}
	}
	own, _ := cached[*footer](f.snapshot.catalog.meta, metaKey{fileKey: f.snapshot.fileKey(f)})
	return own
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
func (f *OpenFile) Unchanged() error { return f.table.unchanged() }

func (f *File) unchanged() error {
	info, err := f.snapshot.location.fsys.present(f.name)
	if err != nil {
		return f.notOpened(err)
	}
	return f.same(info)
}

// Close frees the handle; it may be called twice.
func (f *OpenFile) Close() error {
	f.once.Do(func() { f.err = f.handle.Close() })
	return f.err
}
