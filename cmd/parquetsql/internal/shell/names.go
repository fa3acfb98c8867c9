package shell

import (
	"context"
	"database/sql"
	"time"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/session"
)

// names asks the database what there is, and remembers it for a while: files may come and
// go while the shell is open.
type names struct {
	db       *sql.DB
	asked    time.Time
	tableSet []string
	columnOf map[string][]string
	funcs    []string
}

const (
	// A key may take this long. What takes longer is left out.
	askTime = time.Second
	// After this time tables and columns are asked for again.
	namesLast = 10 * time.Second
)

func (n *names) refresh() {
	if time.Since(n.asked) < namesLast {
		return
	}
	n.asked, n.columnOf, n.tableSet = time.Now(), map[string][]string{}, nil
	n.each("SHOW TABLES", func(row []sql.NullString) { n.tableSet = append(n.tableSet, row[0].String) })
}

func (n *names) tables() []string {
	n.refresh()
	return n.tableSet
}

func (n *names) columns(table string) []string {
	n.refresh()
	if known, ok := n.columnOf[table]; ok {
		return known
	}
	var columns []string
	n.each("DESCRIBE "+session.Quoted(table), func(row []sql.NullString) {
		columns = append(columns, row[0].String)
	})
	n.columnOf[table] = columns
	return columns
}

func (n *names) functions() []string {
	if n.funcs == nil {
		last := ""
		n.each("SHOW FUNCTIONS", func(row []sql.NullString) {
			if row[0].String != last {
				last = row[0].String
				n.funcs = append(n.funcs, last)
			}
		})
	}
	return n.funcs
}

// each calls f with the rows of a query. A query that fails has none: there is nothing to
// complete then.
func (n *names) each(query string, f func(row []sql.NullString)) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	rows, err := n.db.QueryContext(ctx, query)
	if err != nil {
		return
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return
	}
	row, targets := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range row {
		targets[i] = &row[i]
	}
	for rows.Next() && rows.Scan(targets...) == nil {
		f(row)
	}
}
