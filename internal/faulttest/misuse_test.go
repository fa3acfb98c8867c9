package faulttest

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"

	_ "github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// A query whose rows arrive in many batches, from several goroutines.
const (
	manyRows  = "SELECT a.title, b.title FROM movies a, movies b"
	sortedAll = "SELECT title FROM movies ORDER BY title"
)

// TestClosedMeanwhile: rows may be closed, by their own Close, by the end of the context or by
// the pool's Close, while another goroutine is in Next and Scan, which end with what
// database/sql promises. (Two goroutines in Next or Scan of the same rows it does not allow.) It is
// of most use with the race detector.
func TestClosedMeanwhile(t *testing.T) {
	leaktest.Check(t)
	for name, stop := range map[string]func(rows *sql.Rows, cancel func(), db *sql.DB) error{
		"rows":    func(rows *sql.Rows, _ func(), _ *sql.DB) error { return rows.Close() },
		"context": func(_ *sql.Rows, cancel func(), _ *sql.DB) error { cancel(); return nil },
		"pool":    func(rows *sql.Rows, _ func(), db *sql.DB) error { return errors.Join(db.Close(), rows.Close()) },
	} {
		for range 20 {
			ctx, cancel := context.WithCancel(t.Context())
			db, err := sql.Open("parquet", "../../testdata")
			if err != nil {
				t.Fatal(err)
			}
			rows, err := db.QueryContext(ctx, manyRows)
			if err != nil {
				t.Fatal(err)
			}
			var reader sync.WaitGroup
			begun := make(chan struct{})
			reader.Go(func() {
				var a, b sql.NullString
				for n := 0; rows.Next(); n++ {
					if n == 0 {
						close(begun)
					}
					if err := rows.Scan(&a, &b); err != nil && !errors.Is(err, context.Canceled) && !strings.Contains(err.Error(), "closed") {
						t.Errorf("%s: Scan: %v", name, err)
					}
				}
				// After the end of the context, database/sql closes the rows some time later.
				if err := rows.Scan(&a, &b); err == nil && name != "context" {
					t.Errorf("%s: Scan after the end", name)
				}
			})
			<-begun
			if err := stop(rows, cancel, db); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			reader.Wait()
			if err := rows.Err(); name == "context" && !errors.Is(err, context.Canceled) || name == "rows" && err != nil {
				t.Errorf("%s: %v", name, err)
			}
			cancel()
			if err := errors.Join(rows.Close(), db.Close()); err != nil {
				t.Errorf("%s: Close: %v", name, err)
			}
		}
	}
}

// TestEndedBefore: each call with a context that has ended is its error.
func TestEndedBefore(t *testing.T) {
	leaktest.Check(t)
	db, err := sql.Open("parquet", "../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx, cancel := context.WithCancel(t.Context())
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, err := c.PrepareContext(t.Context(), sortedAll)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cancel()
	for name, call := range map[string]func() error{
		"Ping":         func() error { return db.PingContext(ctx) },
		"Ping, open":   func() error { return c.PingContext(ctx) },
		"BeginTx":      func() error { _, err := c.BeginTx(ctx, nil); return err },
		"Prepare":      func() error { _, err := c.PrepareContext(ctx, sortedAll); return err },
		"Query":        func() error { _, err := c.QueryContext(ctx, sortedAll); return err },
		"Exec":         func() error { _, err := c.ExecContext(ctx, sortedAll); return err },
		"Query, again": func() error { _, err := s.QueryContext(ctx); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := c.PingContext(t.Context()); err != nil {
		t.Errorf("the connection is of no use afterwards: %v", err)
	}
}

// TestManyPools: pools over one folder know nothing of one another: the end of one leaves the
// queries of the others alone.
func TestManyPools(t *testing.T) {
	leaktest.Check(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 10 {
				db, err := sql.Open("parquet", "../../testdata")
				if err != nil {
					t.Error(err)
					return
				}
				rows, err := db.Query(sortedAll)
				if err != nil {
					t.Error(err)
					return
				}
				n := 0
				for rows.Next() {
					if n++; i%2 == 1 && n == 100 {
						break // and the pool is closed over it
					}
				}
				if err := errors.Join(rows.Err(), db.Close(), rows.Close()); err != nil || n != 100 && i%2 == 1 {
					t.Errorf("%d rows, %v", n, err)
				}
			}
		})
	}
	all.Wait()
}
