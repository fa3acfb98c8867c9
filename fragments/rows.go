package fragments

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// Rows runs the last stage here, over what the fragments have exchanged, and gives the rows of the query.
// They are closed before the plan is.
func (p *Plan) Rows(ctx context.Context, s Store) (*sql.Rows, error) {
	db := sql.OpenDB(last{p, s})
	rows, err := db.QueryContext(ctx, p.last.SQL)
	// Rows that are open keep the connection; with them it goes.
	return rows, errors.Join(err, db.Close())
}

// driverRows is Rows for drivers.
func (p *Plan) driverRows(ctx context.Context, s Store) (driver.Rows, error) {
	stages := p.made.stages
	return stages.Rows(ctx, p.last.Splits, inputOf(p.last, stages.Stages(), s))
}

// last is a database whose only answer is the rows of the last stage.
type last struct {
	plan  *Plan
	store Store
}

// Connect implements driver.Connector.
func (l last) Connect(context.Context) (driver.Conn, error) { return lastConn{last: l}, nil }

// Driver implements driver.Connector.
func (l last) Driver() driver.Driver { return nil }

type lastConn struct {
	driver.Conn // of which nothing is called
	last
}

// QueryContext implements driver.QueryerContext.
func (c lastConn) QueryContext(ctx context.Context, _ string, _ []driver.NamedValue) (driver.Rows, error) {
	return c.plan.driverRows(ctx, c.store)
}

// Close implements driver.Conn.
func (lastConn) Close() error { return nil }
