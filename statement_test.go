package parquetsql_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestLongStatement: a statement whose planning takes more memory than the limit is
// ErrMemoryLimit before it is read, and one that takes less runs.
func TestLongStatement(t *testing.T) {
	statement := func(values int) string {
		return "SELECT COUNT(*) FROM airports WHERE LENGTH(iata) IN (3" + strings.Repeat(", 2007", values) + ")"
	}
	for _, c := range []struct {
		limit  string
		values int
		fits   bool
	}{{"1MiB", 20_000, true}, {"1MiB", 100_000, false}, {"256MiB", 100_000, true}, {"0", 100_000, true}} {
		db, err := sql.Open("parquet", "testdata?memory_limit="+c.limit)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		err = db.QueryRow(statement(c.values)).Scan(&n)
		if c.fits && (err != nil || n != 3334) || !c.fits && !errors.Is(err, parquetsql.ErrMemoryLimit) {
			t.Errorf("%d values at memory_limit=%s: %d, %v", c.values, c.limit, n, err)
		}
		db.Close()
	}
}
