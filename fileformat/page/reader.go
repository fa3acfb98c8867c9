package page

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/crypto"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// Options says how a chunk's pages are read.
type Options struct {
	// Source has the bytes: the file, or ranges of it that were fetched ahead.
	// It may implement Viewer.
	Source io.ReaderAt
	// Offset gives the pages' offsets, so that the headers between them are not
	// read; nil if the chunk has no offset index.
	Offset *fileformat.OffsetIndex
	// Reserve is called with a size before that memory is allocated, of bytes from the
	// file, of decrypted and of decompressed pages. Its error ends the reading. Release is
	// called when of the memory reserved so many bytes are not in use any longer, neither by
	// the reader nor by the batch at hand: see Reader.Free. Either both are nil or neither is.
	Reserve func(bytes int64) error
	Release func(bytes int64)
	// LentDictionary says that bytes of the dictionary page are valid until Close.
	LentDictionary bool
	// MostExpanded is how long a page may be whose bytes in the file are out of
	// proportion to that: see checkExpansion. Less than MinExpanded counts as that.
	MostExpanded int64
	// Interrupt is called from time to time while a long page is decompressed; its error ends
	// that. It may be nil.
	Interrupt func() error
	// ShortPieces says that many columns are read together, so that each should take little
	// memory.
	ShortPieces bool
}

func (o *Options) interrupted() error {
	if o.Interrupt == nil {
		return nil
	}
	return o.Interrupt()
}

// Page is a page that was found: its header and its place in the file.
type Page struct {
	fileformat.PageHeader
	Ordinal int   // among the chunk's data pages; -1: not a data page
	Offset  int64 // of the header
	Body    int64 // offset of the bytes after the header
	First   int64 // its first row
	Rows    int64 // how many rows start in it; -1 if only decoding it can tell
	Whole   bool  // it is known to have only whole records
}

// Length is the size of header and body in the file.
func (p *Page) Length() int64 { return p.Body - p.Offset + int64(p.CompressedSize) }

// End is the row after the page, or total if that is unknown.
func (p *Page) End(total int64) int64 {
	if p.Rows < 0 {
		return total
	}
	return p.First + p.Rows
}

// Reader goes from page to page of a chunk, in the order of the file or by the
// offset index. It skips index pages and pages of unknown types, as the format
// demands of readers. It is for one goroutine at a time.
type Reader struct {
	chunk   *fileformat.ColumnChunk
	options Options
	window  window
	account account
	kept    int64 // bytes reserved for the dictionary, which stays

	buffer  piece // of the page that was decompressed last, unless that stays for ever
	lasting int64 // charged for it where it does
	pieces  *Pieces

	copied     piece // of a page that is decompressed in pieces; see Pieces.Copy
	dictionary piece // the dictionary page, where that is lent; kept has what is charged

	cipher      *crypto.Chunk // nil where the pages are not encrypted
	headerBytes []byte        // of the last header that was decrypted
	guessed     bool          // the mode of the body that was decrypted last is not certain

	start   int64 // of the chunk
	next    int64 // offset of the next header; without an index
	ordinal int   // of the next data page
	row     int64 // first row of the next data page
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
	r := &Reader{
		chunk: c, options: o, cipher: c.Cipher(), start: offset, next: offset,
	}
	r.account = account{&r.options}
	r.window = newWindow(o.Source, offset+length, firstAhead, r.account)
	return r, nil
}

// Close releases the reader's memory. Bytes that it handed out are no longer valid, but
// for those that stay for ever.
func (r *Reader) Close() {
	r.Free(false)
	r.window.passed.add(&r.buffer)
	r.window.passed.add(&r.copied)
	r.window.passed.add(&r.dictionary)
	r.window.close()
	r.account.release(r.kept)
	r.kept = 0
}

// readError is a failure of the source, not damage of the file.
type readError struct{ err error }

func (e readError) Error() string { return fmt.Sprintf("reading: %v", e.err) }
func (e readError) Unwrap() error { return e.err }

// refusedError is an error of Reserve, not damage of the file.
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
		return fmt.Errorf("file %q, row group %d, column %q, page at %d: %w",
			r.chunk.File().Name(), r.chunk.RowGroup.Index, r.chunk.Leaf.Dotted(), offset, err)
	}
	return r.chunk.Corrupt(offset, err)
}

// Row is the first row of the next data page.
func (r *Reader) Row() int64 { return r.row }
