// Package lists writes the file on which unnesting is measured, with DuckDB, and has
// the queries in the SQL of both engines.
package lists

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	_ "github.com/duckdb/duckdb-go/v2" // the writer
)

// Query is one query in the SQL of parquetsql and of DuckDB.
type Query struct{ Ours, Duck string }

// Queries unnest the table lists: all of it, with a condition on the element or
// the parent, by a parent's attribute, by the parent, and keeping empty lists.
func Queries() []Query {
	return []Query{
		{"SELECT COUNT(*), SUM(i.item) FROM lists t, t.xs i",
			"SELECT COUNT(*), SUM(x) FROM (SELECT UNNEST(xs) AS x FROM lists)"},
		{"SELECT COUNT(*), SUM(i.item) FROM lists t, t.xs i WHERE i.item < 1000",
			"SELECT COUNT(*), SUM(x) FROM (SELECT UNNEST(xs) AS x FROM lists) WHERE x < 1000"},
		{"SELECT COUNT(*), SUM(i.item) FROM lists t, t.xs i WHERE t.place = 7",
			"SELECT COUNT(*), SUM(x) FROM (SELECT UNNEST(xs) AS x FROM lists WHERE place = 7)"},
		{"SELECT t.place, COUNT(*), SUM(i.item) FROM lists t, t.xs i GROUP BY t.place",
			"SELECT place, COUNT(*), SUM(x) FROM (SELECT place, UNNEST(xs) AS x FROM lists) GROUP BY place"},
		{"SELECT t.id, COUNT(*), SUM(i.item) FROM lists t, t.xs i GROUP BY t.id ORDER BY 3 DESC, 1 LIMIT 20",
			"SELECT id, COUNT(*), SUM(x) FROM (SELECT id, UNNEST(xs) AS x FROM lists) GROUP BY id ORDER BY 3 DESC, 1 LIMIT 20"},
		{"SELECT COUNT(*), SUM(i.item) FROM lists t LEFT JOIN t.xs i",
			"SELECT COUNT(*), SUM(x) FROM (SELECT UNNEST(CASE WHEN len(xs) = 0 THEN [NULL] ELSE xs END) AS x FROM lists)"},
	}
}

// ElementsPerParent is the average length of a list; lengths are 0 to twice as many.
const ElementsPerParent = 10

// Write writes lists.parquet into dir, unless it exists, and returns its path. The
// columns are id BIGINT, place INTEGER of 100 values, and xs INTEGER[] with about so
// many elements in all rows.
func Write(dir string, elements int64) (string, error) {
	file := filepath.Join(dir, "lists.parquet")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return "", err
	}
	defer db.Close()
	made := file + ".part"
	_, err = db.Exec(fmt.Sprintf(`
		COPY (
			SELECT i AS id, (hash(i) %% 100)::INTEGER AS place,
				list_transform(range((hash(i + 7) %% %d)::BIGINT), k -> (hash(i * 64 + k) %% 1000000)::INTEGER) AS xs
			FROM range(%d) r(i)
		) TO '%s' (FORMAT parquet)`, 2*ElementsPerParent+1, elements/ElementsPerParent, filepath.ToSlash(made)))
	if err != nil {
		return "", err
	}
	return file, os.Rename(made, file)
}
