package page

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// Options says how a chunk's pages are read.
type Options struct {
	// Source has the bytes: the file, or ranges of it that were fetched ahead.
	// It may implement Viewer.
	Source io.ReaderAt
	// Offset leads to the pages without reading the headers between them; nil
	// where the chunk has no offset index.
	Offset *fileformat.OffsetIndex
	// Reserve is called before a page is decompressed, with its size. Its error
	// ends the reading. Release is called when all that was reserved so far is no
	// longer in use. Either both are nil or none is.
	Reserve func(bytes int64) error
	Release func()
}

// Page is a page that was found: its header and where it lies.
type Page struct {
	fileformat.PageHeader
	Ordinal int   // among the chunk's data pages; -1: not a data page
	Offset  int64 // of the header
	Body    int64 // offset of the bytes behind the header
	First   int64 // the row with which it starts
	Rows    int64 // how many rows start in it; -1 where only decoding it can tell
	Whole   bool  // it surely begins and ends with a record
}

// Length is the size of header and body in the file.
func (p *Page) Length() int64 { return p.Body - p.Offset + int64(p.CompressedSize) }

// End is the row behind the page, or total where that is unknown.
func (p *Page) End(total int64) int64 {
	if p.Rows < 0 {
		return total
	}
	return p.First + p.Rows
}

// Reader goes from page to page of a chunk, in the order of the file or by the
// offset index. Index pages and pages of unknown types are passed over, as the
// format asks readers to do. It is for one goroutine at a time.
type Reader struct {
	chunk   *fileformat.ColumnChunk
	options Options
	window  window
	buffer  []byte // of decompressed pages that nothing points to

	start   int64 // of the chunk
	next    int64 // offset of the next header; without an index
	ordinal int   // of the next data page
	row     int64 // with which the next data page starts
	values  int64 // level entries of the pages passed; without an index
	totals  totals
}

// NewReader starts to read a chunk's pages. It checks the chunk's metadata and
// reads nothing.
func NewReader(c *fileformat.ColumnChunk, o Options) (*Reader, error) {
	offset, length, err := c.Range()
	if err != nil {
		return nil, err
	}
	return &Reader{
		chunk: c, options: o, start: offset, next: offset,
		window: newWindow(o.Source, offset+length, firstAhead),
	}, nil
}

// Close releases the reader's memory. Bytes that it handed out are no longer
// valid, but for those that were asked to stay.
func (r *Reader) Close() {
	r.window.close()
	giveBack(r.buffer)
	r.buffer = nil
	r.Release()
}

// Release says that no page that was decompressed so far is in use any more.
func (r *Reader) Release() {
	if r.options.Release != nil {
		r.options.Release()
	}
}

// reserve asks for the memory of a decompressed page.
func (r *Reader) reserve(bytes int64) error {
	if r.options.Reserve == nil {
		return nil
	}
	if err := r.options.Reserve(bytes); err != nil {
		return refusedError{err}
	}
	return nil
}

// readError is the source's failure rather than the file's.
type readError struct{ err error }

func (e readError) Error() string { return fmt.Sprintf("reading: %v", e.err) }
func (e readError) Unwrap() error { return e.err }

// refusedError is Reserve's error rather than the file's.
type refusedError struct{ err error }

func (e refusedError) Error() string { return e.err.Error() }
func (e refusedError) Unwrap() error { return e.err }

// Locate adds file, row group, column and offset to an error of this package or
// of a decoder of its pages. It is an *errs.CorruptError, unless the source
// failed, memory was refused, or the page is valid but cannot be read.
func (r *Reader) Locate(offset int64, err error) error {
	var read readError
	var refused refusedError
	if errors.As(err, &read) || errors.As(err, &refused) || errors.Is(err, errs.ErrUnsupported) || errors.Is(err, errs.ErrMemoryLimit) {
		return fmt.Errorf("parquet: file %q, row group %d, column %q, page at %d: %w",
			r.chunk.File().Name(), r.chunk.RowGroup.Index, r.chunk.Leaf.Dotted(), offset, err)
	}
	return r.chunk.Corrupt(offset, err)
}

// Row is the row with which the next data page starts.
func (r *Reader) Row() int64 { return r.row }
