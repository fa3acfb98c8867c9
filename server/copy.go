package server

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/parquetsql/parquetsql/server/internal/script"
	"github.com/parquetsql/parquetsql/server/internal/wire"
)

// copyOptions are those of COPY … TO STDOUT.
type copyOptions struct {
	format        string // text, csv or binary
	delimiter     string
	null          string
	header        bool
	quote, escape string
	forceQuote    bool // all values
	given         map[string]bool
}

// parseCopy reads COPY (query) TO STDOUT [[WITH] (option, …)], COPY table [(column, …)] TO STDOUT, and
// the options as they were written before PostgreSQL 9: WITH CSV HEADER.
func parseCopy(s *script.Scanner, text string) (*command, error) {
	c := &command{verb: "COPY", copy: copyOptions{format: "text", given: map[string]bool{}}}
	if s.Peek().Is("(") {
		open := s.Next()
		end := closing(s)
		if end < 0 {
			return nil, &Error{Code: "42601", Message: "COPY: the parenthesis does not end"}
		}
		c.inner(text, text[open.End:])
		c.query = strings.TrimSpace(text[open.End:end])
	} else if err := c.copyTable(s, text); err != nil {
		return nil, err
	}
	if !s.Take("TO") {
		return nil, &Error{Code: "25006", Message: "COPY writes to STDOUT alone: nothing is written here"}
	}
	if !s.Take("STDOUT") {
		return nil, &Error{Code: "42501", Message: "COPY writes to STDOUT alone, and to no files of the server"}
	}
	s.Take("WITH")
	if err := c.copy.read(s); err != nil {
		return nil, err
	}
	return c, c.copy.complete()
}

// closing passes the rest of a parenthesis and returns where it ends.
func closing(s *script.Scanner) int {
	for depth := 1; ; {
		switch t := s.Next(); {
		case t.Kind == script.End:
			return -1
		case t.Is("("):
			depth++
		case t.Is(")"):
			if depth--; depth == 0 {
				return t.Pos
			}
		}
	}
}

// copyTable makes a query of a table and columns of it.
func (c *command) copyTable(s *script.Scanner, text string) error {
	from := s.Peek().Pos
	to := from
	for t := s.Peek(); t.Kind == script.Word && !t.Is("TO") && !t.Is("FROM") || t.Kind == script.Quoted || t.Is("."); t = s.Peek() {
		to = s.Next().End
	}
	columns := "*"
	if s.Take("(") {
		start := s.Peek().Pos
		end := closing(s)
		if end < 0 {
			return &Error{Code: "42601", Message: "COPY: the parenthesis does not end"}
		}
		columns = text[start:end]
	}
	if from == to {
		return &Error{Code: "42601", Message: "COPY: a table or a query in parentheses is missing"}
	}
	if c.query, c.queryAt = "SELECT "+columns+" FROM "+text[from:to], -1; columns == "*" {
		const all = "FROM " // no longer than what is before the table, so that places are those of text
		c.query, c.queryAt = all+text[from:to], from-len(all)
	}
	return nil
}

// read reads the options.
func (o *copyOptions) read(s *script.Scanner) error {
	paren := s.Take("(")
	for {
		t := s.Next()
		switch {
		case t.Kind == script.End && !paren, paren && t.Is(")"):
			return nil
		case t.Is(","):
			continue
		case t.Kind != script.Word:
			return &Error{Code: "42601", Message: fmt.Sprintf("COPY: an option is expected at %.20q", t.Text)}
		}
		if err := o.option(strings.ToLower(t.Text), s); err != nil {
			return err
		}
	}
}

func (o *copyOptions) option(name string, s *script.Scanner) error {
	if o.given[name] {
		return &Error{Code: "42601", Message: "COPY: conflicting or redundant options"}
	}
	o.given[name] = true
	value := func() string {
		s.Take("AS")
		return s.Next().Text
	}
	switch name {
	case "csv", "binary":
		o.format = name
	case "format":
		o.format = strings.ToLower(value())
	case "delimiter", "delimiters":
		o.delimiter = value()
		o.given["delimiter"] = true
	case "null":
		o.null = value()
	case "header":
		o.header = true
		if t := s.Peek(); t.Kind == script.Word && !t.Is("QUOTE") && !t.Is("NULL") && !t.Is("DELIMITER") && !t.Is("ESCAPE") && !t.Is("FORCE") || t.Kind == script.Number {
			word := strings.ToLower(s.Next().Text)
			o.header = word == "true" || word == "on" || word == "1"
		}
	case "quote":
		o.quote = value()
	case "escape":
		o.escape = value()
	case "force_quote", "force":
		if name == "force" {
			s.Take("QUOTE")
		}
		if !s.Take("*") {
			return &Error{Code: "0A000", Message: "COPY: FORCE_QUOTE of some columns is not supported; of all it is *"}
		}
		o.forceQuote = true
	case "encoding":
		_, err := encoding(nil, value())
		return err
	case "freeze", "oids", "force_not_null", "force_null":
		return &Error{Code: "0A000", Message: "COPY: the option " + name + " is not supported"}
	default:
		return &Error{Code: "42601", Message: fmt.Sprintf("COPY: the option %q is not known", name)}
	}
	return nil
}

