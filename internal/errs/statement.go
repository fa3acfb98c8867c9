package errs

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// StatementError is a statement that cannot run, and the part of it that is why: a name
// that does not exist, arguments of the wrong type, something that is not supported.
// Err is the reason.
type StatementError struct {
	Position int // the first byte of the part, from 0 in the user's text
	End      int // the byte after it
	Line     int // of Position, from 1; 0 where the text is not known
	Column   int // the character in the line, from 1
	Err      error
}

func (e *StatementError) Error() string {
	if e.Line == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("%v (line %d, column %d)", e.Err, e.Line, e.Column)
}

func (e *StatementError) Unwrap() error { return e.Err }

// At says which bytes of the statement an error is about, unless it already says so.
func At(position, end int, err error) error {
	var statement *StatementError
	var syntax *SyntaxError
	if err == nil || end <= position || errors.As(err, &statement) || errors.As(err, &syntax) {
		return err
	}
	return &StatementError{Position: position, End: end, Err: err}
}

// Reword says more of an error, which stays at its place in the statement.
func Reword(err error, say func(error) error) error {
	if statement, ok := err.(*StatementError); ok {
		more := *statement
		more.Err = say(statement.Err)
		return &more
	}
	return say(err)
}

// Within is an error about another text than the statement, such as that of a query in a
// string: its places are not those of the statement. Texts within each other are one.
func Within(what string, err error) error {
	if err == nil || strings.HasPrefix(err.Error(), what) {
		return err
	}
	var statement *StatementError
	var syntax *SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s has a %s", what, syntax)
	case errors.As(err, &statement):
		err = statement.Err
	}
	return fmt.Errorf("%s: %w", what, err)
}

// InText gives an error about a part of a statement the line and the column.
func InText(err error, text string) error {
	var statement *StatementError
	if errors.As(err, &statement) {
		if statement.Line == 0 {
			statement.quoted(text)
		}
		statement.Line, statement.Column = lineAndColumn(text, statement.Position)
	}
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		syntax.Line, syntax.Column = lineAndColumn(text, syntax.Position)
	}
	return err
}

// quoted tells who writes WHERE city = "Rome", as in MySQL, or no quotes, how strings are written.
func (e *StatementError) quoted(text string) {
	var missing *NotFoundError
	if !errors.As(e.Err, &missing) || missing.Kind != "column" || len(missing.Nearest) > 0 || e.Position >= len(text) {
		return
	}
	before := strings.TrimRight(text[:e.Position], " ")
	switch compared := strings.HasSuffix(before, "="); {
	case strings.ContainsAny(missing.Name, "‘’“”"):
		e.Err = fmt.Errorf("%w (its quotes are not the straight ones, ' and \")", e.Err)
	case strings.Contains(missing.Name, ".") && text[e.Position] != '"':
	case text[e.Position] == '"', compared, isPart(missing.Name): // city = "Rome", city = Rome, DATE_DIFF(day, …)
		e.Err = fmt.Errorf("%w (a string has single quotes: '%s')", e.Err, strings.ReplaceAll(missing.Name, "'", "''"))
	}
}

// isPart reports whether a name is that of a part of a time, which functions take as a text.
func isPart(name string) bool {
	switch strings.ToLower(name) {
	case "year", "quarter", "month", "week", "day", "hour", "minute", "second":
		return true
	}
	return false
}

func lineAndColumn(text string, position int) (line, column int) {
	before := text[:max(0, min(position, len(text)))]
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}
