package fragments

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Rows runs the last stage here, over what the fragments have exchanged, and gives the rows of the query.
// They are closed before the plan is.
func (p *Plan) Rows(ctx context.Context, s Store) (*sql.Rows, error) {
	return queried(ctx, last{made: p.made, fragment: p.last, store: s})
}

// Last is the fragment of the last stage, for a scheduler that has another machine run it, with Worker.Rows.
func (p *Plan) Last() *Fragment { return p.last }

// Rows runs the last stage of a query, over what its fragments have exchanged, and gives the rows of the
// query. They are those of one attempt: nothing is written, and another one gives them again.
func (w *Worker) Rows(ctx context.Context, f *Fragment, s Store) (*sql.Rows, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	m, err := w.replan(ctx, f)
	if err != nil {
		return nil, err
	}
	rows, err := queried(ctx, last{made: m, fragment: f, store: s, owns: true})
	if err != nil {
		err = errors.Join(err, m.Close())
	}
	return rows, err
}

func queried(ctx context.Context, l last) (*sql.Rows, error) {
	db := sql.OpenDB(l)
	rows, err := db.QueryContext(ctx, l.fragment.SQL)
	// Rows that are open keep the connection; with them it goes.
	return rows, errors.Join(err, db.Close())
}

// driverRows is Rows for drivers.
func (p *Plan) driverRows(ctx context.Context, s Store) (driver.Rows, error) {
	return last{made: p.made, fragment: p.last, store: s}.rows(ctx)
}

// last is a database whose only answer is the rows of the last stage.
type last struct {
	made     *made
	fragment *Fragment
	store    Store
	owns     bool // made is closed with the connection
}

// Connect implements driver.Connector.
func (l last) Connect(context.Context) (driver.Conn, error) { return lastConn{last: l}, nil }

// Driver implements driver.Connector.
func (l last) Driver() driver.Driver { return nil }

func (l last) rows(ctx context.Context) (driver.Rows, error) {
	stages, f := l.made.stages, l.fragment
	if f.Stage != len(stages.Stages())-1 {
		return nil, fmt.Errorf("%s: its rows are those of a stage in between; Run runs it", f.Name())
	}
	return stages.Rows(ctx, f.Splits, inputOf(f, stages.Stages(), l.store))
}

type lastConn struct {
	driver.Conn // of which nothing is called
	last
}

// QueryContext implements driver.QueryerContext.
func (c lastConn) QueryContext(ctx context.Context, _ string, _ []driver.NamedValue) (driver.Rows, error) {
	return c.rows(ctx)
}

// Close implements driver.Conn.
func (c lastConn) Close() error {
	if c.owns {
		return c.made.Close()
	}
	return nil
}
