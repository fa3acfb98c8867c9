// Package differential runs random queries on parquetsql and on DuckDB and compares
// their answers.
//
//	go test ./differential -queries 100000              # as many queries
//	go test ./differential -seed 4711 -queries 1 -show  # one again, with its text
//	go test ./differential -fragments                    # as fragments of several machines
//
// A seed is one query over tables that are always the same. parquetsql answers each
// query several times, with different options. A query that fails is made smaller before
// it is shown.
package differential

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
	"github.com/parquetsql/parquetsql"

	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/fragments"
)

var (
	seed  = flag.Uint64("seed", 1, "the first query")
	count = flag.Int("queries", 0, "how many queries; 0 is 2000, and 300 with -short")
	most  = flag.Int("failures", 20, "how many failures are shown")
	show  = flag.Bool("show", false, "print the text of each query")
	split = flag.Bool("fragments", false, "run the queries as fragments, and by one connection of the driver")
)

// variants are the options that each query runs with.
var variants = []string{"?parallelism=1", "?parallelism=4", "?parallelism=2&pruning=off", "?parallelism=2&memory_limit=1MiB"}

// expected are errors of queries that DuckDB answers, and why they are no failure. One
// that did not occur in 100,000 queries is out of date.
var expected = map[string]string{
	"is ambiguous: it may be": "another table has a column of the name that USING has made one; DuckDB takes the latter",
	"the ON of an ASOF JOIN":  "a column of literal NULLs makes a constant of COALESCE(p, 1) here",
	"subqueries in a lambda":  "DuckDB refuses them too, unless the list is a constant and the lambda is gone before it looks",
}

func TestDifferential(t *testing.T) {
	n := *count
	switch {
	case n > 0:
	case testing.Short():
		n = 300
	default:
		n = 2000
	}
	e := openEngines(t)
	t.Logf("seeds %d to %d", *seed, *seed+uint64(n)-1)
	failures, invalid, rows, started := 0, map[string]int{}, 0, time.Now()
	asked, compared, refused, empty := 0, 0, 0, 0
	seen, messages := map[string]int{}, map[string]int{}
	for s := *seed; s < *seed+uint64(n) && failures < *most; s++ {
		q := newGenerator(s).top()
		if *show {
			t.Logf("seed %d: %s", s, q)
		}
		if asked > 0 && asked%500 == 0 {
			t.Logf("%d of %d queries, %d answers compared, %d failures", asked, n, compared, failures)
		}
		f := e.check(q.String())
		asked++
		switch {
		case f == nil:
			compared++
			rows += e.rows
			if e.rows == 0 {
				empty++
			}
		case f.ofDuckDB:
			refused++
			invalid[shortened(f.text)]++
		case f.expected != "":
			seen[f.expected]++
			messages[shortened(f.text)]++
		default:
			failures++
			before := len(q.String())
			f = e.minimize(q, f)
			t.Errorf("seed %d (%d bytes), %s\n%s\n%s", s, before, f.variant, q, f.text)
		}
	}
	for text, n := range invalid {
		t.Logf("%d not answered by DuckDB: %s", n, text)
	}
	for text, n := range messages {
		t.Logf("%d with an expected error: %s", n, text)
	}
	t.Logf("%d queries in %v: %d answers of %d rows compared, %d of them without a row; %d not answered by DuckDB, %d with an expected error, %d failures; of %d runs %d needed more memory than their limit",
		asked, time.Since(started).Round(time.Second), compared, rows, empty, refused, asked-compared-refused-failures, failures, e.runs, e.limited)
	for text := range expected {
		if n >= 100_000 && seen[text] == 0 {
			t.Errorf("no query has the expected error %q", text)
		}
	}
}

func shortened(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text[:min(len(text), 90)]
}

// Engines are DuckDB and parquetsql, in each variant.
type engines struct {
	duck  *duck
	plain *duck // DuckDB without its optimizer
	ours  []*sql.DB
	// variants are the names of ours.
	variants []string
	rows     int // of the last answer

	runs, limited int // of queries of ours, and those that a memory limit ended
}

