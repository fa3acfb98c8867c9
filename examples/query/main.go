// Command query runs one SQL query over Parquet files and prints its rows as a table or
// as CSV. It shows how a program uses the driver; cmd/parquetsql is the tool for every day.
//
//	go run ./examples/query [-csv] DSN "SELECT …" [argument …]
package main

import (
	"context"
	"database/sql"
	"encoding/csv"
	"flag"
	"fmt"
	"os"

	_ "github.com/parquetsql/parquetsql"
)

func main() {
	asCSV := flag.Bool("csv", false, "print CSV")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), `usage: query [-csv] DSN "SELECT …" [argument …]`)
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() < 2 {
		flag.Usage()
		os.Exit(2)
	}
	var args []any
	for _, a := range flag.Args()[2:] {
		args = append(args, a)
	}
	var p printer = &table{out: os.Stdout}
	if *asCSV {
		p = &csvPrinter{csv.NewWriter(os.Stdout)}
	}
	if err := query(context.Background(), p, flag.Arg(0), flag.Arg(1), args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// printer prints rows as they come, the names of the columns first.
type printer interface {
	print(row []string) error
	end() error
}

func query(ctx context.Context, p printer, dsn, text string, args []any) error {
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
	if err := printRows(p, rows); err != nil {
		return err
	}
	return p.end()
}

func printRows(p printer, rows *sql.Rows) error {
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	row := make([]string, len(types))
	values, targets := make([]any, len(types)), make([]any, len(types))
	for i, t := range types {
		row[i], targets[i] = t.Name(), &values[i]
	}
	if err := p.print(row); err != nil {
		return err
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		for i, v := range values {
			row[i] = text(types[i].DatabaseTypeName(), v)
		}
		if err := p.print(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

type csvPrinter struct{ w *csv.Writer }

func (c *csvPrinter) print(row []string) error { return c.w.Write(row) }

func (c *csvPrinter) end() error {
	c.w.Flush()
	return c.w.Error()
}
