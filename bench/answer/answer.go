// Package answer reads the answers of parquetsql and DuckDB in one form and compares
// them.
package answer

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

// An Answer is what a query returned.
type Answer struct {
	Columns []string
	Types   []string
	Rows    [][]string // each value as text that both engines share; see Cell
}

// Read runs a query.
func Read(ctx context.Context, db *sql.DB, text string) (Answer, error) {
	return read(ctx, db, text, func(v any, _ *sql.ColumnType) string { return Cell(v) })
}

// ReadShown runs a query and shows values of all types, nested ones among them, as
// parquetsql does: see DuckText.
func ReadShown(ctx context.Context, db *sql.DB, text string) (Answer, error) {
	return read(ctx, db, text, func(v any, c *sql.ColumnType) string {
		if s, ok := DuckText(v, c); ok && v != nil {
			return canonical(s)
		}
		if s, ok := v.(string); ok {
			return canonical(s)
		}
		return Cell(v)
	})
}

func read(ctx context.Context, db *sql.DB, text string, cell func(any, *sql.ColumnType) string) (Answer, error) {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return Answer{}, err
	}
	defer rows.Close()
	a := Answer{}
	if a.Columns, err = rows.Columns(); err != nil {
		return Answer{}, err
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		return Answer{}, err
	}
	for _, t := range types {
		a.Types = append(a.Types, t.DatabaseTypeName())
	}
	values := make([]any, len(a.Columns))
	targets := make([]any, len(a.Columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return Answer{}, err
		}
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = cell(v, types[i])
		}
		a.Rows = append(a.Rows, row)
	}
	return a, rows.Err()
}

// Drain runs a query and drops its rows after they were scanned.
func Drain(ctx context.Context, db *sql.DB, text string) error {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Cell is the text of a value. Floats have all their digits; whole floats look like
// integers.
func Cell(v any) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case float64:
		return floatText(x)
	case float32:
		return floatText(float64(x))
	case *big.Int:
		return x.String()
	case duckdb.Decimal:
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(x.Scale)), nil)
		return new(big.Rat).SetFrac(x.Value, unit).FloatString(int(x.Scale))
	case time.Time:
		return x.UTC().Format(time.RFC3339Nano)
	case []byte:
		return string(x)
	}
	return fmt.Sprint(v)
}

func floatText(f float64) string {
	if f == 0 {
		return "0" // also for -0
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// lines are the rows as text, sorted.
func (a Answer) lines() []string {
	lines := make([]string, len(a.Rows))
	for i, row := range a.Rows {
		lines[i] = strings.Join(row, " | ")
	}
	slices.Sort(lines)
	return lines
}

// Difference says how two answers differ when the order of their rows does not count.
// It is empty where they do not, up to the digits of floats that depend on the order of
// a sum.
func Difference(got, want Answer) string {
	if len(got.Columns) != len(want.Columns) {
		return fmt.Sprintf("got %d columns, want %d", len(got.Columns), len(want.Columns))
	}
	g, w := sorted(got.Rows), sorted(want.Rows)
	text, shown := "", 0
	for i := 0; i < max(len(g), len(w)) && shown < 4; i++ {
		if i < len(g) && i < len(w) && sameRow(g[i], w[i]) {
			continue
		}
		text += fmt.Sprintf("\n got  %s\n want %s", line(g, i), line(w, i))
		shown++
	}
	if text == "" {
		return ""
	}
	return fmt.Sprintf("got %d rows, want %d%s", len(g), len(w), text)
}

func line(rows [][]string, i int) string {
	if i >= len(rows) {
		return "-"
	}
	return strings.Join(rows[i], " | ")
}

// Same says whether the two answers have the same rows in the same order, in the given
// columns.
func Same(got, want Answer, columns []int) bool {
	if len(got.Rows) != len(want.Rows) {
		return false
	}
	for i := range got.Rows {
		for _, c := range columns {
			if !sameCell(got.Rows[i][c], want.Rows[i][c]) {
				return false
			}
		}
	}
	return true
}

// sorted sorts by text, floats with few digits: the last ones may differ.
func sorted(rows [][]string) [][]string {
	type keyed struct{ key, row []string }
	all := make([]keyed, len(rows))
	for i, row := range rows {
		key := make([]string, len(row))
		for c, cell := range row {
			key[c] = cell
			if f, ok := fraction(cell); ok {
				if math.Abs(f) <= near {
					f = 0 // of values that cancel each other
				}
				key[c] = strconv.FormatFloat(f, 'e', 6, 64)
			}
		}
		all[i] = keyed{key, row}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		if c := slices.Compare(a.key, b.key); c != 0 {
			return c
		}
		return slices.CompareFunc(a.row, b.row, compareCells) // of floats that are nearly equal
	})
	out := make([][]string, len(rows))
	for i, k := range all {
		out[i] = k.row
	}
	return out
}

func compareCells(a, b string) int {
	x, okX := fraction(a)
	y, okY := fraction(b)
	if okX && okY {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

func sameRow(a, b []string) bool {
	return slices.EqualFunc(a, b, sameCell)
}

func sameCell(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := fraction(a)
	y, okY := fraction(b)
	if !okX || !okY {
		return false
	}
	return math.Abs(x-y) <= max(1e-9*max(math.Abs(x), math.Abs(y)), near)
}

// near is how far from each other two floats may be in any case.
const near = 1e-12

// fraction is the number of a text that a float may have.
func fraction(text string) (float64, bool) {
	if text == "" || !strings.ContainsAny(text[:1], "-0123456789") {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}
