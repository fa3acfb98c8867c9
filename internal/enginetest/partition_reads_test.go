package enginetest

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// partitioned is a folder with a table t of one file a day.
func partitioned(t *testing.T, files int) string {
	t.Helper()
	dir := t.TempDir()
	data := readFile(t, "testdata/penguins.parquet")
	for i := range files {
		writeFile(t, filepath.Join(dir, "t", fmt.Sprintf("day=2024-%02d-%02d", 1+i/28, 1+i%28), "part.parquet"), data)
	}
	return dir
}

// TestRemotePartitions: a folder that a condition on a partition column rules out is not listed,
// and no footer in it is read.
func TestRemotePartitions(t *testing.T) {
	const day = "t/day=2024-02-03"
	for _, c := range []struct {
		query                string
		rows, reads, chained int
		listed               string // but for the location and t; *: all
	}{
		{"SELECT COUNT(*) FROM t WHERE day = '2024-02-03'", 1, 1, 1, day},
		{"SELECT Species, day FROM t WHERE day = '2024-02-03' AND LENGTH(Species) = 6", 276, 2, 2, day},
		{"SELECT Species AS s, COUNT(*) AS n FROM t WHERE day = '2024-02-03' GROUP BY Species ORDER BY n", 3, 2, 2, day},
		{"SELECT Species FROM read_parquet('t/**') WHERE day = DATE '2024-02-03'", 344, 2, 2, "*"},
		{"SELECT x.Species FROM t AS x WHERE x.day BETWEEN '2024-02-03' AND '2024-02-04' LIMIT 3", 3, 4, 3, day + " t/day=2024-02-04"},
		// The columns of * are those of all files.
		{"SELECT * FROM t WHERE day = '2024-02-03'", 344, 61, 61, "*"},
		{"SELECT Species FROM t WHERE day = '2025-02-03'", 0, 60, 60, "*"},
		{"SHOW TABLES", 1, 0, 0, "*"},
	} {
		db, files := remote(t, partitioned(t, 60))
		got, err := queryTable(db, c.query)
		if err != nil || len(got.rows) != c.rows || files.reads > c.reads || files.chain > c.chained {
			t.Errorf("%s: %d rows, want %d; %d reads in a chain of %d, at most %d in %d: %v\n%s", c.query, len(got.rows), c.rows, files.reads, files.chain, c.reads, c.chained, err, strings.Join(files.log, "\n"))
		}
		slices.Sort(files.listed)
		if want := strings.TrimSpace(". t " + c.listed); c.listed != "*" && strings.Join(files.listed, " ") != want || c.listed == "*" && len(files.listed) < 62 {
			t.Errorf("%s: listed %v, want %s", c.query, files.listed, want)
		}
	}
}

// TestRemotePartitionOfLocation: the location itself may be the table, and may have keys below keys.
func TestRemotePartitionOfLocation(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a=1/b=x", "a=1/b=y", "a=2/b=x", "a=10/b=7", "other"} {
		writeFile(t, filepath.Join(dir, "t", filepath.FromSlash(name), "f.parquet"), parquetOf(texts("name", name)))
	}
	files := &remoteFS{FS: os.DirFS(dir)}
	c, err := parquetsql.NewConnector(&parquetsql.Config{FS: files, Path: "t"})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	defer db.Close()
	for _, c := range []struct{ query, want, listed string }{
		{"SELECT name, a FROM t WHERE a = 2", "'a=2/b=x' 2", "t t/a=2 t/a=2/b=x"},
		// The type of b is that of all folders.
		{"SELECT name, b FROM t WHERE a = 10", "'a=10/b=7' '7'", ""},
		{"SELECT name FROM t WHERE a = 1 AND b = 'y'", "'a=1/b=y'", ""},
		{"SELECT name FROM t WHERE b < 'x' ORDER BY name", "'a=10/b=7'", ""},
		{"SELECT name FROM t WHERE a + 0 > 2 ORDER BY name", "'a=10/b=7'", "t t/a=10 t/a=10/b=7"},
		{"SELECT name FROM other", "'other'", ""},
	} {
		files.listed = nil
		got, _, err := ask(db, c.query)
		slices.Sort(files.listed)
		if err != nil || got != c.want || c.listed != "" && strings.Join(files.listed, " ") != c.listed {
			t.Errorf("%s: %s, want %s; listed %v, want %s: %v", c.query, got, c.want, files.listed, c.listed, err)
		}
	}
}

