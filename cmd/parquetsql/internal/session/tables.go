package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/query"
)

// tables lists the tables with what their files hold. A table whose files cannot be read has
// NULL there, and below the table why.
func (s *Session) tables(ctx context.Context, _ string) error {
	names, err := TableNames(ctx, s.Runner.DB)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return s.say("%s", noTables)
	}
	var rows [][]any
	var failed []error
	for _, name := range names {
		var files, lines, size sql.NullInt64
		err := s.Runner.DB.QueryRowContext(ctx, "SELECT COUNT(*), SUM(rows), SUM(size) FROM "+Quoted(name+"$files")).Scan(&files, &lines, &size)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		row := []any{name, nil, nil, nil}
		if err == nil {
			row = []any{name, files.Int64, lines.Int64, format.Size(size.Int64)}
		}
		if err != nil && len(failed) < maxReasons {
			failed = append(failed, fmt.Errorf("%s: %s", name, query.Message(Placeless(err), s.Runner.Names)))
		}
		rows = append(rows, row)
	}
	if err := s.Runner.Show([]format.Column{{Name: "name"}, {Name: "files", Type: "BIGINT"}, {Name: "rows", Type: "BIGINT"}, {Name: "size", Type: "DECIMAL"}}, rows); err != nil {
		return err
	}
	for _, err := range failed {
		fmt.Fprintln(s.Runner.Stderr, err)
	}
	return nil
}

// maxReasons is of how many tables it is said why they cannot be read.
const maxReasons = 10

// SayIfEmpty tells of a location without files. What is wrong with others, a query says.
func (s *Session) SayIfEmpty(ctx context.Context) error {
	if names, err := TableNames(ctx, s.Runner.DB); err != nil || len(names) > 0 {
		return nil
	}
	return s.say("%s", noTables)
}

const noTables = "There are no Parquet files here. FROM '…' reads one by its path below the location."

// TableNames returns the names of the tables.
func TableNames(ctx context.Context, db *sql.DB) (names []string, err error) {
	rows, err := db.QueryContext(ctx, "SHOW TABLES")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
