package server

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server/internal/wire"
)

// Error is an error as PostgreSQL tells it.
type Error struct {
	Severity string // ERROR if empty
	Code     string // SQLSTATE
	Message  string
	Detail   string
	Hint     string
	Position int // the character in the text, from 1; 0: none
}

func (e *Error) Error() string { return e.Message }

func (e *Error) message() *pgproto3.ErrorResponse {
	severity := e.Severity
	if severity == "" {
		severity = "ERROR"
	}
	return &pgproto3.ErrorResponse{Severity: severity, SeverityUnlocalized: severity, Code: e.Code, Message: withoutNUL(e.Message), Detail: withoutNUL(e.Detail),
		Hint: withoutNUL(e.Hint), Position: int32(e.Position)}
}

// withoutNUL is a text that the protocol can carry where it ends texts with a NUL.
func withoutNUL(text string) string { return strings.ReplaceAll(text, "\x00", "\uFFFD") }

// asError is an error of the driver with the code that PostgreSQL has for it.
func asError(err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	e := &Error{Code: code(err), Message: strings.TrimPrefix(err.Error(), "parquet: ")}
	var missing *parquetsql.NotFoundError
	if errors.As(err, &missing) {
		e.Hint = missing.Hint
		if e.Hint == "" && len(missing.Nearest) > 0 {
			e.Hint = "Perhaps you meant " + strings.Join(missing.Nearest, ", ") + "."
		}
	}
	return e
}

// codes are those of errors that are the same for errors.Is.
var codes = []struct {
	is   error
	code string
}{
	{errCancelled, "57014"}, {errTime, "57014"}, {errShutdown, "57P01"}, {errGone, "08006"},
	{parquetsql.ErrReadOnly, "25006"}, {parquetsql.ErrMemoryLimit, "53200"}, {parquetsql.ErrChanged, "40001"}, {parquetsql.ErrKeyMissing, "42501"},
	{parquetsql.ErrInvalidValue, "22P02"}, {parquetsql.ErrOutOfRange, "22003"},
	{context.Canceled, "57014"}, {context.DeadlineExceeded, "57014"},
}

// code is the SQLSTATE of an error.
func code(err error) string {
	for _, c := range codes {
		if errors.Is(err, c.is) {
			if c.is == parquetsql.ErrInvalidValue {
				return invalid(err.Error())
			}
			return c.code
		}
	}
	var (
		syntax    *parquetsql.SyntaxError
		missing   *parquetsql.NotFoundError
		statement *parquetsql.StatementError
		corrupt   *parquetsql.CorruptError
		outside   *wire.RangeError
		value     *wire.ValueError
	)
	var own interface{ SQLState() string }
	switch {
	case errors.As(err, &own):
		return own.SQLState()
	case errors.As(err, &missing):
		return map[string]string{"table": "42P01", "column": "42703", "function": "42883"}[missing.Kind]
	case errors.As(err, &syntax):
		return "42601"
	case errors.As(err, &corrupt):
		return "XX001"
	case errors.Is(err, parquetsql.ErrUnsupported):
		return "0A000"
	case errors.As(err, &outside):
		return map[bool]string{true: "22008", false: "22003"}[outside.Type == "date" || outside.Type == "timestamp"]
	case errors.As(err, &value):
		return "22P02"
	}
	if errors.As(err, &statement) {
		return "42804"
	}
	return "22000"
}

// ofTime are casts whose values are dates and times, and which have the fields of one, though with
// wrong numbers.
var (
	ofTime     = regexp.MustCompile(`to (DATE|TIME|TIMESTAMP|TIMESTAMPTZ|INTERVAL): `)
	timeFields = regexp.MustCompile(`to (DATE|TIME|TIMESTAMP|TIMESTAMPTZ): '(\d+-\d+-\d+|\d+:\d+)`)
)

// invalid is the code of a text that is no value of a type.
func invalid(text string) string {
	switch {
	case timeFields.MatchString(text):
		return "22008"
	case ofTime.MatchString(text):
		return "22007"
	}
	return "22P02"
}

// placed adds where in a text an error is: text begins at a byte of whole, which the client sent.
func placed(err error, whole string, offset int) error {
	at := -1
	var syntax *parquetsql.SyntaxError
	var statement *parquetsql.StatementError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Position
	case errors.As(err, &statement):
		at = statement.Position
	}
	e := *asError(err)
	if at += offset; at >= offset && at <= len(whole) && e.Position == 0 {
		e.Position = utf8.RuneCountInString(whole[:at]) + 1
	}
	return &e
}

// because is the reason why a context has ended, for an error that only says that it has.
func because(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	switch cause := context.Cause(ctx); cause {
	case errCancelled:
		return &Error{Code: "57014", Message: "canceling statement due to user request"}
	case errTime:
		return &Error{Code: "57014", Message: "canceling statement due to statement timeout"}
	case errShutdown:
		return &Error{Severity: "FATAL", Code: "57P01", Message: "terminating connection: the server shuts down"}
	case nil:
		return err
	default:
		return cause
	}
}
