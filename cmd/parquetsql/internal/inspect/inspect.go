// Package inspect shows what is in the files of a table besides its values: their schema,
// row groups, columns, sizes and indexes. All of it comes from the driver's system tables.
package inspect

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/query"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/session"
)

// systemTable returns the name of a system table of a table: "penguins$files".
func systemTable(table, suffix string) string { return session.Quoted(table + "$" + suffix) }

// TableOf returns the table that the user means: that of the name, or the only one.
func TableOf(ctx context.Context, db *sql.DB, name string) (string, error) {
	if name != "" {
		_, err := db.ExecContext(ctx, "DESCRIBE "+session.Quoted(name))
		return name, session.Placeless(err)
	}
	names, err := session.TableNames(ctx, db)
	if err != nil {
		return "", err
	}
	switch len(names) {
	case 0:
		return "", fmt.Errorf("there are no Parquet files")
	case 1:
		return names[0], nil
	}
	return "", fmt.Errorf("there are %d tables: name one of them behind the location: %s", len(names), strings.Join(names, ", "))
}

// Schema writes the columns as the file of a table has them, of several files those of the
// first.
func Schema(ctx context.Context, db *sql.DB, r *query.Runner, table string) error {
	table, err := TableOf(ctx, db, table)
	if err != nil {
		return err
	}
	var file sql.NullString
	var files int
	if err := db.QueryRowContext(ctx, "SELECT MIN(file), COUNT(*) FROM "+systemTable(table, "files")).Scan(&file, &files); err != nil {
		return err
	}
	if files > 1 {
		fmt.Fprintf(os.Stderr, "%s is the first of %d files\n", file.String, files)
	}
	r.Opts.Null = ""
	return r.Run(ctx, `SELECT "column", type, physical_type, logical_type, repetition, max_definition_level AS definition, `+
		`max_repetition_level AS repetitions FROM `+systemTable(table, "schema")+" WHERE file = ?", []any{file.String})
}
