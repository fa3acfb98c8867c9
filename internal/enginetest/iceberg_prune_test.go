package enginetest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestIcebergPruning: which data files a query opens, by what manifests say of them. The tables have
// buckets of id and days, and partitions by a text.
func TestIcebergPruning(t *testing.T) {
	const renamed = "testdata/iceberg/icebird/test/files/hyperparam-iceberg/spark/rename_column"
	for _, c := range []struct {
		dir, query  string
		rows, files int
	}{
		{renamed, "SELECT * FROM t", 4, 3},
		{renamed, "SELECT * FROM t WHERE id = 2", 1, 1},
		{renamed, "SELECT * FROM t WHERE id = 1000000", 0, 0},
		{renamed, "SELECT * FROM t WHERE event_date IS NULL", 1, 1},
		{renamed, "SELECT * FROM t WHERE event_date IS NOT NULL", 3, 2},
		{renamed, "SELECT * FROM t WHERE event_date > DATE '2022-01-02'", 0, 0},
		{renamed, "SELECT * FROM t WHERE event_date >= DATE '2022-01-02'", 1, 1},
		{equality + "/mytable_partitioned", "SELECT * FROM t WHERE name = 'a'", 1, 1},
		{equality + "/mytable_partitioned", "SELECT * FROM t WHERE name = 'zzz'", 0, 0},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "t"), os.DirFS(c.dir)); err != nil {
			t.Fatal(err)
		}
		db, files := remote(t, dir)
		n, err := countRows(t.Context(), db, c.query)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		opened := map[string]bool{}
		for _, line := range files.log {
			if name, _, _ := strings.Cut(line, " "); strings.HasSuffix(name, ".parquet") && !strings.Contains(name, "delete") {
				opened[name] = true
			}
		}
		if n != c.rows || len(opened) != c.files {
			t.Errorf("%s, %s: %d rows of %d files, want %d of %d\n%s", filepath.Base(c.dir), c.query, n, len(opened), c.rows, c.files, strings.Join(files.log, "\n"))
		}
	}
}

// TestIcebergPredicates compares the numbers of rows of conditions with those without any pruning: what
// manifests say of files and partitions must not take rows away. The values are those of the tables.
func TestIcebergPredicates(t *testing.T) {
	asked := 0
	for _, root := range icebergRoots() {
		for _, dir := range icebergTables(t, root) {
			on, off := openAt(t, dir), openDir(t, filepath.ToSlash(dir)+"?pruning=off")
			name := "`" + filepath.Base(dir) + "`"
			rows, err := on.Query("SELECT * FROM " + name)
			if err != nil {
				continue // see TestIcebergTables
			}
			columns, err := rows.Columns()
			if err != nil {
				t.Fatal(err)
			}
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range into {
				into[i] = &values[i]
			}
			var some [][]any
			for n := 0; rows.Next() && len(some) < 6; n++ {
				if err := rows.Scan(into...); err != nil {
					t.Fatal(dir, err)
				}
				if n%3 == 0 {
					some = append(some, slices.Clone(values))
				}
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				continue
			}
			for i, c := range columns {
				for _, row := range some {
					switch v := row[i].(type) {
					case int64, float64, float32, string, bool, time.Time, []byte, nil:
						for _, op := range []string{"= ?", "< ?", ">= ?", "<> ?", "IS NULL", "IS NOT NULL"} {
							var args []any
							if strings.Contains(op, "?") {
								args = []any{v}
							}
							query := "SELECT COUNT(*) FROM " + name + " WHERE `" + c + "` " + op
							var want, got int
							if off.QueryRow(query, args...).Scan(&want) != nil {
								continue // the type has no such comparison
							}
							if err := on.QueryRow(query, args...).Scan(&got); err != nil || got != want {
								t.Errorf("%s: %s with %v: %d rows, want %d: %v", dir, query, v, got, want, err)
							}
							asked++
						}
					}
				}
			}
		}
	}
	if asked < 500 {
		t.Errorf("only %d conditions", asked)
	}
	t.Logf("%d conditions", asked)
}
