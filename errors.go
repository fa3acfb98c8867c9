package parquetsql

import "github.com/parquetsql/parquetsql/internal/errs"

// The errors that callers may ask for with errors.Is.
var (
	// ErrReadOnly is returned for statements that would write.
	ErrReadOnly = errs.ErrReadOnly
	// ErrUnsupported is returned for what is valid SQL or Parquet but not there
	// yet; the message names it.
	ErrUnsupported = errs.ErrUnsupported
	// ErrMemoryLimit is returned where a query needs more than MemoryLimit and
	// cannot spill.
	ErrMemoryLimit = errs.ErrMemoryLimit
	// ErrKeyMissing is returned where a file is encrypted and no key is known.
	ErrKeyMissing = errs.ErrKeyMissing
)

// The errors that callers may ask for with errors.As.
type (
	// SyntaxError is a statement that cannot be understood.
	SyntaxError = errs.SyntaxError
	// NotFoundError is a table, column or function that does not exist.
	NotFoundError = errs.NotFoundError
	// CorruptError is a file that breaks the format's specification.
	CorruptError = errs.CorruptError
)
