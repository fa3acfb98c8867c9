// Command ask puts queries to parquetsql and to DuckDB and says where their answers
// differ: rows, names and order. It is for finding out what a construct means there
// before it is built here, and for trying lists of queries.
//
//	go run ./cmd/ask -dir ../testdata "SELECT island, count(*) FROM penguins GROUP BY ALL"
//	go run ./cmd/ask -dir ../testdata -v < queries.sql
//
// Queries on standard input end with a semicolon at the end of a line. Each Parquet
// file directly in the directory is a table of both engines.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
	_ "github.com/parquetsql/parquetsql"

	"github.com/parquetsql/parquetsql/bench/answer"
)

func main() {
	dir := flag.String("dir", "../testdata", "the directory of tables")
	verbose := flag.Bool("v", false, "show the answers that agree, too")
	only := flag.Bool("ours", false, "ask parquetsql alone")
	flag.Parse()
	abs, err := filepath.Abs(*dir)
	if err != nil {
		log.Fatal(err)
	}
	ours, duck := open("parquet", abs), open("duckdb", "")
	defer ours.Close()
	defer duck.Close()
	if err := prepare(duck, abs); err != nil {
		log.Fatal(err)
	}
	queries := flag.Args()
	if len(queries) == 0 {
		queries = read()
	}
	counts := map[string]int{}
	for _, q := range queries {
		a := ask(ours, q)
		if *only {
			fmt.Printf("%s\n%s", q, a.text())
			continue
		}
		b := ask(duck, q)
		verdict := compare(a, b)
		counts[verdict]++
		if verdict != "same" || *verbose {
			fmt.Printf("== %s: %s\n  parquetsql: %s  DuckDB: %s", verdict, q, indent(a.text()), indent(b.text()))
		}
	}
	fmt.Println(len(queries), "queries:", counts)
}

func open(driver, dsn string) *sql.DB {
	db, err := sql.Open(driver, dsn)
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// prepare makes a view of each file.
func prepare(duck *sql.DB, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil {
		return err
	}
	statements := []string{"SET TimeZone = 'UTC'", "SET file_search_path = '" + filepath.ToSlash(dir) + "'"}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".parquet")
		statements = append(statements, fmt.Sprintf(`CREATE VIEW "%s" AS SELECT * FROM read_parquet('%s')`, name, filepath.ToSlash(f)))
	}
	for _, s := range statements {
		if _, err := duck.Exec(s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// read splits standard input at semicolons that end a line. Lines that begin with --
// are comments.
func read() []string {
	var queries []string
	var query strings.Builder
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	flush := func() {
		if q := strings.TrimSpace(query.String()); q != "" {
			queries = append(queries, q)
		}
		query.Reset()
	}
	for in.Scan() {
		line := strings.TrimRight(in.Text(), " \t\r")
		if strings.HasPrefix(line, "--") {
			continue
		}
		body, end := strings.CutSuffix(line, ";")
		query.WriteString(body + "\n")
		if end {
			flush()
		}
	}
	flush()
	return queries
}

// reply is what an engine said.
type reply struct {
	answer.Answer
	err error
}

func ask(db *sql.DB, query string) reply {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	a, err := answer.ReadShown(ctx, db, query)
	return reply{a, err}
}

func compare(a, b reply) string {
	switch {
	case a.err != nil && b.err != nil:
		return "both fail"
	case a.err != nil:
		return "we fail"
	case b.err != nil:
		return "DuckDB fails"
	}
	if d := answer.Difference(a.Answer, b.Answer); d != "" {
		return "different"
	}
	all := make([]int, len(a.Columns))
	for i := range all {
		all[i] = i
	}
	if !answer.Same(a.Answer, b.Answer, all) {
		return "other order"
	}
	return "same"
}

// text is an error, or the columns with the types and the first rows.
func (r reply) text() string {
	if r.err != nil {
		return r.err.Error() + "\n"
	}
	var b strings.Builder
	for i, c := range r.Columns {
		fmt.Fprintf(&b, "%s %s, ", c, r.Types[i])
	}
	fmt.Fprintf(&b, "%d rows\n", len(r.Rows))
	for _, row := range r.Rows[:min(len(r.Rows), 12)] {
		fmt.Fprintln(&b, strings.Join(row, " | "))
	}
	return b.String()
}

func indent(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ") + "\n" }
