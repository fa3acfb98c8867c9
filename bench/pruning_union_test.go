package bench

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2" // the writer
)

// TestElementPruningOfUnion: a table of files whose elements have different types or
// fields, or which have no lists. A field that a file does not have is NULL in all its
// elements, which may rule the file out.
func TestElementPruningOfUnion(t *testing.T) {
	dir := t.TempDir()
	duck, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer duck.Close()
	for i, rows := range []string{
		"SELECT 0 AS id, [{'a': 1::INTEGER}, {'a': 2::INTEGER}] AS xs",
		"SELECT 1 AS id, [{'a': 5000000000::BIGINT, 'b': 'x'}, {'a': NULL, 'b': 'y'}] AS xs",
		"SELECT 2 AS id",
		"SELECT 3 AS id, [{'b': 'x'}] AS xs",
		"SELECT 4 AS id, []::STRUCT(b VARCHAR, a TINYINT)[] AS xs",
	} {
		if _, err := duck.Exec(fmt.Sprintf("COPY (%s) TO '%s/%d.parquet' (FORMAT parquet)", rows, filepath.ToSlash(dir), i)); err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("parquet", filepath.Join(dir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var name string
	if err := db.QueryRow("SHOW TABLES").Scan(&name); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		join, where string
		ids         []int64
		pruned      int64 // row groups
	}{
		{"JOIN", "i.a = 2", []int64{0}, 4},
		{"JOIN", "i.a > 4999999999", []int64{1}, 4},
		{"JOIN", "i.b = 'x'", []int64{1, 3}, 3},
		{"JOIN", "i.b = 'y' OR i.a = 1", []int64{0, 1}, 3},
		{"JOIN", "i.b IS NULL", []int64{0, 0}, 0},
		{"JOIN", "i.a IS NULL", []int64{1, 3}, 0},
		{"LEFT JOIN", "i.a IS NULL", []int64{1, 2, 3, 4}, 0},
		{"LEFT JOIN", "i.b IS NULL AND t.id > 0", []int64{2, 4}, 1},
		{"LEFT JOIN", "i.a < 3", []int64{0, 0}, 4},
		{"JOIN", "i.a IS NOT NULL", []int64{0, 0, 1}, 3},
	} {
		text := "SELECT t.id FROM `" + name + "` t " + c.join + " t.xs i WHERE " + c.where
		var ids []int64
		rows, err := db.Query(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for rows.Next() {
			var id int64
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		if err := rows.Err(); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		slices.Sort(ids)
		if s := explain(t, db, text); !slices.Equal(ids, c.ids) || s.ByStats+s.ByDict != c.pruned {
			t.Errorf("%s: %v, want %v; want %d row groups ruled out: %+v", text, ids, c.ids, c.pruned, s)
		}
	}
}
