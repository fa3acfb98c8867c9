package parquetsql

import "github.com/parquetsql/parquetsql/internal/errs"

// The errors for errors.Is. Each comes with a message that names the statement,
// option, file or column. Some have a code of the SQL standard or of PostgreSQL beside: those that
// errors.As finds as an interface{ SQLState() string }.
var (
	// ErrReadOnly is returned for statements that would write.
	ErrReadOnly = errs.ErrReadOnly
	// ErrUnsupported is returned for valid SQL or Parquet that the driver does not
	// support yet. The message names it.
	ErrUnsupported = errs.ErrUnsupported
	// ErrMemoryLimit is returned where a query needs more than Config.MemoryLimit
	// and cannot spill.
	ErrMemoryLimit = errs.ErrMemoryLimit
	// ErrChanged is returned where a file was changed, replaced or removed during
	// the query, after rows were handed out or a second time; before that the query
	// is run again silently. Within a transaction it is always returned, and a new one helps.
	ErrChanged = errs.ErrChanged
	// ErrKeyMissing is returned where a query needs a key of an encrypted file that is
	// not known: nobody gave it, or KeyRetriever or KMS failed, whose error is the cause.
	ErrKeyMissing = errs.ErrKeyMissing
	// ErrInvalidValue is found in the error of a text that is no value of the type to which
	// it is cast.
	ErrInvalidValue = errs.ErrInvalidValue
	// ErrOutOfRange is returned where the type of a result is too small for its value.
	ErrOutOfRange = errs.ErrOutOfRange
)

// SyntaxError is a statement that is not valid SQL. Use it with errors.As.
//
//	type SyntaxError struct {
//		Position int    // byte offset from 0 in the text of the statement
//		Line     int    // from 1
//		Column   int    // the character in the line, from 1
//		Message  string // what is wrong there
//	}
type SyntaxError = errs.SyntaxError

// StatementError says which part of a statement an error is about: a name that does
// not exist, arguments of the wrong type, a construct that is not supported, an expression
// whose value is an error for a row. Use it with errors.As, to show the place to a user;
// what is wrong there is Err.
//
//	type StatementError struct {
//		Position int   // the first byte of the part, from 0 in the text of the statement
//		End      int   // the byte after it
//		Line     int   // of Position, from 1
//		Column   int   // the character in the line, from 1
//		Err      error // what is wrong there; errors.Unwrap returns it
//	}
type StatementError = errs.StatementError

// NotFoundError is a name of a table, column or function that does not exist. Use
// it with errors.As.
//
//	type NotFoundError struct {
//		Kind    string   // "table", "column" or "function"
//		Name    string   // as it is written in the statement
//		Nearest []string // similar names that exist, the most similar first
//		Hint    string   // why it may be missing and what would help; may be empty
//	}
type NotFoundError = errs.NotFoundError

// CorruptError is a file that breaks the format's specification. Use it with
// errors.As; Config.OnSkip gets one for each unit that OnCorruptSkip leaves out.
//
//	type CorruptError struct {
//		File     string // path below the location; empty where unknown
//		RowGroup int    // from 0; -1 where unknown or not within a row group
//		Column   string // dotted path; empty where unknown or not within a column
//		Offset   int64  // byte offset in the file; -1 where unknown
//		Err      error  // what is wrong; errors.Unwrap returns it
//	}
type CorruptError = errs.CorruptError

// ChangedError is a file that was changed, replaced or removed during the query.
// Use it with errors.As; errors.Is(err, ErrChanged) is true for it.
//
//	type ChangedError struct {
//		File string // path below the location
//		Err  error  // of a file that was removed; nil for one that was changed
//	}
type ChangedError = errs.ChangedError
