package parquetsql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
)

// TestConcurrent runs queries of one pool in many goroutines and cancels some of
// them; the others finish.
func TestConcurrent(t *testing.T) {
	db := openDir(t, "testdata")
	statement, err := db.Prepare("SELECT Species, COUNT(*) FROM penguins WHERE Island <> ? GROUP BY Species ORDER BY 2")
	if err != nil {
		t.Fatal(err)
	}
	defer statement.Close()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for range 20 {
				ctx := context.Background()
				if i%4 == 0 {
					ctx = cancelled
				}
				rows, err := statement.QueryContext(ctx, "Dream")
				if i%4 == 0 {
					if !errors.Is(err, context.Canceled) {
						t.Errorf("cancelled: %v", err)
					}
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				n := 0
				for rows.Next() {
					n++
				}
				if rows.Err() != nil || n != 2 {
					t.Errorf("%d rows, %v", n, rows.Err())
				}
				rows.Close()
			}
		})
	}
	wg.Wait()
}

// TestNoFileLeft: all files are closed when the database is.
func TestNoFileLeft(t *testing.T) {
	data, err := os.ReadFile("testdata/movies.parquet")
	if err != nil {
		t.Fatal(err)
	}
	counted := &countingFS{fs: fstest.MapFS{"movies.parquet": {Data: data}}}
	connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: counted})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	for _, query := range []string{"SELECT * FROM movies", "SELECT Director, COUNT(*) FROM movies GROUP BY Director", "SELECT Title FROM movies ORDER BY Title"} {
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		rows.Next()
		rows.Close()
	}
	db.Close()
	if n := counted.count(); n != 0 {
		t.Errorf("%d files are open after Close", n)
	}
}

type countingFS struct {
	fs   fs.FS
	mu   sync.Mutex
	open int
}

func (c *countingFS) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}

func (c *countingFS) Open(name string) (fs.File, error) {
	f, err := c.fs.Open(name)
	if err != nil {
		return nil, err
	}
	if at, ok := f.(readerAtFile); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open++
		return &countedFile{readerAtFile: at, of: c}, nil
	}
	return f, nil
}

type readerAtFile interface {
	fs.File
	ReadAt([]byte, int64) (int, error)
}

type countedFile struct {
	readerAtFile
	of   *countingFS
	once sync.Once
}

func (f *countedFile) Close() error {
	f.once.Do(func() {
		f.of.mu.Lock()
		defer f.of.mu.Unlock()
		f.of.open--
	})
	return f.readerAtFile.Close()
}

// TestDriverInterfaces has the optional interfaces that the driver implements.
func TestDriverInterfaces(t *testing.T) {
	connector, err := parquetsql.NewConnector(&parquetsql.Config{Path: "testdata"})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := connector.Connect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for name, ok := range map[string]bool{
		"Pinger":             is[driver.Pinger](conn),
		"QueryerContext":     is[driver.QueryerContext](conn),
		"ExecerContext":      is[driver.ExecerContext](conn),
		"ConnPrepareContext": is[driver.ConnPrepareContext](conn),
		"ConnBeginTx":        is[driver.ConnBeginTx](conn),
		"NamedValueChecker":  is[driver.NamedValueChecker](conn),
		"SessionResetter":    is[driver.SessionResetter](conn),
		"Validator":          is[driver.Validator](conn),
		"DriverContext":      is[driver.DriverContext](connector.Driver()),
	} {
		if !ok {
			t.Errorf("%s is not implemented", name)
		}
	}
}

func is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}
