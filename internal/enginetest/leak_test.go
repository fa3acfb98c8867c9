package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// TestStoppedQueriesLeaveNothing closes and cancels queries during the scan: no
// goroutine is left, and the error is that of the context.
func TestStoppedQueriesLeaveNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	queries := []string{
		"SELECT * FROM movies", "SELECT Title FROM movies WHERE Title LIKE '%a%'",
		"SELECT Director, COUNT(*) FROM movies GROUP BY Director", "SELECT * FROM movies ORDER BY Title",
		"SELECT * FROM movies ORDER BY Title LIMIT 5", "SELECT DISTINCT Director FROM movies",
	}
	db := openDir(t, "testdata?parallelism=4")
	for _, query := range queries {
		ctx, cancel := context.WithCancel(context.Background())
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		rows.Next()
		rows.Close()
		cancel()

		ctx, cancel = context.WithCancel(context.Background())
		rows, err = db.QueryContext(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		rows.Next()
		cancel()
		for rows.Next() {
		}
		if err := rows.Err(); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", query, err)
		}
		rows.Close()
	}
	db.Close()
	for deadline := time.Now().Add(watchdog); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestMemoryLimit: an operator that cannot spill fails with ErrMemoryLimit; one that
// can gives the same answer as without a limit.
func TestMemoryLimit(t *testing.T) {
	tight := openDir(t, "testdata?memory_limit=1MiB&temp_dir="+t.TempDir())
	query := "SELECT Title, COUNT(*) FROM movies GROUP BY Title"
	want, err := queryTable(openDir(t, "testdata"), query)
	if err != nil {
		t.Fatal(err)
	}
	got, err := queryTable(tight, query)
	if err != nil && !errors.Is(err, parquetsql.ErrMemoryLimit) || err == nil && len(got.rows) != len(want.rows) {
		t.Errorf("GROUP BY in 1 MiB: %d rows of %d, %v", len(got.rows), len(want.rows), err)
	}
	if err := drainQuery(context.Background(), tight, "SELECT STRING_AGG(Title, REPEAT('-', 1000)) FROM movies"); !errors.Is(err, parquetsql.ErrMemoryLimit) {
		t.Errorf("one string of 3 MB in 1 MiB: %v", err)
	}
}

// TestSortSpills sorts much more than fits into the limit.
func TestSortSpills(t *testing.T) {
	db := openDir(t, "testdata?memory_limit=1MiB&temp_dir="+t.TempDir())
	rows, err := db.Query("SELECT name FROM airports ORDER BY name, iata")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	last, n := "", 0
	for rows.Next() {
		var name sql.NullString
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if name.Valid && name.String < last {
			t.Fatalf("%q after %q", name.String, last)
		}
		last, n = name.String, n+1
	}
	if rows.Err() != nil || n != 3376 {
		t.Errorf("%d rows, %v", n, rows.Err())
	}
}
