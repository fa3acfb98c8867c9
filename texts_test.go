package parquetsql_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestLongTexts: what an expression makes of a batch is bounded: many long texts are made
// a few at a time, one that does not fit the memory is ErrMemoryLimit, and one that is
// longer than 256 MiB is an error without a limit too.
func TestLongTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of megabytes of texts a query")
	}
	tight := openTexts(t, "testdata?memory_limit=2MiB&temp_dir="+t.TempDir())
	for query, want := range map[string]string{
		"SELECT SUM(LENGTH(REPEAT(iata, 10000))) FROM airports":                                                  "101700000",
		"SELECT LENGTH(MAX(LPAD(iata, 100000, 'ab'))) FROM airports":                                             "100000",
		"SELECT COUNT(*) FROM airports WHERE REPEAT(iata, 10000) >= 'A'":                                         "2630",
		"SELECT SUM(LENGTH(CONCAT_WS(REPEAT(iata, 5000), 'a', 'b'))) FROM airports":                              "50856752",
		"SELECT SUM(LENGTH(REPLACE(REPEAT(iata || 'x', 1000), 'x', REPEAT('y', 20)))) FROM airports":             "77690000",
		"SELECT SUM(LENGTH(REGEXP_REPLACE(REPEAT(iata || '-', 100), '-', REPEAT('y', 200), 'g'))) FROM airports": "68537000",
		"SELECT COUNT(DISTINCT SUBSTRING(REPEAT(iata, 20000), 1, 3)) FROM airports":                              "3367",
		"SELECT SUM(CARDINALITY(RANGE(1000 + LENGTH(iata)))) FROM airports":                                      "3386170",
		"SELECT SUM(CARDINALITY(STRING_SPLIT(REPEAT(iata || ',', 3000), ','))) FROM airports":                    "10131376",
		"SELECT COUNT(*) FROM airports a JOIN airports b ON REPEAT(a.iata, 2000) = REPEAT(b.iata, 2000)":         "3376",
		"SELECT MAX(LENGTH(x)) FROM (SELECT REPEAT(iata, 20000) AS x FROM airports) t":                           "80000",
		"SELECT SUM(n) FROM (SELECT LENGTH(FORMAT('{0}{0}{0}', REPEAT(iata, 3000))) AS n FROM airports) t":       "91530000",
		"SELECT SUM(LENGTH(ARRAY_TO_STRING([iata, iata, iata], REPEAT(iata, 3000)))) FROM airports":              "61050510",
		"SELECT COUNT(*) FROM (SELECT iata, ROW_NUMBER() OVER (ORDER BY REPEAT(iata, 20)) AS r FROM airports) t": "3376",
	} {
		var got string
		if err := tight.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s in 2 MiB: %s, %v, want %s", query, got, err, want)
		}
	}
	for _, query := range []string{
		"SELECT LENGTH(REPEAT(iata, 10000000)) FROM airports",
		"SELECT iata FROM airports WHERE LPAD(iata, 200000000, 'ab') > 'a'",
		"SELECT LENGTH(SPACE(50000000 + LENGTH(iata))) FROM airports",
		"SELECT STRING_AGG(iata, REPEAT('-', 100000)) FROM airports",
		"SELECT RANGE(40000000 + LENGTH(iata)) FROM airports",
		"SELECT LIST_RESIZE([1], 40000000 + LENGTH(iata)) FROM airports",
		"SELECT REPEAT([iata], 40000000) FROM airports",
	} {
		if err := drainTexts(tight, query); !errors.Is(err, parquetsql.ErrMemoryLimit) {
			t.Errorf("%s in 2 MiB: %v", query, err)
		}
	}
	free := openTexts(t, "testdata")
	for _, query := range []string{"SELECT REPEAT(iata, 300000000) FROM airports", "SELECT RANGE(9000000000000000000)"} {
		if err := drainTexts(free, query); err == nil || !strings.Contains(err.Error(), "limit for one value") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestLongTextsAreKept: the program may keep texts that are copied one by one.
func TestLongTextsAreKept(t *testing.T) {
	kept := map[string]string{}
	rows, err := openTexts(t, "testdata").Query("SELECT iata, REPEAT(iata, 20000) FROM airports LIMIT 300")
	for code, long := "", ""; err == nil && rows.Next(); kept[code] = long {
		err = rows.Scan(&code, &long)
	}
	for code, long := range kept {
		if err != nil || len(kept) < 290 || long != strings.Repeat(code, 20000) {
			t.Fatal(err, len(kept), code)
		}
	}
}

// TestCopiesAreCharged: a text that the program gets as a copy has to fit beside the one that it is a copy of; those of
// the rows before do not count.
func TestCopiesAreCharged(t *testing.T) {
	for _, query := range []string{
		"SELECT REPEAT('x', 12000000 + CAST(i AS INTEGER)) FROM range(5) t(i)",
		"SELECT CAST(REPEAT('x', 12000000 + CAST(i AS INTEGER)) AS BLOB), NULL FROM range(5) t(i)",
	} {
		if err := drainTexts(openTexts(t, "testdata?memory_limit=24MiB"), query); !errors.Is(err, parquetsql.ErrMemoryLimit) {
			t.Errorf("%s in 24 MiB: %v", query, err)
		}
		if err := drainTexts(openTexts(t, "testdata?memory_limit=48MiB"), query); err != nil {
			t.Errorf("%s in 48 MiB: %v", query, err)
		}
	}
}

func openTexts(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func drainTexts(db *sql.DB, query string) error {
	rows, err := db.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}
