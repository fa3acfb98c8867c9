package inspect

import (
	"context"
	"database/sql"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/query"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/session"
)

// described is a column of a table: its type, and whether it may be NULL.
type described struct{ name, typ, null string }

// Diff writes the columns in which two tables differ, and tells whether there are any. The order
// of the columns does not count.
func Diff(ctx context.Context, r *query.Runner, one, other *sql.DB, table string) (differ bool, err error) {
	left, err := describe(ctx, one, table)
	if err != nil {
		return false, err
	}
	right, err := describe(ctx, other, table)
	if err != nil {
		return false, err
	}
	var rows [][]any
	for _, c := range left {
		d, ok := find(right, c.name)
		switch {
		case !ok:
			rows = append(rows, []any{c.name, "only in the first", c.typ, nil})
		case c.typ != d.typ:
			rows = append(rows, []any{c.name, "type", c.typ, d.typ})
		case c.null != d.null:
			rows = append(rows, []any{c.name, "may be NULL", c.null, d.null})
		}
	}
	for _, d := range right {
		if _, ok := find(left, d.name); !ok {
			rows = append(rows, []any{d.name, "only in the second", nil, d.typ})
		}
	}
	if len(rows) == 0 {
		return false, nil
	}
	return true, r.Show([]format.Column{{Name: "column"}, {Name: "difference"}, {Name: "first"}, {Name: "second"}}, rows)
}

func find(list []described, name string) (described, bool) {
	for _, c := range list {
		if c.name == name {
			return c, true
		}
	}
	return described{}, false
}

func describe(ctx context.Context, db *sql.DB, table string) (list []described, err error) {
	table, err = TableOf(ctx, db, table)
	if err != nil {
		return nil, err
	}
	err = each(ctx, db, `SELECT column_name, column_type, "null" FROM (DESCRIBE `+session.Quoted(table)+")", func(rows *sql.Rows) error {
		var c described
		if err := rows.Scan(&c.name, &c.typ, &c.null); err != nil {
			return err
		}
		list = append(list, c)
		return nil
	})
	return list, err
}
