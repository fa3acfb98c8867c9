package enginetest

import (
	"database/sql"
	"fmt"
	"os"
	"testing"
	"time"

	_ "github.com/parquetsql/parquetsql"
)

// watchdog ends a query that hangs. It is no measure of speed: it is far more than any
// query here takes on a slow machine.
const watchdog = time.Minute

// TestMain changes to the repository's root, so that paths begin with testdata.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func openDir(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func one[T any](t testing.TB, db *sql.DB, query string, args ...any) T {
	t.Helper()
	var v T
	if err := db.QueryRow(query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}
