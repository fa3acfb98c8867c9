package format

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// verticalWriter writes one line for each value, for rows that are too wide for a table.
// It never cuts a value.
type verticalWriter struct {
	w      io.Writer
	o      Options
	labels []string // the names of the columns, padded, and the blanks behind them
	texts  []appender
	null   []byte
	quote  func([]byte) []byte
	rows   int64
	out    []byte
	cell   []byte
	shown  []byte
}

func newVertical(w io.Writer, o Options) Writer {
	v := &verticalWriter{w: w, o: o}
	v.null, v.quote = shownNull(o.Null)
	return v
}

func (v *verticalWriter) Head(columns []Column) error {
	widest := 0
	names := make([][]byte, len(columns))
	for i, c := range columns {
		names[i] = appendShown(nil, []byte(c.Name))
		widest = max(widest, width(names[i]))
		v.texts = append(v.texts, textOf(c))
	}
	for _, name := range names {
		label := string(name) + strings.Repeat(" ", widest-width(name))
		if v.o.Color {
			label = bold + label + reset
		}
		v.labels = append(v.labels, label+"  ")
	}
	return nil
}

func (v *verticalWriter) Row(values []any) error {
	v.rows++
	v.out = append(strconv.AppendInt(append(v.out[:0], "── row "...), v.rows, 10), " ──\n"...)
	for i, value := range values {
		v.out = append(v.out, v.labels[i]...)
		if value == nil {
			v.out = appendNull(v.out, v.null, v.o.Color)
		} else {
			v.cell = v.texts[i](v.cell[:0], value)
			shown := v.cell
			if !isPlain(shown) && !isBytes(value) {
				v.shown = appendShown(v.shown[:0], v.cell)
				shown = v.shown
			}
			v.out = append(v.out, v.quote(shown)...)
		}
		v.out = append(v.out, '\n')
	}
	_, err := v.w.Write(v.out)
	return err
}

func (v *verticalWriter) Tail() error {
	_, err := fmt.Fprintf(v.w, "%s\n", countRows(v.rows))
	return err
}

// Sequences of a terminal for what stands out and what stands back.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	reset = "\x1b[0m"
)

func appendNull(dst, null []byte, color bool) []byte {
	if !color {
		return append(dst, null...)
	}
	return append(append(append(dst, faint...), null...), reset...)
}

func countRows(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}
