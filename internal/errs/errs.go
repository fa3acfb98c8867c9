// Package errs has the errors that users of the driver test for (docs/contract.md,
// "Errors"). Every package may return them; the root package re-exports them.
package errs

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrReadOnly is returned for statements that would write.
	ErrReadOnly = errors.New("read-only database")
	// ErrUnsupported is returned for valid SQL or Parquet that is not supported yet;
	// the message names it.
	ErrUnsupported = errors.New("unsupported")
	// ErrMemoryLimit is returned where a query needs more than memory_limit and cannot spill.
	ErrMemoryLimit = errors.New("memory limit exceeded")
	// ErrChanged is what errors.Is finds in a *ChangedError.
	ErrChanged = errors.New("a file was changed during the query")
	// ErrKeyMissing is returned where a query needs a key of an encrypted file that is not
	// known.
	ErrKeyMissing = errors.New("encryption key missing")
	// ErrInvalidValue is what errors.Is finds in the error of a text that is no value of the
	// type to which it is cast.
	ErrInvalidValue = errors.New("invalid value")
	// ErrOutOfRange is returned where the type of a result is too small for its value.
	ErrOutOfRange = errors.New("value out of range")
)

// Unsupported is ErrUnsupported with the name of what is not supported.
func Unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnsupported, fmt.Sprintf(format, args...))
}

// SyntaxError is a statement that is not valid SQL.
type SyntaxError struct {
	Position int // byte offset from 0 in the user's text
	Line     int // from 1; 0 where the text is not known
	Column   int // the character in the line, from 1
	Message  string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("syntax error at byte %d: %s", e.Position, e.Message)
	}
	return fmt.Sprintf("syntax error at line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// NotFoundError is a name of a table, column or function that does not exist.
type NotFoundError struct {
	Kind    string   // table, column or function
	Name    string   // as it is written in the statement
	Nearest []string // names that exist, the most similar first
	Hint    string   // why it may be missing and what would help; may be empty
}

func (e *NotFoundError) Error() string {
	msg := fmt.Sprintf("no such %s: %q", e.Kind, e.Name)
	if len(e.Nearest) > 0 {
		msg += " (there is " + strings.Join(written(e.Nearest), ", ") + ")"
	}
	if e.Hint != "" {
		msg += "; " + e.Hint
	}
	return msg
}

// CorruptError is a file that breaks the format's specification.
type CorruptError struct {
	File     string // path below the location; empty where unknown
	RowGroup int    // -1 where unknown or not within one
	Column   string // dotted path; empty where unknown or not within one
	Offset   int64  // byte offset in the file; -1 where unknown
	Err      error  // what is wrong
}

func (e *CorruptError) Error() string {
	var b strings.Builder
	b.WriteString("corrupt file")
	if e.File != "" {
		fmt.Fprintf(&b, " %q", e.File)
	}
	if e.RowGroup >= 0 {
		fmt.Fprintf(&b, ", row group %d", e.RowGroup)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ", column %q", e.Column)
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ", offset %d", e.Offset)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

func (e *CorruptError) Unwrap() error { return e.Err }

// ChangedError is a file that was changed, replaced or removed during the query.
// Its rows may be those of two versions, so that none are given.
type ChangedError struct {
	File string // as the user knows it
	Err  error  // of a file that was removed; nil for one that was changed
}

func (e *ChangedError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("file %q vanished during the query: %v", e.File, e.Err)
	}
	return fmt.Sprintf("file %q was changed or replaced during the query", e.File)
}

// Is makes the error an ErrChanged.
func (e *ChangedError) Is(target error) bool { return target == ErrChanged }

func (e *ChangedError) Unwrap() error { return e.Err }
