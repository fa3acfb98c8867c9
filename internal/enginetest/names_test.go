package enginetest

import (
	"database/sql"
	"math"
	"reflect"
	"testing"
	"time"
)

// TestNames: a result column has the column's own name, or the text of its expression
// as it is written.
func TestNames(t *testing.T) {
	db := openDir(t, "testdata/penguins.parquet")
	for query, want := range map[string][]string{
		"SELECT species, p.ISLAND, `Beak Length (mm)` FROM penguins p":          {"Species", "Island", "Beak Length (mm)"},
		"SELECT penguins.sex, main.penguins.sex FROM penguins":                  {"Sex", "Sex"},
		"SELECT 1+1, 1  +  1, COUNT( * ), 'a'||'b'":                             {"1+1", "1  +  1", "COUNT( * )", "'a'||'b'"},
		"SELECT /* x */ upper(Sex) , Sex::varchar FROM penguins":                {"upper(Sex)", "Sex::varchar"},
		"SELECT Sex AS a, Sex \"B c\", Sex AS 'd', Sex `e` FROM penguins":       {"a", "B c", "d", "e"},
		"SELECT Sex, Sex, 1, 1 FROM penguins":                                   {"Sex", "Sex", "1", "1"},
		"SELECT *, _row FROM penguins":                                          {"Species", "Island", "Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Body Mass (g)", "Sex", "_row"},
		"SELECT * EXCLUDE (species, `Sex`, \"Beak Depth (mm)\") FROM penguins":  {"Island", "Beak Length (mm)", "Flipper Length (mm)", "Body Mass (g)"},
		"SELECT * REPLACE (1 AS species, Sex || 'x' AS Sex) FROM penguins":      {"Species", "Island", "Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Body Mass (g)", "Sex"},
		"SELECT CASE WHEN Sex = 'x' THEN 1 END, Sex IS NULL FROM penguins":      {"CASE WHEN Sex = 'x' THEN 1 END", "Sex IS NULL"},
		"SELECT SUM(`Body Mass (g)`) FILTER (WHERE Sex = 'MALE') FROM penguins": {"SUM(`Body Mass (g)`) FILTER (WHERE Sex = 'MALE')"},
	} {
		_, names, err := ask(db, query+" LIMIT 1")
		if err != nil && names == nil {
			_, names, err = ask(db, query)
		}
		if err != nil || !reflect.DeepEqual(names, want) {
			t.Errorf("%s: %q, %v; want %q", query, names, err, want)
		}
	}
}

// TestPlaceholders: each kind of placeholder, also in LIMIT and OFFSET; values keep
// their types.
func TestPlaceholders(t *testing.T) {
	at := time.Date(1970, 1, 1, 2, 0, 48, 123459000, time.FixedZone("", 7200))
	keep(t, openDir(t, "testdata/files/duckdb/types_v1_snappy.parquet"), []promise{
		{"SELECT ?, ?, ?, ?, ?, ?", "1 2.5d 'it''s' true NULL x'00'", []any{1, 2.5, "it''s", true, nil, []byte{0}}},
		{"SELECT $2, $1, $2", "'b' 'a' 'b'", []any{"a", "b"}},
		{"SELECT :x, :y, :x", "1 2 1", []any{sql.Named("y", 2), sql.Named("x", 1)}},
		{"SELECT tinyint FROM types_v1_snappy ORDER BY 1 LIMIT ? OFFSET ?", "-58; -57", []any{2, 2}},
		{"SELECT tinyint FROM types_v1_snappy ORDER BY 1 LIMIT $1 OFFSET $1", "-59", []any{1}},
		{"SELECT tinyint FROM types_v1_snappy ORDER BY 1 LIMIT :n OFFSET :n", "-59", []any{sql.Named("n", 1)}},
		{"SELECT tinyint FROM types_v1_snappy LIMIT ?", "error: LIMIT", []any{-1}},
		{"SELECT tinyint FROM types_v1_snappy LIMIT ?", "error: LIMIT", []any{"x"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE enum = ?", "0", []any{"x' OR 1=1 --"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE timestamp = ?", "1", []any{at}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE timestamptz = ?", "1", []any{time.Date(2020, 2, 28, 23, 0, 0, 0, time.UTC)}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE date = ?", "1", []any{time.Date(1969, 12, 4, 0, 0, 0, 0, time.UTC)}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE date = ?", "0", []any{time.Date(1969, 12, 4, 12, 0, 0, 0, time.UTC)}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE date = ?", "1", []any{"1969-12-04"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE date = ?", "error: DATE", []any{"x"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE ubigint = ?", "0", []any{uint64(math.MaxUint64)}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE uuid = ?", "1", []any{"00000000-0000-4000-8000-000000000001"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE decimal9 = ?", "1", []any{"1234.567"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE blob = ? OR blob = ?", "2", []any{"b1", []byte("b2")}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE tinyint IN (?, ?) OR enum LIKE ?", "34", []any{1, 2, "re%"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE tinyint = ?", "0", []any{nil}},
		{"SELECT ? + 1, ? + 1", "2 2.5d", []any{1, 1.5}},
		{"SELECT '?', `tinyint`, '$1' FROM types_v1_snappy WHERE tinyint = ?", "'?' 1 '$1'", []any{1}},
		{"SELECT ?", "'[1]'", []any{[]int{1}}},
		{"SELECT ?", "error: map[string]int", []any{map[string]int{"a": 1}}},
		{"SELECT :x", "error: :x", []any{sql.Named("y", 1)}},
		{"SELECT ?, $1", "error: placeholders", []any{1}},
		{"SELECT ?", "error: ", nil},
	}...)
}
