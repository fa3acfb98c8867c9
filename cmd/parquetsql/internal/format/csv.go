package format

import (
	"bytes"
	"io"
)

// csvWriter writes RFC 4180 with lines that end in LF. NULL is an empty field without
// quotes and an empty text one with quotes, as PostgreSQL writes and reads them.
type csvWriter struct {
	w        io.Writer
	noHeader bool
	texts    []appender
	line     []byte
	cell     []byte
}

func newCSV(w io.Writer, o Options) Writer { return &csvWriter{w: w, noHeader: o.NoHeader} }

func (c *csvWriter) Head(columns []Column) error {
	for i, column := range columns {
		c.texts = append(c.texts, textOf(column))
		c.comma(i)
		c.line = appendCSV(c.line, []byte(column.Name))
	}
	if c.noHeader {
		c.line = c.line[:0]
		return nil
	}
	return c.flush()
}

func (c *csvWriter) Row(values []any) error {
	for i, v := range values {
		c.comma(i)
		if v == nil {
			continue
		}
		c.cell = c.texts[i](c.cell[:0], v)
		c.line = appendCSV(c.line, c.cell)
	}
	return c.flush()
}

func (c *csvWriter) Tail() error { return nil }

func (c *csvWriter) comma(i int) {
	if i > 0 {
		c.line = append(c.line, ',')
	}
}

func (c *csvWriter) flush() error {
	_, err := c.w.Write(append(c.line, '\n'))
	c.line = c.line[:0]
	return err
}

func appendCSV(dst, text []byte) []byte {
	if !needsQuotes(text) {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return append(append(dst, text...), '"')
		}
		dst = append(append(dst, text[:i]...), `""`...)
		text = text[i+1:]
	}
}

// needsQuotes reports whether readers could take the field for something else. Many trim
// blanks, and PostgreSQL takes the line \. for the end.
func needsQuotes(text []byte) bool {
	if len(text) == 0 || text[0] == ' ' || text[len(text)-1] == ' ' || string(text) == `\.` {
		return true
	}
	for _, c := range text {
		if c == ',' || c == '"' || c == '\n' || c == '\r' || c == '\t' {
			return true
		}
	}
	return false
}
