package query

import (
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/script"
	"github.com/rivo/uniseg"
)

// WriteError shows an error of a statement, and under it the line of the statement that
// it is about, with a mark under the place.
func (r *Runner) WriteError(text string, err error) {
	w := r.Stderr
	if errors.Is(err, ErrCancelled) {
		fmt.Fprintln(w, "cancelled")
		return
	}
	message := Message(err, r.Names)
	if !strings.HasPrefix(message, "syntax error") {
		message = "error: " + message
	}
	fmt.Fprintln(w, message)
	line, column, length := place(err)
	full, before, part := script.Place(text, line, column, length)
	if full == "" {
		return
	}
	const gutter = "  "
	full, before, part = oneLine(full), oneLine(before), oneLine(part)
	fmt.Fprintf(w, "%s%s\n%s%s^%s\n", gutter, full, gutter, strings.Repeat(" ", uniseg.StringWidth(before)),
		strings.Repeat("~", max(uniseg.StringWidth(part)-1, 0)))
}

// Message is what an error says, with the names of files as the user knows them; nil: they are that.
func Message(err error, names *strings.Replacer) string {
	message := strings.TrimPrefix(err.Error(), "parquet: ")
	if names != nil {
		message = names.Replace(message)
	}
	return message
}

// place returns the line and column of an error, 0 where it has none, and the bytes of the
// part that it is about.
func place(err error) (line, column, length int) {
	if syntax, ok := errors.AsType[*parquetsql.SyntaxError](err); ok {
		return syntax.Line, syntax.Column, 1
	}
	if statement, ok := errors.AsType[*parquetsql.StatementError](err); ok {
		return statement.Line, statement.Column, statement.End - statement.Position
	}
	return 0, 0, 0
}

// oneLine keeps what is printed below each other aligned: a tab is as wide as a blank.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}
