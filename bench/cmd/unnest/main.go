// Command unnest times parquetsql's correlated tables against DuckDB's UNNEST on
// one file, in one run, in turns, and prints how many times as fast parquetsql
// is. Both must give the same rows. The file is written once, below -data.
//
//	go run ./cmd/unnest
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"log"
	"math"
	"path/filepath"
	"slices"
	"time"

	_ "github.com/parquetsql/parquetsql"

	"github.com/parquetsql/parquetsql/bench/lists"
)

func main() {
	data := flag.String("data", "data", "where the file is kept")
	elements := flag.Int64("elements", 50_000_000, "elements of all lists")
	runs := flag.Int("runs", 3, "how often each query runs; the fastest counts")
	flag.Parse()
	file, err := lists.Write(*data, *elements)
	if err != nil {
		log.Fatal(err)
	}
	ours, duck := open("parquet", file), open("duckdb", "")
	defer ours.Close()
	defer duck.Close()
	duck.SetMaxOpenConns(1)
	for _, text := range []string{"SET threads = 2", "CREATE VIEW lists AS SELECT * FROM read_parquet('" + filepath.ToSlash(file) + "')"} {
		if _, err := duck.Exec(text); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("  times as fast   parquetsql       DuckDB  query")
	logs := 0.0
	for _, q := range lists.Queries() {
		a, b := fastest(ours, duck, q, *runs)
		ratio := float64(b) / float64(a)
		logs += math.Log(ratio)
		fmt.Printf("%15.2f %12s %12s  %s\n", ratio, a.Round(time.Millisecond), b.Round(time.Millisecond), q.Ours)
	}
	fmt.Printf("%15.2f geometric mean\n", math.Exp(logs/float64(len(lists.Queries()))))
}

func open(driver, dsn string) *sql.DB {
	db, err := sql.Open(driver, dsn)
	if err != nil {
		log.Fatal(err)
	}
	return db
}

// fastest runs the query on both in turns, so that other load on the machine affects
// both.
func fastest(ours, duck *sql.DB, q lists.Query, runs int) (a, b time.Duration) {
	a, b = math.MaxInt64, math.MaxInt64
	for range runs {
		got, took := once(ours, q.Ours)
		a = min(a, took)
		want, took := once(duck, q.Duck)
		b = min(b, took)
		if !slices.Equal(got, want) {
			log.Fatalf("%s:\nparquetsql %.200q\nDuckDB     %.200q", q.Ours, got, want)
		}
	}
	return a, b
}

// once returns the rows as sorted text, and how long the query took.
func once(db *sql.DB, text string) (lines []string, took time.Duration) {
	start := time.Now()
	rows, err := db.Query(text)
	if err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	values, targets := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			log.Fatalf("%s: %v", text, err)
		}
		lines = append(lines, fmt.Sprintln(values...))
	}
	if err := rows.Err(); err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	took = time.Since(start)
	slices.Sort(lines)
	return lines, took
}
