package bench

import (
	"database/sql"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"
	_ "github.com/parquetsql/parquetsql"

	"github.com/parquetsql/parquetsql/bench/hits"
	"github.com/parquetsql/parquetsql/bench/queries"
)

// TestClickBench runs all 43 queries on both engines over one file.
func TestClickBench(t *testing.T) {
	file, err := hits.Write(t.TempDir(), 100_000)
	if err != nil {
		t.Fatal(err)
	}
	compareAll(t, file, "hits", queries.ClickBench())
}

// TestFlights needs flights-3m.parquet, whose path is in PARQUETSQL_FLIGHTS.
func TestFlights(t *testing.T) {
	file := os.Getenv("PARQUETSQL_FLIGHTS")
	if file == "" {
		t.Skip("PARQUETSQL_FLIGHTS does not name flights-3m.parquet of the npm package vega-datasets")
	}
	link := filepath.Join(t.TempDir(), "flights.parquet")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(link, data, 0o644); err != nil {
		t.Fatal(err)
	}
	compareAll(t, link, "flights", queries.Flights())
}

// TestDialect runs expressions and small queries over testdata.
func TestDialect(t *testing.T) {
	dir := filepath.Join("..", "testdata")
	ours, err := sql.Open("parquet", dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	duck, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer duck.Close()
	duck.SetMaxOpenConns(1)
	for _, table := range []string{"penguins", "movies", "airports", "seattle_weather"} {
		if _, err := duck.Exec("CREATE VIEW " + table + " AS SELECT * FROM read_parquet('" + filepath.ToSlash(filepath.Join(dir, table)) + ".parquet')"); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range queries.Dialect() {
		t.Run(fmt.Sprintf("%02d", i), func(t *testing.T) { compare(t, ours, duck, text) })
	}
}

func compareAll(t *testing.T, file, table string, texts []string) {
	ours, duck := open(t, file, table)
	for i, text := range texts {
		t.Run(fmt.Sprintf("%02d", i), func(t *testing.T) { compare(t, ours, duck, text) })
	}
}

// open gives both engines the file under one table name.
func open(t testing.TB, file, table string) (ours, duck *sql.DB) {
	ours, err := sql.Open("parquet", file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ours.Close() })
	if duck, err = sql.Open("duckdb", ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { duck.Close() })
	duck.SetMaxOpenConns(1)
	for _, text := range []string{"SET threads = 2", "CREATE VIEW " + table + " AS SELECT * FROM read_parquet('" + filepath.ToSlash(file) + "')"} {
		if _, err := duck.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	return ours, duck
}

var limit = regexp.MustCompile(`(?i)( LIMIT \d+)( OFFSET \d+)?$`)

// compare runs the query on both. Ties under ORDER BY may fall either way, so
// a query with LIMIT is compared without it, whole and regardless of order; the
// limited answer must be part of the whole, and as long as that of DuckDB.
func compare(t *testing.T, ours, duck *sql.DB, text string) {
	whole := limit.ReplaceAllString(text, "")
	got, want := run(t, ours, whole), run(t, duck, whole)
	sortedGot, sortedWant := slices.Clone(got), slices.Clone(want)
	sort.Strings(sortedGot)
	sort.Strings(sortedWant)
	if !slices.Equal(sortedGot, sortedWant) {
		t.Errorf("%s\n%s", whole, difference(sortedGot, sortedWant))
		return
	}
	if whole == text {
		return
	}
	part, wantPart := run(t, ours, text), run(t, duck, text)
	if len(part) != len(wantPart) {
		t.Errorf("%s\n got %d rows, want %d", text, len(part), len(wantPart))
	}
	for _, row := range part {
		if at := sort.SearchStrings(sortedGot, row); at == len(sortedGot) || sortedGot[at] != row {
			t.Errorf("%s\n row %s is not one of the whole answer", text, row)
		}
	}
}

func difference(got, want []string) string {
	text := fmt.Sprintf(" got %d rows, want %d", len(got), len(want))
	shown := 0
	for i := 0; i < max(len(got), len(want)) && shown < 5; i++ {
		g, w := "-", "-"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			text += fmt.Sprintf("\n got  %s\n want %s", g, w)
			shown++
		}
	}
	return text
}

// run returns each row as text in a form that both engines share.
func run(t *testing.T, db *sql.DB, text string) []string {
	t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	names, _ := rows.Columns()
	values := make([]any, len(names))
	targets := make([]any, len(names))
	for i := range values {
		targets[i] = &values[i]
	}
	var out []string
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		cells := make([]string, len(values))
		for i, v := range values {
			cells[i] = cell(v)
		}
		out = append(out, strings.Join(cells, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

func cell(v any) string {
	switch x := v.(type) {
	case float64:
		return rounded(x)
	case float32:
		return rounded(float64(x))
	case *big.Int:
		return x.String()
	case duckdb.Decimal:
		return new(big.Rat).SetFrac(x.Value, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(x.Scale)), nil)).FloatString(int(x.Scale))
	case time.Time:
		return x.UTC().Format(time.RFC3339Nano)
	case []byte:
		return string(x)
	}
	return fmt.Sprint(v)
}

// rounded drops the digits that depend on the order of a floating-point sum.
func rounded(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) || f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'e', 10, 64)
}
