package column

import (
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// Options says how a column chunk is read.
type Options struct {
	// Source has the bytes: the file, or ranges of it that were fetched ahead. It
	// may implement page.Viewer.
	Source io.ReaderAt
	// Levels requests definition and repetition levels. Without it, batches of a
	// column that is not repeated have a bitmap of the rows with a value instead;
	// batches of a repeated column always have levels.
	Levels bool
	// Offset lets Skip jump over pages without reading their headers; nil if the
	// chunk has no offset index.
	Offset *fileformat.OffsetIndex
	// NoDictionaryCodes requests values even where the chunk has dictionary codes.
	NoDictionaryCodes bool
	// WholePages says that a page with any damage is lost completely: its levels and
	// values are decoded to the end before its first row is delivered, and then a
	// second time. Without it, rows before the damage may already be delivered when
	// the damage is found; how many depends on the batches.
	WholePages bool
	// Check, with WholePages, checks that the first n of the given values are valid
	// for the column's logical type; nil means that all values are. An error is
	// damage of their page, or of the dictionary.
	Check func(v *Values, n int) error
	// Reserve is called with a size before memory of a page is allocated; Read returns
	// its error. Release is called when so many bytes of what was reserved are not in use any
	// longer, neither by the reader nor by its last batch. Either both are nil or neither is.
	Reserve func(bytes int64) error
	Release func(bytes int64)
	// Crowded, unless nil, says that memory is short: batches end with the page of their strings, or in a long one.
	Crowded func() bool
	// MostExpanded is how long a page may be that has few bytes in the file: see
	// page.Options.
	MostExpanded int64
	ShortPieces  bool // see page.Options
	// Lent says that nobody keeps a string longer than its batch, so that the reader uses
	// the memory again. It does not mean strings of a dictionary.
	Lent bool
	// LentDictionary says that nobody keeps a string of the dictionary after Close, unless
	// Dictionary.Keep was called before.
	LentDictionary bool
	// Memory is what batches are collected in, and dictionaries where they are lent. Several
	// readers may have the same one after another. It may be nil.
	Memory *Memory
	// Interrupt is called from time to time within long pages, and when a few bytes stand for many rows; its
	// error ends the reading. It may be nil.
	Interrupt func() error
}

// Batch is some rows of a leaf column. It is valid until the reader's next call;
// strings stay valid after that, unless they are Lent. It must not be written to: values
// may lie in the page, or in memory of Source.
type Batch struct {
	Rows  int // records; only whole ones if the column is repeated
	Count int // level entries; equal to Rows if the column is not repeated

	Def, Rep []uint8  // Count levels each; nil if not requested or if the maximum is 0
	Valid    []uint64 // without levels: a bitmap over Rows, least significant bit first; nil: no NULL
	Nulls    int      // entries without a value

	// The NonNull values that are present, without gaps. Either Dict is not nil and
	// Codes has one index into it per value, or Values has the values.
	NonNull int
	Dict    *Dictionary
	Codes   []int32
	Values  Values
}

// Values has values in the slice that belongs to the column's physical type;
// byte arrays of both kinds are in Bytes.
type Values struct {
	Bool   []bool
	Int32  []int32
	Int64  []int64
	Int96  []Int96
	Float  []float32
	Double []float64
	Bytes  []string
}

// Int96 is the deprecated type as it is stored: for timestamps 8 bytes of
// nanoseconds of the day and 4 bytes of Julian day, little-endian.
type Int96 = encoding.Int96

// Dictionary has the distinct values that a chunk's codes stand for. A chunk has at
// most one, and all its batches point to it.
type Dictionary struct {
	Values Values
	Len    int
	lender *Reader // see Options.LentDictionary; nil: its strings stay
}

// Stats counts what a reader did. A page is a data page.
type Stats struct {
	PagesDecoded int64 // decompressed, decoded or both
	PagesSkipped int64 // neither, for any reason; only pages that were passed
	BytesDecoded int64 // of the decoded pages, in the file, without headers; the dictionary included
}

// DamageError is the error of Read and Skip for a part of a chunk that cannot be
// read. The rows from FirstRow up to EndRow, within the row group, are lost to this
// column; all rows before FirstRow were delivered or skipped. These are the rows of a
// page if the specification's rules for error recovery allow to continue after the
// page, and else all rows to the end of the row group. Read returns the error again
// until Skip has passed EndRow.
type DamageError struct {
	Err              *errs.CorruptError
	FirstRow, EndRow int64
}

func (e *DamageError) Error() string { return e.Err.Error() }

// Unwrap gives the CorruptError.
func (e *DamageError) Unwrap() error { return e.Err }