// TestPartitionsAlone: conditions on partition columns make a table of the files that they leave, if
// it has all the columns that the query names. Names mean what they mean in the whole table.
func TestPartitionsAlone(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"t/k=1/a.parquet":       parquetOf(longs("x", int64(1), int64(2))),
		"t/k=2/a.parquet":       parquetOf(flat{name: "x", physical: 5, converted: -1, values: []any{0.5}}, texts("extra", "e")),
		"t/k=3/a.parquet":       parquetOf(longs("x", int64(9)), longs("n", int64(7))),
		"two/a=1/b=x/f.parquet": parquetOf(longs("x", int64(1))), "two/a=1/b=y/f.parquet": parquetOf(longs("x", int64(2))),
		"two/a=2/b=x/f.parquet": parquetOf(texts("x", "three")),
		"other/f.parquet":       parquetOf(longs("k", int64(1), int64(2), int64(3))),
	} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), data)
	}
	checkAnswers(t, dir, []asked{
		{"SELECT x FROM t WHERE k = 1", "1; 2"},
		{"SELECT x FROM t", "1d; 2d; 0.5d; 9d"},
		{"SELECT x FROM t WHERE k <= 2 ORDER BY x", "0.5d; 1d; 2d"},
		{"SELECT x, extra FROM t WHERE k = 1", "1d NULL; 2d NULL"},
		{"SELECT * FROM t WHERE k = 3", "9d NULL 7 3"},
		{"SELECT COLUMNS('x') FROM t WHERE k = 1", "1d NULL; 2d NULL"},
		{"SELECT x FROM t WHERE k = 99", ""},
		// n is a column of another file, which comes before the alias.
		{"SELECT x AS n FROM t WHERE k = 1 AND n = 1", ""},
		{"SELECT x AS n FROM t WHERE k = 1 GROUP BY x, n ORDER BY n", "1d; 2d"},
		{"SELECT x + 1 AS m FROM t WHERE k = 1 AND m = 3", "3d"},
		{"SELECT x AS m FROM t WHERE k = 1 ORDER BY m DESC", "2; 1"},
		{"SELECT (SELECT MAX(n) FROM t WHERE k = 1 AND x = o.k) FROM other o", "NULL; NULL; NULL"},
		{"SELECT x FROM t WHERE k = 1 OR x = 9", "1d; 2d; 9d"},
		{"SELECT x FROM t WHERE k IN (SELECT 1)", "1d; 2d"},
		{"SELECT t.x, u.x FROM t JOIN two u ON t.x = u.a WHERE t.k = 1 AND b = 'x' AND a = 1", "1d '1'"},
		{"SELECT x FROM two WHERE a = 1 AND b > 'x'", "2"},
		{"SELECT x FROM two WHERE b = 'x'", "'1'; 'three'"},
		{"SELECT TYPEOF(x) FROM two WHERE a = 1 LIMIT 1", "'BIGINT'"},
		{"WITH w AS (SELECT x FROM t WHERE k = 1) SELECT * FROM w", "1; 2"},
		{"SELECT x FROM t WHERE k = 1 UNION ALL SELECT x FROM t WHERE k = 3", "1; 2; 9"},
		{"SELECT x, filename FROM read_parquet('t/*/*', filename = true) WHERE k = 3", "9 't/k=3/a.parquet'"},
		{"SELECT x, _file FROM t WHERE k = 3", "9 't/k=3/a.parquet'"},
		{"SELECT x FROM t WHERE k = 1 AND 1 % 0 IS NULL", "1; 2"},
	})
	db := openDir(t, dir)
	for _, query := range []string{"SELECT nothing FROM t WHERE k = 1", "SELECT x FROM t WHERE k = 1 AND nothing = 2"} {
		var missing *parquetsql.NotFoundError
		if _, _, err := ask(db, query); !errors.As(err, &missing) || missing.Name != "nothing" {
			t.Errorf("%s: %v", query, err)
		}
	}
	plan, err := queryTable(db, "EXPLAIN ANALYZE FORMAT=JSON SELECT x FROM t WHERE k = 1")
	if err != nil || !strings.Contains(fmt.Sprint(plan.rows), `"files_total": 3`) || !strings.Contains(fmt.Sprint(plan.rows), `"files_pruned": 2`) {
		t.Errorf("%v: %v", plan.rows, err)
	}
}

// TestPartitionsOfDamagedFiles: a file that is ruled out may be damaged.
func TestPartitionsOfDamagedFiles(t *testing.T) {
	dir := partitioned(t, 3)
	if err := os.WriteFile(filepath.Join(dir, "t", "day=2024-01-02", "part.parquet"), []byte("no Parquet file at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	db := openDir(t, dir)
	if got, _, err := ask(db, "SELECT COUNT(*) FROM t WHERE day = '2024-01-01'"); err != nil || got != "344" {
		t.Errorf("%s, %v", got, err)
	}
	for _, query := range []string{"SELECT COUNT(*) FROM t WHERE day <= '2024-01-02'", "SELECT COUNT(*) FROM t", "SELECT * FROM t WHERE day = '2024-01-01'"} {
		if _, _, err := ask(db, query); err == nil {
			t.Errorf("%s: no error", query)
		}
	}
}
