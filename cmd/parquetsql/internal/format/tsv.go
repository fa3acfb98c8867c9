package format

import "io"

// tsvWriter writes PostgreSQL's text format, which MySQL and ClickHouse read too: tabs
// between the fields, \N for NULL, and \t, \n, \r and \\ within a field.
type tsvWriter struct {
	w        io.Writer
	noHeader bool
	texts    []appender
	line     []byte
	cell     []byte
}

func newTSV(w io.Writer, o Options) Writer { return &tsvWriter{w: w, noHeader: o.NoHeader} }

func (t *tsvWriter) Head(columns []Column) error {
	for i, column := range columns {
		t.texts = append(t.texts, textOf(column))
		t.tab(i)
		t.line = appendTSV(t.line, []byte(column.Name))
	}
	if t.noHeader {
		t.line = t.line[:0]
		return nil
	}
	return t.flush()
}

func (t *tsvWriter) Row(values []any) error {
	for i, v := range values {
		t.tab(i)
		if v == nil {
			t.line = append(t.line, `\N`...)
			continue
		}
		t.cell = t.texts[i](t.cell[:0], v)
		t.line = appendTSV(t.line, t.cell)
	}
	return t.flush()
}

func (t *tsvWriter) Tail() error { return nil }

func (t *tsvWriter) tab(i int) {
	if i > 0 {
		t.line = append(t.line, '\t')
	}
}

func (t *tsvWriter) flush() error {
	_, err := t.w.Write(append(t.line, '\n'))
	t.line = t.line[:0]
	return err
}

func appendTSV(dst, text []byte) []byte {
	for _, c := range text {
		switch c {
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\\':
			dst = append(dst, `\\`...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
