package fragments

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/slt"
)

// database is one whose SELECTs are run as fragments in this process, and everything else by the driver.
type database struct {
	driver.Connector
	dsn     string
	store   Store
	options parquetsql.StageOptions
	run     func(ctx context.Context, f *Fragment) error // through JSON

	queries, fragments atomic.Int64
}

func (d *database) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := d.Connector.Connect(ctx)
	return conn{c, d}, err
}

type conn struct {
	driver.Conn
	of *database
}

func (c conn) CheckNamedValue(v *driver.NamedValue) error {
	return c.Conn.(driver.NamedValueChecker).CheckNamedValue(v)
}

func (c conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	d := c.of
	q := Query{DSN: d.dsn, SQL: query, StageOptions: d.options}
	for _, a := range args {
		if v := a.Value; a.Name != "" {
			q.Args = append(q.Args, sql.Named(a.Name, v))
		} else {
			q.Args = append(q.Args, v)
		}
	}
	plan, err := New(ctx, q)
	if err != nil && (strings.Contains(err.Error(), "no SELECT") || strings.Contains(err.Error(), "does not travel")) {
		return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
	}
	if err != nil {
		return nil, err
	}
	d.queries.Add(1)
	d.fragments.Add(int64(len(plan.Fragments)))
	if err := plan.Do(ctx, 2, 1, d.run); err != nil {
		// The scripts have the driver's errors.
		for {
			inner := errors.Unwrap(err)
			if joined, ok := err.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) > 0 {
				inner = joined.Unwrap()[0]
			}
			if inner == nil || strings.HasPrefix(err.Error(), "parquet: ") {
				break
			}
			err = inner
		}
		return nil, errors.Join(err, plan.Close(), Clean(ctx, d.store, plan.ID))
	}
	l := last{plan, d.store}
	rows, err := lastConn{last: l}.QueryContext(ctx, query, nil)
	if err != nil {
		return nil, errors.Join(err, plan.Close(), Clean(ctx, d.store, plan.ID))
	}
	return cleaning{rows.(columnTypes), plan, d.store}, nil
}

// columnTypes is what rows of the driver say of their columns.
type columnTypes interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// cleaning removes the exchanges when the rows are closed.
type cleaning struct {
	columnTypes
	plan  *Plan
	store Store
}

func (c cleaning) Close() error {
	return errors.Join(c.columnTypes.Close(), c.plan.Close(), Clean(context.Background(), c.store, c.plan.ID))
}

// newDatabase runs queries over a location of testdata.
func newDatabase(t testing.TB, dsn string, o parquetsql.StageOptions) (*sql.DB, *database) {
	t.Helper()
	own, err := parquetsql.Driver{}.OpenConnector(dsn)
	if err != nil {
		t.Fatal(err)
	}
	d := &database{Connector: own, dsn: dsn, store: Dir(t.TempDir()), options: o}
	var w Worker
	d.run = func(ctx context.Context, f *Fragment) error {
		data, err := f.Marshal()
		if err != nil {
			return err
		}
		again, err := Unmarshal(data)
		if err != nil {
			return err
		}
		return w.Run(ctx, again, d.store)
	}
	db := sql.OpenDB(d)
	t.Cleanup(func() { db.Close() })
	return db, d
}

// TestScripts: the project's scripts have the same answers as fragments whose rows go through files of
// Arrow's IPC, and no file is left.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("../testdata/slt/*.slt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	location := scriptTables(t)
	options := map[string]parquetsql.StageOptions{
		"divide":    {SplitBytes: 1, Partitions: 3, AllowGather: true, BroadcastBytes: -1},
		"broadcast": {SplitBytes: 1, Partitions: 2, AllowGather: true},
	}
	for name, o := range options {
		if testing.Short() && name == "broadcast" {
			continue
		}
		db, d := newDatabase(t, location, o)
		for _, path := range paths {
			t.Run(name+"/"+filepath.Base(path), func(t *testing.T) {
				script, err := slt.ParseFile(path)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
				defer cancel()
				for _, failure := range script.Run(ctx, slt.Driver(db)) {
					t.Error(failure)
				}
			})
		}
		t.Logf("%s: %d queries in %d fragments", name, d.queries.Load(), d.fragments.Load())
		if left, err := d.store.List(context.Background(), ""); len(left) > 0 || err != nil {
			t.Errorf("left are %q, %v", left, err)
		}
	}
}

// scriptTables is a folder with the files of testdata, without the folders of logs, which no script reads.
func scriptTables(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "testdata")
	err := filepath.WalkDir("../testdata", func(path string, e fs.DirEntry, err error) error {
		below, _ := filepath.Rel("../testdata", path)
		switch {
		case err != nil:
			return err
		case below == "delta" || below == "iceberg":
			return filepath.SkipDir
		case e.IsDir():
			return os.Mkdir(filepath.Join(to, below), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, below), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}