func openEngines(t *testing.T) *engines {
	dir := t.TempDir()
	if err := writeTables(dir, 1); err != nil {
		t.Fatal(err)
	}
	e := &engines{duck: &duck{setUp: []string{"SET threads = 2", "SET TimeZone = 'UTC'"}, patient: patience + 5*time.Second}}
	if testing.Short() {
		e.duck.patient = shortPatience
	}
	for _, table := range tables {
		e.duck.setUp = append(e.duck.setUp, fmt.Sprintf("CREATE TABLE %s AS SELECT * FROM read_parquet('%s')", table.name, filepath.ToSlash(filepath.Join(dir, table.name))+".parquet"))
	}
	e.plain = &duck{setUp: append(slices.Clone(e.duck.setUp), "PRAGMA disable_optimizer"), patient: e.duck.patient}
	t.Cleanup(e.duck.stop)
	t.Cleanup(e.plain.stop)
	plain := variants
	if *split {
		plain = plain[:1]
	}
	for _, options := range plain {
		db, err := sql.Open("parquet", dir+options)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		e.ours, e.variants = append(e.ours, db), append(e.variants, options)
	}
	if *split {
		for _, broadcast := range []int64{0, -1} {
			c := &fragments.Connector{DSN: dir + "?parallelism=2", Store: fragments.Dir(t.TempDir()), Options: parquetsql.StageOptions{SplitBytes: 1, Partitions: 3, BroadcastBytes: broadcast, AllowGather: true}}
			db := sql.OpenDB(c)
			t.Cleanup(func() { db.Close() })
			e.ours, e.variants = append(e.ours, db), append(e.variants, fmt.Sprintf("fragments, broadcast %d", broadcast))
		}
	}
	return e
}

// A failure says what is wrong with a query.
type failure struct {
	ofDuckDB bool   // DuckDB does not answer it
	expected string // the expected error that it is
	variant  string
	failed   bool // with an error, not with another answer
	text     string
}

// like says whether g is the same kind of failure.
func (f *failure) like(g *failure) bool {
	if g == nil || g.ofDuckDB || g.expected != "" || f.failed != g.failed {
		return false
	}
	return !f.failed || f.text[:min(len(f.text), 40)] == g.text[:min(len(g.text), 40)]
}

// minimize makes the query smaller while it fails in the same way, and returns the failure
// of the smallest one. Smaller queries may take very long, those without conditions, say.
func (e *engines) minimize(q *query, f *failure) *failure {
	defer func(before time.Duration) { e.duck.patient = before }(e.duck.patient)
	e.duck.patient = 6 * time.Second
	end := time.Now().Add(2 * time.Minute)
	minimize(q, func(text string) bool {
		if time.Now().After(end) {
			return false
		}
		smaller := e.check(text)
		if !f.like(smaller) {
			return false
		}
		f = smaller
		return true
	})
	return f
}

// check runs a query on all engines.
func (e *engines) check(text string) *failure {
	want, err := e.duck.read(text)
	if err != nil {
		return &failure{ofDuckDB: true, text: err.Error()}
	}
	e.rows = len(want.Rows)
	var contradicted *failure
	for i, db := range e.ours {
		e.runs++
		got, err := read(db, text, patience)
		if errors.Is(err, context.DeadlineExceeded) { // the machine may have been busy
			got, err = read(db, text, 2*patience)
		}
		if err != nil {
			if strings.Contains(e.variants[i], "memory_limit") && strings.Contains(err.Error(), "memory_limit") {
				e.limited++
				continue // an answer that needs more
			}
			f := &failure{failed: true, variant: e.variants[i], text: err.Error()}
			for part := range expected {
				if strings.Contains(f.text, part) {
					f.expected = part
				}
			}
			return f
		}
		d := answer.Difference(got, want)
		if d != "" && i == 0 {
			// DuckDB's optimizer has defects, for example bounds of STRUCT_UPDATE that are those of
			// the struct before, or MAP_CONTAINS_VALUE of MIN of one row.
			if plain, err := e.plain.read(text); err == nil && answer.Difference(got, plain) == "" {
				contradicted = &failure{ofDuckDB: true, text: "without its optimizer DuckDB has another answer, which is ours"}
				want, d = plain, "" // the other variants are held to it
			}
		}
		if d != "" {
			if contradicted == nil && e.duck.wavers(text, want) {
				return &failure{ofDuckDB: true, text: "DuckDB has several answers"}
			}
			return &failure{variant: e.variants[i], text: d}
		}
	}
	return contradicted
}

func read(db *sql.DB, text string, patient time.Duration) (answer.Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	return answer.ReadShown(ctx, db, text)
}