// complete checks the options and adds the defaults.
func (o *copyOptions) complete() error {
	set := func(name string, at *string, text, csv string) {
		if !o.given[name] {
			*at = map[string]string{"text": text, "csv": csv}[o.format]
		}
	}
	bad := func(message string) error { return &Error{Code: "22023", Message: "COPY: " + message} }
	set("delimiter", &o.delimiter, "\t", ",")
	set("null", &o.null, `\N`, "")
	set("quote", &o.quote, "", `"`)
	set("escape", &o.escape, "", o.quote)
	switch o.format {
	case "text", "csv":
	case "binary":
		for _, name := range []string{"delimiter", "null", "header", "quote", "escape"} {
			if o.given[name] {
				return &Error{Code: "42601", Message: "COPY: cannot specify " + name + " in BINARY mode"}
			}
		}
		return nil
	default:
		return bad(fmt.Sprintf("there is no format %q", o.format))
	}
	switch {
	case len(o.delimiter) != 1 || strings.ContainsAny(o.delimiter, "\r\n"):
		return bad("the delimiter must be a single one-byte character, and no end of a line")
	case strings.ContainsAny(o.null, "\r\n") || strings.Contains(o.null, o.delimiter):
		return bad("the text for NULL has an end of a line, or the delimiter")
	case o.format == "text" && (o.given["quote"] || o.given["escape"] || o.forceQuote):
		return &Error{Code: "0A000", Message: "COPY: quotes are of CSV alone"}
	case o.format == "text" && strings.ContainsAny(o.delimiter, `\.abcdefghijklmnopqrstuvwxyz0123456789`):
		return bad(fmt.Sprintf("the delimiter cannot be %q", o.delimiter))
	case o.format == "csv" && (len(o.quote) != 1 || len(o.escape) != 1 || o.quote == o.delimiter):
		return bad("the quote and the escape must be single one-byte characters, and not the delimiter")
	}
	return nil
}

// copyOut sends the rows of a query as PostgreSQL copies them.
func (n *session) copyOut(ctx context.Context, c *command) (rows int64, err error) {
	r, err := n.query(ctx, c.query, nil)
	if err != nil {
		return 0, err
	}
	defer func() {
		if closeErr := r.close(); err == nil {
			err = closeErr
		}
	}()
	format := byte(0)
	if c.copy.format == "binary" {
		format = 1
	}
	out := &pgproto3.CopyOutResponse{OverallFormat: format}
	for range r.columns {
		out.ColumnFormatCodes = append(out.ColumnFormatCodes, uint16(format))
	}
	n.out.send(out)
	if c.copy.format == "binary" {
		// The signature, flags, and the length of what follows the head: nothing.
		n.out.send(&pgproto3.CopyData{Data: append([]byte("PGCOPY\n\xff\r\n\x00"), 0, 0, 0, 0, 0, 0, 0, 0)})
	}
	if c.copy.header {
		n.out.send(&pgproto3.CopyData{Data: c.copy.head(r.columns)})
	}
	rows, _, err = n.hand(r, c.copy.writer(r.columns, n.settings.style), 0)
	if err != nil {
		return rows, err
	}
	if c.copy.format == "binary" {
		n.out.send(&pgproto3.CopyData{Data: []byte{0xff, 0xff}})
	}
	n.out.send(&pgproto3.CopyDone{})
	return rows, nil
}

// head is the line of the columns' names.
func (o *copyOptions) head(columns []column) []byte {
	var dst []byte
	for i, c := range columns {
		if i > 0 {
			dst = append(dst, o.delimiter...)
		}
		dst = o.field(dst, c.name)
	}
	return append(dst, '\n')
}

// writer writes rows as CopyData.
func (o *copyOptions) writer(columns []column, style wire.Style) rowWriter {
	format := int16(0)
	if o.format == "binary" {
		format = 1
	}
	of := fieldsOf(columns, func(int) int16 { return format }, style)
	line := func(dst []byte, i int) ([]byte, error) {
		return of.append(binary.BigEndian.AppendUint16(dst, uint16(len(of))), i)
	}
	if format == 0 {
		line = o.line(of)
	}
	return rowWriter{of.begin, func(dst []byte, i int) ([]byte, error) {
		at := len(dst) + 1
		dst, err := line(append(dst, 'd', 0, 0, 0, 0), i)
		return framed(dst, at, err)
	}}
}

// line writes a row as a line of text.
func (o *copyOptions) line(of fields) func(dst []byte, i int) ([]byte, error) {
	var value []byte
	return func(dst []byte, i int) (_ []byte, err error) {
		for c := range of {
			if c > 0 {
				dst = append(dst, o.delimiter...)
			}
			if of[c].Null(i) {
				dst = append(dst, o.null...)
				continue
			}
			if value, err = of[c].Value(value[:0], i); err != nil {
				return dst, err
			}
			dst = o.field(dst, string(value))
		}
		return append(dst, '\n'), nil
	}
}

// field writes a value so that it is read as the same one.
func (o *copyOptions) field(dst []byte, value string) []byte {
	if o.format == "text" {
		return o.escaped(dst, value)
	}
	if !o.forceQuote && value != o.null && value != `\.` && !strings.ContainsAny(value, o.delimiter+o.quote+"\r\n") {
		return append(dst, value...)
	}
	dst = append(dst, o.quote...)
	for _, c := range []byte(value) {
		if c == o.quote[0] || c == o.escape[0] {
			dst = append(dst, o.escape...)
		}
		dst = append(dst, c)
	}
	return append(dst, o.quote...)
}

// escaped writes what has a meaning in the text format behind a backslash.
func (o *copyOptions) escaped(dst []byte, value string) []byte {
	for _, c := range []byte(value) {
		switch {
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c == '\v':
			dst = append(dst, `\v`...)
		case c == '\\' || c == o.delimiter[0]:
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
