// Command ratios times queries on parquetsql and on DuckDB, in one run, in
// turns, through database/sql on both sides, and prints how many times as fast
// parquetsql is. The data sets are written once, below -data.
//
//	go run ./cmd/ratios                 # ClickBench's queries on a million rows, lookups on ten million
//	go run ./cmd/ratios -flights flights-3m.parquet
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
	_ "github.com/parquetsql/parquetsql"

	"github.com/parquetsql/parquetsql/bench/events"
	"github.com/parquetsql/parquetsql/bench/hits"
	"github.com/parquetsql/parquetsql/bench/queries"
)

func main() {
	data := flag.String("data", "data", "where the data sets are kept")
	rows := flag.Int("hits", 1_000_000, "rows of hits")
	lookups := flag.Int64("events", 10_000_000, "rows of events")
	flights := flag.String("flights", "", "flights-3m.parquet of the npm package vega-datasets")
	runs := flag.Int("runs", 5, "how often each query runs; the fastest counts")
	only := flag.String("only", "", "run only the queries that contain this text")
	flag.Parse()
	if err := os.MkdirAll(*data, 0o755); err != nil {
		log.Fatal(err)
	}
	hitsFile := made(filepath.Join(*data, "hits.parquet"), func(string) error { _, err := hits.Write(*data, *rows); return err })
	suite("ClickBench", hitsFile, "hits", queries.ClickBench(), *only, *runs)
	eventsFile := made(filepath.Join(*data, "events.parquet"), func(file string) error { return events.Write(file, *lookups) })
	suite("lookups", eventsFile, "events", queries.Lookups(*lookups), *only, *runs)
	if *flights != "" {
		suite("flights", *flights, "flights", queries.Flights(), *only, *runs)
	}
}

func made(file string, write func(string) error) string {
	if _, err := os.Stat(file); err != nil {
		if err := write(file); err != nil {
			log.Fatal(err)
		}
	}
	return file
}

func suite(name, file, table string, texts []string, only string, runs int) {
	ours, duck := open(file, table)
	defer ours.Close()
	defer duck.Close()
	fmt.Printf("\n%s\n  times as fast   parquetsql       DuckDB  query\n", name)
	logs, n := 0.0, 0
	for _, text := range texts {
		if !strings.Contains(text, only) {
			continue
		}
		a, b := fastest(ours, duck, strings.ReplaceAll(text, "FROM "+table, "FROM "+ourName(file, table)), text, runs)
		ratio := float64(b) / float64(a)
		logs += math.Log(ratio)
		n++
		fmt.Printf("%15.2f %12s %12s  %.100s\n", ratio, a.Round(time.Microsecond), b.Round(time.Microsecond), text)
	}
	if n > 0 {
		fmt.Printf("%15.2f geometric mean of %d\n", math.Exp(logs/float64(n)), n)
	}
}

// ourName is the name of the table of a file.
func ourName(file, table string) string {
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if base == table {
		return table
	}
	return "`" + base + "`"
}

func open(file, table string) (ours, duck *sql.DB) {
	ours, err := sql.Open("parquet", file)
	if err != nil {
		log.Fatal(err)
	}
	if duck, err = sql.Open("duckdb", ""); err != nil {
		log.Fatal(err)
	}
	duck.SetMaxOpenConns(1)
	for _, text := range []string{"SET threads = 2", "CREATE VIEW " + table + " AS SELECT * FROM read_parquet('" + filepath.ToSlash(file) + "')"} {
		if _, err := duck.Exec(text); err != nil {
			log.Fatal(err)
		}
	}
	return ours, duck
}

// fastest runs the query on both in turns, so that other load on the machine affects
// both.
func fastest(ours, duck *sql.DB, ourText, duckText string, runs int) (a, b time.Duration) {
	a, b = math.MaxInt64, math.MaxInt64
	for range runs {
		a = min(a, once(ours, ourText))
		b = min(b, once(duck, duckText))
	}
	return a, b
}

func once(db *sql.DB, text string) time.Duration {
	start := time.Now()
	rows, err := db.Query(text)
	if err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	names, _ := rows.Columns()
	row := make([]any, len(names))
	for i := range row {
		row[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(row...); err != nil {
			log.Fatalf("%s: %v", text, err)
		}
	}
	if err := rows.Err(); err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	return time.Since(start)
}
