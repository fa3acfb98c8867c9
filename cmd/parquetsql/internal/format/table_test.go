package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

func TestTable(t *testing.T) {
	columns := []Column{{Name: "name", Type: "VARCHAR", Note: "VARCHAR"}, {Name: "n", Type: "DECIMAL", Note: "DECIMAL(5,2)"}}
	rows := [][]any{{"日本", "1.50"}, {nil, nil}, {"NULL", "-10.00"}, {"a\tb\nc\\d\x1b[1m", "0.00"}, {"", "7.00"}}
	want := `┌───────────────────┬──────────────┐
│ name              │            n │
│ VARCHAR           │ DECIMAL(5,2) │
├───────────────────┼──────────────┤
│ 日本              │         1.50 │
│ NULL              │         NULL │
│ 'NULL'            │       -10.00 │
│ a\tb\nc\\d\x1b[1m │         0.00 │
│                   │         7.00 │
└───────────────────┴──────────────┘
5 rows
`
	got := write(t, "table", Options{Null: "NULL", MaxCell: 100}, columns, rows...)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	checkAligned(t, got)
}

// checkAligned checks that all lines of a table are equally wide, and returns the width.
func checkAligned(t *testing.T, table string) int {
	t.Helper()
	lines := strings.Split(table, "\n")
	wide := uniseg.StringWidth(lines[0])
	for _, line := range lines[:len(lines)-2] {
		if w := uniseg.StringWidth(line); w != wide {
			t.Errorf("the line %q is %d wide, the first one %d", line, w, wide)
		}
	}
	return wide
}

// TestTableFits tries many widths: no line is wider, and each cell is whole or has a … .
func TestTableFits(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 40} {
		var columns []Column
		var row []any
		for i := range n {
			columns = append(columns, Column{Name: fmt.Sprintf("column %d", i), Type: "VARCHAR", Note: "VARCHAR"})
			row = append(row, strings.Repeat("語x", i%7+1))
		}
		for limit := 30; limit < 300; limit += 7 {
			out := write(t, "table", Options{Width: limit, MaxCell: 50}, columns, row)
			if wide := checkAligned(t, out); wide > limit {
				t.Errorf("%d columns in a width of %d are %d wide:\n%s", n, limit, wide, out)
			}
			if strings.Contains(out, "of") && !strings.Contains(out, fmt.Sprintf("of %d columns", n)) {
				t.Errorf("%d columns, the end is %q", n, out[strings.LastIndex(out, "┘"):])
			}
		}
	}
}

// TestTableStreams checks that rows past the sample are written at once, cut to the width
// that the sample has.
func TestTableStreams(t *testing.T) {
	var out strings.Builder
	w := newTable(&out, Options{MaxCell: 20})
	if err := w.Head([]Column{{Name: "v", Type: "VARCHAR"}}); err != nil {
		t.Fatal(err)
	}
	for range sampleRows {
		if err := w.Row([]any{"ten chars."}); err != nil {
			t.Fatal(err)
		}
	}
	before := out.Len()
	if err := w.Row([]any{strings.Repeat("y", 1<<20)}); err != nil {
		t.Fatal(err)
	}
	if got := out.String()[before:]; got != "│ yyyyyyyyy… │\n" {
		t.Errorf("the row behind the sample is %q", got)
	}
}

func TestVertical(t *testing.T) {
	columns := []Column{{Name: "long name", Type: "VARCHAR"}, {Name: "n", Type: "BIGINT"}}
	got := write(t, "vertical", Options{Null: "NULL"}, columns, []any{"a\nb", nil}, []any{strings.Repeat("x", 300), int64(5)})
	want := "── row 1 ──\nlong name  a\\nb\nn          NULL\n── row 2 ──\nlong name  " + strings.Repeat("x", 300) + "\nn          5\n2 rows\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestElide(t *testing.T) {
	tests := []struct {
		text  string
		limit int
		want  string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdefg", 6, "abcde…"}, {"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"},
		{"日本語", 1, "…"}, {"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"}, {"e\u0301e\u0301e\u0301", 2, "e\u0301…"}, {"anything", 0, "anything"},
		{"👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"},
	}
	for _, test := range tests {
		end, w, cut := elide([]byte(test.text), test.limit)
		got := test.text[:end]
		if cut {
			got += "…"
		}
		if got != test.want || w != uniseg.StringWidth(got) {
			t.Errorf("%q in %d is %q of width %d, want %q", test.text, test.limit, got, w, test.want)
		}
	}
}
