package bench

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/bench/hits"
	"github.com/parquetsql/parquetsql/bench/queries"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/fragmentstest"
)

// TestClickBench runs all 43 queries on both engines over one file.
func TestClickBench(t *testing.T) {
	file, err := hits.Write(t.TempDir(), 100_000)
	if err != nil {
		t.Fatal(err)
	}
	compareAll(t, file, "hits", queries.ClickBench())
}

// TestMain is a worker of fragments where it is begun as one.
func TestMain(m *testing.M) {
	fragmentstest.Main(exchange)
	os.Exit(m.Run())
}

func exchange(dir string) (fragments.Store, error) { return fragments.Dir(dir), nil }

// TestClickBenchFragments runs the queries as fragments in processes of their own, each row group a split.
// PARQUETSQL_FRAGMENT_WORKERS says with how many.
func TestClickBenchFragments(t *testing.T) {
	file, err := hits.WriteGroups(t.TempDir(), 100_000, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	workers, err := fragmentstest.Workers(2)
	if err != nil {
		t.Fatal(err)
	}
	_, duck := open(t, file, "hits")
	for _, n := range workers {
		store := fragments.Dir(t.TempDir())
		pool := fragmentstest.NewPool(fragmentstest.Options{Workers: n, Store: string(store)})
		t.Cleanup(pool.Close)
		ours := sql.OpenDB(&fragments.Connector{DSN: file, Store: store, Parallel: n, Run: pool.Run, Options: parquetsql.StageOptions{SplitBytes: 1, Partitions: 3}})
		defer ours.Close()
		for i, text := range queries.ClickBench() {
			t.Run(fmt.Sprintf("%d/%02d", n, i), func(t *testing.T) { compare(t, ours, duck, text) })
		}
		t.Logf("%d fragments in %d processes", pool.Ran(), n)
		if left, err := store.List(t.Context(), ""); len(left) > 0 || err != nil {
			t.Errorf("left are %q, %v", left, err)
		}
	}
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

func compare(t *testing.T, ours, duck *sql.DB, text string) {
	problem, err := answer.Check(context.Background(), ours, duck, text)
	if err != nil {
		t.Fatalf("DuckDB: %s: %v", text, err)
	}
	if problem != "" {
		t.Errorf("%s\n%s", text, problem)
	}
}
