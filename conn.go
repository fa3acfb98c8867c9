package parquetsql

import (
	"context"
	"database/sql/driver"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/idle"
	"github.com/parquetsql/parquetsql/planner"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/storage"
)

// conn is a connection. It has a transaction's snapshot and no other state: all
// that is costly to make belongs to the connector.
type conn struct {
	connector *connector
	snapshot  *catalog.Snapshot // within a transaction
	closed    bool
	alone     bool // its connector has no other one
}

var (
	_ driver.Conn               = (*conn)(nil)
	_ driver.ConnPrepareContext = (*conn)(nil)
	_ driver.ConnBeginTx        = (*conn)(nil)
	_ driver.QueryerContext     = (*conn)(nil)
	_ driver.ExecerContext      = (*conn)(nil)
	_ driver.Pinger             = (*conn)(nil)
	_ driver.SessionResetter    = (*conn)(nil)
	_ driver.Validator          = (*conn)(nil)
	_ driver.NamedValueChecker  = (*conn)(nil)
	_ driver.StmtQueryContext   = (*stmt)(nil)
	_ driver.StmtExecContext    = (*stmt)(nil)
)

func (c *conn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

// PrepareContext parses the statement and reports tables, columns and functions
// that do not exist. Names are looked up again when it runs, because files may
// appear and vanish until then.
func (c *conn) PrepareContext(ctx context.Context, query string) (out driver.Stmt, err error) {
	defer prefix(&err)
	statement, err := c.parse(ctx, query)
	if err != nil {
		return nil, err
	}
	session, err := c.session(ctx)
	if err != nil {
		return nil, err
	}
	if err := statement.Check(ctx, session); err != nil {
		return nil, err
	}
	return &stmt{conn: c, statement: statement}, nil
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	statement, err := c.parse(ctx, query)
	if err != nil {
		return nil, err
	}
	return c.query(ctx, statement, args)
}

// ExecContext runs a statement for its errors and drops its rows. A statement
// that writes is ErrReadOnly.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	statement, err := c.parse(ctx, query)
	if err != nil {
		return nil, err
	}
	return c.exec(ctx, statement, args)
}

// parse reads a statement. It returns a panic of the parser as an error.
func (c *conn) parse(ctx context.Context, query string) (statement *planner.Statement, err error) {
	defer prefix(&err)
	defer errs.Recover(&err)
	if err := c.connector.limits.Admit(len(query)); err != nil {
		return nil, err
	}
	return c.connector.statements.parse(ctx, query)
}

func (c *conn) query(ctx context.Context, statement *planner.Statement, args []driver.NamedValue) (driver.Rows, error) {
	r, err := c.run(ctx, statement, args, false)
	if err != nil {
		return nil, err // and not rows that are a nil pointer
	}
	return r, nil
}

// run starts a query. nested says that its nested values are not to be made JSON text.
func (c *conn) run(ctx context.Context, statement *planner.Statement, args []driver.NamedValue, nested bool) (out *rows, err error) {
	defer prefix(&err)
	defer errs.Recover(&err)
	if c.closed {
		return nil, driver.ErrBadConn
	}
	bound, err := bindArgs(args)
	if err != nil {
		return nil, err
	}
	return c.start(ctx, statement.Text(), func(ctx context.Context, stats *watched) (planner.Result, error) {
		session, err := c.session(ctx)
		if err != nil {
			return planner.Result{}, err
		}
		session.Nested = nested
		result, err := statement.Query(ctx, session, bound)
		stats.runs(result)
		return result, err
	})
}

