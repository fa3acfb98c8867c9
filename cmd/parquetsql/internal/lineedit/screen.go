package lineedit

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Span is a part of a line that has a colour: the parameters of SGR, such as 1;34.
type Span struct {
	From, To int
	Color    string
}

// cell is what the terminal shows in one or two columns.
type cell struct {
	text  string
	width int
	color string
}

// screen draws a prompt with a line, over as many rows as they need.
type screen struct {
	out  io.Writer
	size func() (columns, lines int)

	drawn   []cell // what is on the screen
	cursor  int    // the cell where its cursor is
	first   int    // the first of its rows that is shown
	columns int    // how wide the terminal was
}

// forget is told where something else was written: the cursor is at the beginning of a row.
func (s *screen) forget() { s.drawn, s.cursor, s.first = nil, 0, 0 }

func (s *screen) clear() {
	s.write("\x1b[H\x1b[2J")
	s.forget()
}

func (s *screen) bell() { s.write("\a") }

func (s *screen) writef(format string, args ...any) { s.write(fmt.Sprintf(format, args...)) }

// A terminal that takes no output will give no input either: that error ends the line.
func (s *screen) write(text string) { _, _ = io.WriteString(s.out, text) }

// draw shows a line in the place of what it has drawn before.
func (s *screen) draw(prompt, text string, at int, spans []Span) {
	columns, lines := s.size()
	var b bytes.Buffer
	b.WriteByte('\r')
	if up := s.rowsAbove(columns, lines); up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	b.WriteString("\x1b[J")

	cells := appendCells(nil, prompt, 0, nil)
	cursor := len(appendCells(cells, text[:at], 0, nil))
	cells = appendCells(cells, text, 0, spans)
	cursor = min(cursor, len(cells)) // a mark behind the cursor may join the character before it
	places := layout(cells, columns)
	end, here := places[len(cells)], places[cursor]
	first := 0
	if last := lines - 1; here.row > last { // longer than the screen: the rows up to the cursor
		first = here.row - last
	}
	bottom := min(end.row, first+lines-1)
	writeRows(&b, cells, places, first, bottom)
	if end.row == bottom && end.column == 0 && len(cells) > 0 {
		b.WriteString("\r\n") // a full row: the terminal waits with the next one
	}
	if up := bottom - here.row; up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	b.WriteByte('\r')
	if here.column > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", here.column)
	}
	s.write(b.String())
	s.drawn, s.cursor, s.first, s.columns = cells, cursor, first, columns
}

// rowsAbove is how many rows of what is drawn are above the cursor. A terminal whose width
// has changed has divided it anew.
func (s *screen) rowsAbove(columns, lines int) int {
	if s.drawn == nil {
		return 0
	}
	row := layout(s.drawn, columns)[s.cursor].row
	if columns == s.columns {
		row -= s.first
	}
	return min(row, lines-1)
}

// place is where a cell is, from the prompt's beginning.
type place struct{ row, column int }

// layout returns the places of cells, and that behind the last one. What does not fit into
// a row is on the next one, as terminals do it.
func layout(cells []cell, columns int) []place {
	places := make([]place, len(cells)+1)
	var at place
	for i := range places {
		width := 1
		if i < len(cells) {
			width = cells[i].width
		}
		if at.column+width > columns && at.column > 0 {
			at = place{at.row + 1, 0}
		}
		places[i] = at
		at.column += width
	}
	return places
}

// writeRows writes the cells of some rows.
func writeRows(b *bytes.Buffer, cells []cell, places []place, first, last int) {
	color := ""
	for i, c := range cells {
		if places[i].row < first || places[i].row > last {
			continue
		}
		if c.color != color {
			b.WriteString("\x1b[0m")
			if c.color != "" {
				b.WriteString("\x1b[" + c.color + "m")
			}
			color = c.color
		}
		b.WriteString(c.text)
	}
	if color != "" {
		b.WriteString("\x1b[0m")
	}
}

// appendCells appends the characters of a text with their colours.
func appendCells(cells []cell, text string, at int, spans []Span) []cell {
	rest, state := text, -1
	for rest != "" {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		for len(spans) > 0 && spans[0].To <= at {
			spans = spans[1:]
		}
		c := cell{text: cluster, width: width}
		if len(spans) > 0 && spans[0].From <= at {
			c.color = spans[0].Color
		}
		if shown := visible(cluster); shown != cluster {
			c.text, c.width = shown, uniseg.StringWidth(shown)
		}
		at += len(cluster)
		cells = append(cells, c)
	}
	return cells
}

// visible replaces what would control the terminal: a line of the history may have anything.
func visible(text string) string {
	if !strings.ContainsFunc(text, isControl) && utf8.ValidString(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ':
			return 0x2400 + r // the picture of a control character
		case isControl(r):
			return utf8.RuneError
		}
		return r
	}, text)
}

func isControl(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }
