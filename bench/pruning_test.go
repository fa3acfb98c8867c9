package bench

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	_ "github.com/parquetsql/parquetsql"

	"github.com/parquetsql/parquetsql/bench/events"
)

// scanned has the counts of EXPLAIN ANALYZE for a query with one scan.
type scanned struct {
	Groups      int64 `json:"row_groups_total"`
	ByStats     int64 `json:"row_groups_pruned_statistics"`
	ByBloom     int64 `json:"row_groups_pruned_bloom"`
	ByDict      int64 `json:"row_groups_pruned_dictionary"`
	Pages       int64 `json:"pages_total"`
	PagesPruned int64 `json:"pages_pruned"`
	Bytes       int64 `json:"bytes_read"`
	Decoded     int64 `json:"rows_decoded"`
	Returned    int64 `json:"rows_returned"`
}

// fewBytes is the most that a query for one place in the file may read.
const fewBytes = 200 << 10

// TestPruning selects single rows and narrow ranges from a sorted file with a page
// index and bloom filters: each query first on a connector that has read nothing yet,
// then again, when the indexes are cached.
func TestPruning(t *testing.T) {
	rows := int64(10_000_000)
	if testing.Short() {
		rows = 2_000_000
	}
	file := filepath.Join(t.TempDir(), "events.parquet")
	if err := events.Write(file, rows); err != nil {
		t.Fatal(err)
	}
	groups, id := rows/events.GroupRows, rows/8*5+12345
	for _, c := range []struct {
		name, query string
		columns     int64 // that are read
		bytes       int64 // at most, the footer and the indexes included
		returned    int64
	}{
		{"point", fmt.Sprintf("SELECT * FROM events WHERE id = %d", id), 4, fewBytes, 1},
		{"range", fmt.Sprintf("SELECT id, amount FROM events WHERE id BETWEEN %d AND %d", id, id+99), 2, fewBytes, 100},
		{"half-open range", fmt.Sprintf("SELECT id, name FROM events WHERE id >= %d AND id < %d", id, id+10), 2, fewBytes, 10},
		{"absent id", fmt.Sprintf("SELECT * FROM events WHERE id = %d", rows), 0, fewBytes, 0},
		{"absent key", "SELECT * FROM events WHERE `key` = 12345", 0, fewBytes, 0},
		{"absent name", "SELECT * FROM events WHERE name = 'user-8000000000000001'", 0, fewBytes, 0},
		{"absent keys", "SELECT name FROM events WHERE `key` IN (1, 3, 5)", 0, fewBytes, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			db, err := sql.Open("parquet", file)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			cold, warm := explain(t, db, c.query), explain(t, db, c.query)
			t.Logf("cold %+v", cold)
			t.Logf("warm %+v", warm)
			for _, s := range []scanned{cold, warm} {
				decoded := s.Pages - s.PagesPruned
				switch {
				case s.Returned != c.returned || s.Groups != groups || s.Bytes > c.bytes:
					t.Errorf("%+v", s)
				case c.columns > 0 && (s.ByStats != groups-1 || decoded < c.columns || decoded > 2*c.columns):
					t.Errorf("%d pages of %d columns: %+v", decoded, c.columns, s)
				case c.columns == 0 && (s.ByStats+s.ByBloom != groups || decoded != 0 || s.Decoded != 0):
					t.Errorf("nothing is there, but %+v", s)
				}
			}
			if warm.Bytes >= cold.Bytes || c.columns == 0 && warm.Bytes > 1<<10 {
				t.Errorf("%d bytes at first, %d again", cold.Bytes, warm.Bytes)
			}
		})
	}
}

// TestTopNPruning: the page with the first rows of an order rules out the others, in
// ascending and in descending order.
func TestTopNPruning(t *testing.T) {
	const rows = 2 * events.GroupRows
	file := filepath.Join(t.TempDir(), "events.parquet")
	if err := events.Write(file, rows); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("parquet", file+"?parallelism=1") // of two workers one may read while the other finds the first rows
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, order := range []string{"id", "id DESC"} {
		s := explain(t, db, fmt.Sprintf("SELECT id, amount FROM events WHERE id > %d ORDER BY %s LIMIT 10", rows/8, order))
		if decoded := s.Pages - s.PagesPruned; decoded > s.Pages/20 || s.Decoded > rows/20 {
			t.Errorf("ORDER BY %s: %d pages of %d: %+v", order, decoded, s.Pages, s)
		}
	}
	const few = "(SELECT range AS a, range * 7 AS b FROM range(1000)) x"
	for _, c := range []struct {
		query  string
		pruned bool
		rows   int
		first  int64
	}{
		{"SELECT id, b FROM events LEFT JOIN " + few + " ON a = id % 1500 ORDER BY id DESC LIMIT 10", true, 10, rows - 1},
		{"SELECT id, b FROM " + few + " RIGHT JOIN events ON a = id % 1500 ORDER BY id LIMIT 10", true, 10, 0},
		{"SELECT id, b FROM events JOIN " + few + " ON a = id % 1500 AND b > 70 ORDER BY id LIMIT 10", true, 10, 11},
		{"SELECT id FROM events WHERE id % 1500 IN (SELECT a FROM " + few + " WHERE b > 70) ORDER BY id LIMIT 10", true, 10, 11},
		{"SELECT id FROM events WHERE NOT EXISTS (SELECT 1 FROM " + few + " WHERE a = id % 1500) ORDER BY id LIMIT 10", true, 10, 1000},
		{"SELECT id, b FROM events RIGHT JOIN (SELECT range AS a, range AS b FROM range(1500)) x ON a = id WHERE b >= 1490 ORDER BY id DESC NULLS LAST LIMIT 20", false, 10, 1499},
		{"SELECT id, b FROM events FULL JOIN (SELECT range - 5 AS a, range AS b FROM range(1500)) x ON a = id ORDER BY id NULLS FIRST LIMIT 5", false, 5, -1},
	} {
		s := explain(t, db, c.query)
		if c.pruned && s.Decoded > rows/20 {
			t.Errorf("%s: %+v", c.query, s)
		}
		var n int
		var first sql.NullInt64
		if err := db.QueryRow("SELECT COUNT(*), FIRST(id) FROM ("+c.query+")").Scan(&n, &first); err != nil {
			t.Fatal(c.query, err)
		}
		if n != c.rows || first.Valid != (c.first >= 0) || first.Valid && first.Int64 != c.first {
			t.Errorf("%s: %d rows, the first one %v, want %d, %d", c.query, n, first, c.rows, c.first)
		}
	}
}

func explain(t *testing.T, db *sql.DB, query string) scanned {
	t.Helper()
	var text string
	if err := db.QueryRow("EXPLAIN ANALYZE FORMAT=JSON " + query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	var plan struct{ Scans []scanned }
	if err := json.Unmarshal([]byte(text), &plan); err != nil || len(plan.Scans) != 1 {
		t.Fatal(err, text)
	}
	return plan.Scans[0]
}