// start gives the rows of a query that begin starts.
func (c *conn) start(ctx context.Context, text string, begin func(context.Context, *watched) (planner.Result, error)) (out *rows, err error) {
	stats := watch(ctx, text, c.connector.onQuery)
	idle.Enter()
	defer idle.Leave()
	ctx, cancel := context.WithCancel(storage.WithTraffic(ctx, &stats.traffic))
	defer func() {
		if err != nil {
			cancel()
			stats.end(err)
		}
	}()
	defer errs.Recover(&err) // also of a panic the end is told
	r, err := startRows(ctx, cancel, c.snapshot != nil, func() (planner.Result, error) { return begin(ctx, stats) })
	if err != nil {
		return nil, err
	}
	r.stats, r.distinctNames = stats, c.connector.distinctNames
	return r, nil
}

// session is what one execution may use: a snapshot of the tables, that of the
// transaction if there is one, and the settings.
func (c *conn) session(ctx context.Context) (*planner.Session, error) {
	if c.closed {
		return nil, driver.ErrBadConn
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	snapshot := c.snapshot
	if snapshot == nil {
		var err error
		if snapshot, err = c.connector.catalog.Later(ctx); err != nil {
			return nil, err
		}
	}
	out := &planner.Session{Snapshot: snapshot, Limits: c.connector.limits, Now: time.Now, Version: version()}
	if s, ok := ctx.Value(sessionKey{}).(Session); ok {
		s.of(out)
	}
	return out, nil
}

// version is the answer of VERSION(): the driver's name and its version as the build knows it. A module beside
// the driver, as the tool is, has the version of both; v0.0.0 is that of a clone.
var version = sync.OnceValue(func() string {
	const path = "github.com/parquetsql/parquetsql"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == path && m.Replace == nil && m.Version != "" && m.Version != "v0.0.0" {
				return "parquetsql " + m.Version
			}
		}
		if strings.HasPrefix(info.Main.Path, path+"/") && info.Main.Version != "" {
			return "parquetsql " + info.Main.Version
		}
	}
	return "parquetsql (devel)"
})

func (c *conn) exec(ctx context.Context, statement *planner.Statement, args []driver.NamedValue) (driver.Result, error) {
	r, err := c.query(ctx, statement, args)
	if err != nil {
		return nil, err
	}
	if err := r.(*rows).drain(); err != nil {
		return nil, err
	}
	return driver.RowsAffected(0), nil
}

func (c *conn) Close() error {
	c.closed = true
	if c.alone {
		return c.connector.Close()
	}
	return nil
}

func (c *conn) Begin() (driver.Tx, error) { return c.BeginTx(context.Background(), driver.TxOptions{}) }

// BeginTx takes a snapshot of the list of files, which all statements of the
// transaction see. That satisfies every isolation level, because nothing writes.
func (c *conn) BeginTx(ctx context.Context, _ driver.TxOptions) (out driver.Tx, err error) {
	defer prefix(&err)
	snapshot, err := c.connector.catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	c.snapshot = snapshot
	return tx{c}, nil
}

// tx ends with the snapshot; Commit and Rollback have nothing else to do.
type tx struct{ conn *conn }

func (t tx) Commit() error {
	t.conn.snapshot = nil
	return nil
}

func (t tx) Rollback() error { return t.Commit() }

// Ping fails where the location has vanished.
func (c *conn) Ping(ctx context.Context) (err error) {
	defer prefix(&err)
	if c.closed {
		return driver.ErrBadConn
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.connector.catalog.Ping(ctx)
}

// ResetSession is called before a pooled connection is used again.
func (c *conn) ResetSession(context.Context) error {
	if c.closed {
		return driver.ErrBadConn
	}
	c.snapshot = nil
	return nil
}

// IsValid is called before the connection goes back to the pool.
func (c *conn) IsValid() bool { return !c.closed }

// stmt is a parsed statement. It has no state of its own and may run several
// times at once.
type stmt struct {
	conn      *conn
	statement *planner.Statement
}

func (s *stmt) Close() error  { return nil }
func (s *stmt) NumInput() int { return s.statement.NumInput() }

func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.query(ctx, s.statement, args)
}

func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.exec(ctx, s.statement, args)
}

func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), named(args))
}

func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), named(args))
}

func named(args []driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, v := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out
}
