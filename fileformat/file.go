package fileformat

import (
	"context"
	"io"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Options says how a file is read.
type Options struct {
	Name            string // the file's name in errors
	VerifyChecksums bool   // check the CRC-32 of pages that have one
	Keys            Keys   // of encrypted files; nil: none are known
	Memory          int64  // bytes that a footer may take with what is made of it; 0: any
	Tail            int64  // bytes at the end of the file that are read first; 0: as for a disk
}

// File is an opened Parquet file: its footer, parsed. It holds no handle and
// is immutable, so that it may be cached and shared by goroutines. The bytes of
// pages and indexes come from a reader that the caller passes.
type File struct {
	Meta   *FileMetaData
	Schema *Schema

	options    Options
	size       int64
	dataEnd    int64 // where the footer begins: pages and indexes end before it
	footerSize int
	rowGroups  []*RowGroup

	encryption      *encryption // nil where nothing is encrypted
	footerEncrypted bool        // it is PARE at both ends
	locked          bool        // a chunk is encrypted and not unlocked
}

// Open is OpenContext without a context.
func Open(r io.ReaderAt, size int64, o Options) (*File, error) {
	return OpenContext(context.Background(), r, size, o)
}

// OpenContext reads the footer of a file of the given size: its end, once or, where the footer
// is longer than Options.Tail, twice. The context is that of the calls of Options.Keys.
func OpenContext(ctx context.Context, r io.ReaderAt, size int64, o Options) (*File, error) {
	x, err := ReadFooter(r, size, o)
	if err != nil {
		return nil, err
	}
	return x.Open(ctx, o)
}

// Footer is a footer as the file has it, which takes a fraction of what is made of it. It is
// immutable.
type Footer struct {
	bytes     []byte
	size      int64 // of the file
	encrypted bool
}

// ReadFooter is the part of OpenContext that reads the file.
func ReadFooter(r io.ReaderAt, size int64, o Options) (Footer, error) {
	f := &File{options: o, size: size}
	bytes, err := f.readFooter(r)
	return Footer{bytes, size, f.footerEncrypted}, err
}

// Len is how many bytes the footer has.
func (x Footer) Len() int { return len(x.bytes) }

// Open is the other part of OpenContext.
func (x Footer) Open(ctx context.Context, o Options) (_ *File, err error) {
	f := &File{options: o, size: x.size, footerEncrypted: x.encrypted, footerSize: len(x.bytes), dataEnd: x.size - tailSize - int64(len(x.bytes))}
	footer := x.bytes
	if f.footerEncrypted {
		if footer, err = f.openFooter(ctx, footer); err != nil {
			return nil, err
		}
	}
	if err := f.parse(ctx, footer); err != nil {
		return nil, err
	}
	return f, nil
}

// Name is the file's name as Options has it.
func (f *File) Name() string { return f.options.Name }

// Options is what the file was opened with.
func (f *File) Options() Options { return f.options }

// Size is the file's length in bytes.
func (f *File) Size() int64 { return f.size }

// DataEnd is the offset of the footer. Pages and indexes end before it.
func (f *File) DataEnd() int64 { return f.dataEnd }

// FooterSize is how many bytes the metadata took; the File holds about three to
// ten times as many.
func (f *File) FooterSize() int { return f.footerSize }

// NumRows is the sum of the row groups' rows.
func (f *File) NumRows() int64 { return f.Meta.NumRows }

// RowGroups are the file's row groups in order.
func (f *File) RowGroups() []*RowGroup { return f.rowGroups }

// corrupt is a CorruptError of this file. rowGroup and offset are -1 and
// column is empty where they are unknown.
func (f *File) corrupt(rowGroup int, column string, offset int64, err error) error {
	return &errs.CorruptError{File: f.options.Name, RowGroup: rowGroup, Column: column, Offset: offset, Err: err}
}
