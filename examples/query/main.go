// Command query runs one SQL query over Parquet files and prints an aligned
// table:
//
//	go run ./examples/query DSN "SELECT …" [argument …]
package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	_ "github.com/parquetsql/parquetsql"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, `usage: query DSN "SELECT …" [argument …]`)
		os.Exit(2)
	}
	args := make([]any, 0, len(os.Args)-3)
	for _, a := range os.Args[3:] {
		args = append(args, a)
	}
	if err := query(context.Background(), os.Stdout, os.Args[1], os.Args[2], args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func query(ctx context.Context, out io.Writer, dsn, text string, args []any) error {
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return printTable(out, rows)
}

// printTable aligns columns with two spaces between them.
func printTable(out io.Writer, rows *sql.Rows) error {
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(names, "\t"))
	values := make([]sql.NullString, len(names))
	targets := make([]any, len(names))
	for i := range values {
		targets[i] = &values[i]
	}
	cells := make([]string, len(names))
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		for i, v := range values {
			cells[i] = v.String
			if !v.Valid {
				cells[i] = "NULL"
			}
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return w.Flush()
}
