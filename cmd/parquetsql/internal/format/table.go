package format

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// tableWriter draws a table. The widths of its columns come from the first rows, which it
// holds back; of the rows after them it cuts what is wider. So its memory is bounded.
type tableWriter struct {
	w       io.Writer
	o       Options
	columns []Column
	texts   []appender
	null    []byte
	quote   func([]byte) []byte

	sample [][][]byte // the first rows as they are shown; nil once they are written
	held   int        // bytes of sample
	layout layout
	begun  bool
	rows   int64

	out, cell, shown []byte
}

// What is held back at most.
const (
	sampleRows  = 1000
	sampleBytes = 1 << 20
	sampleCell  = 4 << 10 // bytes of one cell
)

func newTable(w io.Writer, o Options) Writer {
	t := &tableWriter{w: w, o: o}
	t.null, t.quote = shownNull(o.Null)
	return t
}

func (t *tableWriter) Head(columns []Column) error {
	t.columns = columns
	for _, c := range columns {
		t.texts = append(t.texts, textOf(c))
	}
	return nil
}

func (t *tableWriter) Row(values []any) error {
	t.rows++
	if t.o.MaxRows > 0 && t.rows > t.o.MaxRows {
		if t.begun {
			return nil
		}
		return t.begin()
	}
	if t.begun {
		return t.write(values)
	}
	row := make([][]byte, len(values))
	for i, v := range values {
		if v == nil {
			continue
		}
		row[i] = bytes.Clone(t.show(i, v))
		if row[i] == nil {
			row[i] = []byte{} // an empty text is not NULL
		}
		t.held += len(row[i])
	}
	t.sample = append(t.sample, row)
	if len(t.sample) < sampleRows && t.held < sampleBytes {
		return nil
	}
	return t.begin()
}

// show returns the text of a value on the screen, cut to a size that may be kept. It is
// valid until the next call.
func (t *tableWriter) show(i int, v any) []byte {
	t.cell = t.texts[i](t.cell[:0], v)
	text := t.cell
	if t.o.MaxCell > 0 && len(text) > sampleCell {
		text = text[:sampleCell]
	}
	if isPlain(text) || isBytes(v) {
		return t.quote(text)
	}
	t.shown = appendShown(t.shown[:0], text)
	return t.quote(t.shown)
}

// begin fixes the widths, and writes the head and the rows that were held back.
func (t *tableWriter) begin() error {
	t.begun = true
	t.layout = newLayout(t.columns, t.sample, t.null, t.o)
	if err := t.head(); err != nil {
		return err
	}
	for _, row := range t.sample {
		t.out = t.out[:0]
		for _, p := range t.layout.places {
			t.next(p)
			if p.column >= 0 {
				t.put(p, row[p.column])
			}
		}
		if err := t.endLine(); err != nil {
			return err
		}
	}
	t.sample = nil
	return nil
}

func (t *tableWriter) write(values []any) error {
	t.out = t.out[:0]
	for _, p := range t.layout.places {
		t.next(p)
		switch {
		case p.column < 0:
		case values[p.column] == nil:
			t.put(p, nil)
		default:
			t.put(p, t.show(p.column, values[p.column]))
		}
	}
	return t.endLine()
}

// next begins a cell; that of left out columns is complete with it.
func (t *tableWriter) next(p place) {
	t.out = append(t.out, "│ "...)
	if p.column < 0 {
		t.out = append(t.out, "… "...)
	}
}

// put writes the text of a cell, nil for NULL, and the blanks around it.
func (t *tableWriter) put(p place, text []byte) {
	if text == nil {
		pad := p.width - width(t.null)
		t.pad(pad, p.right)
		t.out = appendNull(t.out, t.null, t.o.Color)
		t.pad(pad, !p.right)
		t.out = append(t.out, ' ')
		return
	}
	end, w, cut := elide(text, p.width)
	t.pad(p.width-w, p.right)
	t.out = append(t.out, text[:end]...)
	if cut {
		t.out = append(t.out, "…"...)
	}
	t.pad(p.width-w, !p.right)
	t.out = append(t.out, ' ')
}

const blanks = "                                                                "

func (t *tableWriter) pad(n int, do bool) {
	for do && n > 0 {
		step := min(n, len(blanks))
		t.out = append(t.out, blanks[:step]...)
		n -= step
	}
}

func (t *tableWriter) endLine() error {
	_, err := t.w.Write(append(t.out, "│\n"...))
	return err
}

// head writes the names and the types.
func (t *tableWriter) head() error {
	if len(t.columns) == 0 {
		return nil
	}
	if err := t.rule("┌", "┬", "┐"); err != nil || t.o.NoHeader {
		return err
	}
	name := func(c Column) string { return c.Name }
	note := func(c Column) string { return c.Note }
	if err := t.headLine(name, bold); err != nil {
		return err
	}
	if slices.ContainsFunc(t.columns, func(c Column) bool { return c.Note != "" }) {
		if err := t.headLine(note, faint); err != nil {
			return err
		}
	}
	return t.rule("├", "┼", "┤")
}

func (t *tableWriter) headLine(text func(Column) string, style string) error {
	t.out = t.out[:0]
	for _, p := range t.layout.places {
		t.next(p)
		if p.column < 0 {
			continue
		}
		if t.o.Color {
			t.out = append(t.out, style...)
		}
		t.put(p, appendShown([]byte{}, []byte(text(t.columns[p.column]))))
		if t.o.Color {
			t.out = append(t.out, reset...)
		}
	}
	return t.endLine()
}

func (t *tableWriter) rule(left, middle, right string) error {
	t.out = append(t.out[:0], left...)
	for i, p := range t.layout.places {
		if i > 0 {
			t.out = append(t.out, middle...)
		}
		t.out = append(t.out, strings.Repeat("─", p.width+2)...)
	}
	_, err := t.w.Write(append(append(t.out, right...), '\n'))
	return err
}

func (t *tableWriter) Tail() error {
	if !t.begun {
		if err := t.begin(); err != nil {
			return err
		}
	}
	if len(t.columns) > 0 {
		if err := t.rule("└", "┴", "┘"); err != nil {
			return err
		}
	}
	if t.o.NoCount {
		return nil
	}
	end := countRows(t.rows)
	if t.o.MaxRows > 0 && t.rows > t.o.MaxRows {
		end = fmt.Sprintf("%d of %s; \\rows 0 shows all", t.o.MaxRows, end)
	}
	if t.layout.hidden > 0 {
		end += fmt.Sprintf(", %d of %d columns; the format vertical shows all", len(t.columns)-t.layout.hidden, len(t.columns))
	}
	_, err := fmt.Fprintf(t.w, "%s\n", end)
	return err
}
