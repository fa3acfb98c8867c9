package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// table aligns columns with two spaces between them. Their widths come from the first
// rows, which it holds back; a later cell that is wider shifts the rest of its line.
type table struct {
	out    io.Writer
	held   [][]string
	widths []int
	w      *bufio.Writer
}

const heldRows = 100

func (t *table) print(row []string) error {
	if t.w != nil {
		return t.line(row)
	}
	t.held = append(t.held, append([]string(nil), row...))
	if len(t.held) < heldRows {
		return nil
	}
	return t.begin()
}

func (t *table) begin() error {
	t.w = bufio.NewWriter(t.out)
	t.widths = make([]int, len(t.held[0]))
	for _, row := range t.held {
		for i, cell := range row {
			t.widths[i] = max(t.widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.held {
		if err := t.line(row); err != nil {
			return err
		}
	}
	t.held = nil
	return nil
}

func (t *table) line(row []string) error {
	for i, cell := range row {
		t.w.WriteString(cell)
		if i < len(row)-1 {
			t.w.WriteString(strings.Repeat(" ", max(t.widths[i]-utf8.RuneCountInString(cell), 0)+2))
		}
	}
	return t.w.WriteByte('\n') // a bufio.Writer keeps the first error
}

func (t *table) end() error {
	if t.w == nil {
		if err := t.begin(); err != nil {
			return err
		}
	}
	return t.w.Flush()
}

// text writes a value as a person does. The types are those of the README's table.
func text(typ string, v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case []byte:
		return fmt.Sprintf(`\x%x`, v)
	case time.Time:
		switch typ {
		case "DATE":
			return v.Format("2006-01-02")
		case "TIMESTAMPTZ":
			return v.Format("2006-01-02 15:04:05.999999999Z07:00")
		}
		return v.Format("2006-01-02 15:04:05.999999999")
	}
	return fmt.Sprint(v)
}
