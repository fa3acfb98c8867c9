package column

import (
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// Options says how a column chunk is read.
type Options struct {
	// Source is where the bytes come from: the file, or ranges of it that were
	// fetched ahead. See page.Viewer for what it may offer besides.
	Source io.ReaderAt
	// Levels delivers definition and repetition levels. Without it a column
	// that is not repeated gives a bitmap of its NULLs; a repeated one always
	// gives levels.
	Levels bool
	// Offset lets Skip jump over pages without reading their headers; nil
	// where the chunk has none.
	Offset *fileformat.OffsetIndex
	// NoDictionaryCodes delivers values where the chunk has codes, too.
	NoDictionaryCodes bool
	// WholePages makes a page that is damaged anywhere be lost whole: its levels
	// and values are decoded to the end before its first row is delivered, and so
	// twice. Without it the rows before the damage may have been delivered when
	// it shows, as many as the batches happen to hold.
	WholePages bool
	// Check, with WholePages, says whether the first n of some values are of the
	// column's logical type; nil: all are. An error is damage of their page, or
	// of the dictionary.
	Check func(v *Values, n int) error
	// Reserve is asked before a page is decompressed, with its size; where it
	// is an error, that is what Read returns. Release is called when the reader
	// is done with all that it asked for so far, though strings may live on.
	// Either both are nil or none is.
	Reserve func(bytes int64) error
	Release func()
	// Interrupt is called now and then where a few bytes stand for many rows; its
	// error ends the reading. It may be nil.
	Interrupt func() error
}

// Batch is some rows of a leaf column. It is valid until the reader's next
// call, but for the strings, which stay. It must not be written to: values may lie
// in the page, or in memory that Source keeps.
type Batch struct {
	Rows  int // records; where the column is repeated, whole ones only
	Count int // level entries; as many as Rows where the column is not repeated

	Def, Rep []uint8  // Count levels each; nil where not asked for or the maximum is 0
	Valid    []uint64 // without levels: a bitmap over Rows, least significant bit first; nil: no NULL
	Nulls    int      // entries without a value

	// The values that are present, NonNull of them, without gaps. Either Dict
	// is not nil and Codes has an index into it for each, or Values has them.
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

// Dictionary has the distinct values that a chunk's codes stand for. A chunk
// has one at most, and all its batches point to the same.
type Dictionary struct {
	Values Values
	Len    int
}

// Stats counts what a reader did. A page is a data page.
type Stats struct {
	PagesDecoded int64 // decompressed, decoded or both
	PagesSkipped int64 // neither, for whatever reason, as far as they were passed
	BytesDecoded int64 // of the decoded pages, in the file, without headers; the dictionary included
}

// DamageError is a part of a chunk that cannot be read, from Read and Skip. The
// rows from FirstRow up to EndRow, within the row group, are lost to this
// column; all before FirstRow were delivered or skipped. It is a page's rows
// where the specification's rules for error recovery allow to go on behind the
// page, and else all rows to the end of the row group. Read returns it again
// until Skip has passed EndRow.
type DamageError struct {
	Err              *errs.CorruptError
	FirstRow, EndRow int64
}

func (e *DamageError) Error() string { return e.Err.Error() }

// Unwrap gives the CorruptError.
func (e *DamageError) Unwrap() error { return e.Err }
