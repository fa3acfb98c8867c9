package fragments

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/parquetsql/parquetsql"
)

// Connector is a driver.Connector, for sql.OpenDB, whose SELECTs run as fragments. Other statements, which
// read no rows of tables, run in this process.
type Connector struct {
	DSN     string
	Options parquetsql.StageOptions
	Store   Store
	// Run runs a fragment somewhere; nil: in this process. Parallel is how many run at the same time, and
	// Attempts how often one may fail; 0 is 1.
	Run                func(context.Context, *Fragment) error
	Parallel, Attempts int
}

// Driver implements driver.Connector.
func (c *Connector) Driver() driver.Driver { return parquetsql.Driver{} }

// Connect implements driver.Connector.
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	connector, err := parquetsql.Driver{}.OpenConnector(c.DSN)
	if err != nil {
		return nil, err
	}
	own, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: own, of: c, close: connector.(closer).Close}, nil
}

type closer interface{ Close() error }

// conn is a connection of the driver, whose SELECTs are run by others.
type conn struct {
	driver.Conn
	of    *Connector
	close func() error
}

// Close implements driver.Conn.
func (c *conn) Close() error { return errors.Join(c.Conn.Close(), c.close()) }

// CheckNamedValue implements driver.NamedValueChecker.
func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	return c.Conn.(driver.NamedValueChecker).CheckNamedValue(v)
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	q := Query{DSN: c.of.DSN, SQL: query, StageOptions: c.of.Options}
	for _, a := range args {
		if v := a.Value; a.Name != "" {
			q.Args = append(q.Args, sql.Named(a.Name, v))
		} else {
			q.Args = append(q.Args, v)
		}
	}
	plan, err := New(ctx, q)
	if errors.Is(err, parquetsql.ErrNoQuery) {
		return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
	}
	if err != nil {
		return nil, err
	}
	rows, err := c.of.rows(ctx, plan)
	if err != nil {
		return nil, errors.Join(err, c.of.end(ctx, plan))
	}
	return &ending{rows, func() error { return c.of.end(ctx, plan) }}, nil
}

// rows are those of a plan, whose fragments it runs.
func (c *Connector) rows(ctx context.Context, plan *Plan) (ownRows, error) {
	run := c.Run
	if run == nil {
		run = func(ctx context.Context, f *Fragment) error { return plan.Run(ctx, f, c.Store) }
	}
	if err := plan.Do(ctx, c.Parallel, c.Attempts, run); err != nil {
		return nil, err
	}
	rows, err := plan.driverRows(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	return rows.(ownRows), nil
}

// end closes a plan and removes its exchanges, even if the query was cancelled.
func (c *Connector) end(ctx context.Context, plan *Plan) error {
	return errors.Join(plan.Close(), Clean(context.WithoutCancel(ctx), c.Store, plan.ID))
}

// ownRows is what rows of the driver say of their columns.
type ownRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// ending ends a plan with its rows.
type ending struct {
	ownRows
	end func() error
}

// Close implements driver.Rows.
func (e *ending) Close() error {
	err := e.ownRows.Close()
	if e.end != nil {
		err = errors.Join(err, e.end())
		e.end = nil
	}
	return err
}
