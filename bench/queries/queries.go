// Package queries holds the SQL that tests and benchmarks run on both engines.
package queries

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
)

//go:embed clickbench.sql
var clickBench string

//go:embed flights.sql
var flights string

//go:embed dialect.sql
var dialect string

//go:embed events.sql
var events string

//go:embed breadth.sql
var breadth string

// Dialect has statements over testdata that mean the same in both engines.
func Dialect() []string { return split(dialect) }

// ClickBench has ClickBench's 43 queries, in order.
func ClickBench() []string { return split(clickBench) }

// Streams has queries over ClickBench's table whose answers are large.
func Streams() []string {
	return []string{
		"SELECT * FROM hits", "SELECT WatchID, EventTime, UserID FROM hits", "SELECT URL, Title FROM hits", "SELECT * FROM hits WHERE RegionID < 500",
	}
}

// Flights has the queries of a typical report over flights-3m.parquet of the npm
// package vega-datasets.
func Flights() []string { return split(flights) }

// Events has queries over the tables of package logs, which mean the same in both engines.
func Events() []string { return split(events) }

// Breadth has queries of everyday kinds over the tables of package breadth.
func Breadth() []string { return split(breadth) }

// Read reads a file with one query per line.
func Read(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	return split(string(text)), err
}

// A Pair is a query in the SQL of parquetsql and of DuckDB.
type Pair struct {
	Ours, Duck string
	Alone      bool // if DuckDB cannot answer, or answers otherwise, ours is measured alone
}

// Same are queries that are the same in both.
func Same(texts []string) []Pair {
	out := make([]Pair, len(texts))
	for i, text := range texts {
		out[i] = Pair{Ours: text, Duck: text}
	}
	return out
}

// split splits a file with one statement per line.
func split(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSpace(line), ";")
		if line != "" && !strings.HasPrefix(line, "--") {
			out = append(out, line)
		}
	}
	return out
}

// Lookups has point and narrow-range queries over an events table of so many rows (see
// package events).
func Lookups(rows int64) []string {
	middle := rows * 5 / 8
	return []string{
		fmt.Sprintf("SELECT * FROM events WHERE id = %d", middle),
		fmt.Sprintf("SELECT amount FROM events WHERE id = %d", rows-1),
		fmt.Sprintf("SELECT COUNT(*), SUM(amount) FROM events WHERE id BETWEEN %d AND %d", middle, middle+100),
		fmt.Sprintf("SELECT id, name FROM events WHERE id >= %d AND id < %d ORDER BY id", middle, middle+20),
		fmt.Sprintf("SELECT * FROM events WHERE key = %d", middle|1),
		"SELECT id FROM events WHERE name = 'user-nobody'",
		"SELECT COUNT(*) FROM events WHERE id < 0",
		"SELECT MIN(id), MAX(id), COUNT(*) FROM events",
		fmt.Sprintf("SELECT id, amount FROM events WHERE id > %d ORDER BY id DESC LIMIT 10", middle),
	}
}
