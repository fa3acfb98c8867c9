package enginetest

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// deltaTables are the folders with a _delta_log below testdata/delta, and below the folder that a
// variable of the environment names.
func deltaTables(t *testing.T) (tables []string) {
	for _, root := range []string{"testdata/delta", os.Getenv("PARQUETSQL_DELTA_CORPUS")} {
		if root == "" {
			continue
		}
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "_delta_log" {
				tables = append(tables, filepath.Dir(p))
				return fs.SkipDir
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tables
}

// openAt opens a location.
func openAt(t *testing.T, dir string) *sql.DB {
	t.Helper()
	config := parquetsql.NewConfig()
	config.Path = dir
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// answerOf is the rows of a query as sorted texts, with the columns by name.
func answerOf(db *sql.DB, query string) (names, rows []string, err error) {
	r, err := db.Query(query)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	types, err := r.ColumnTypes()
	if err != nil {
		return nil, nil, err
	}
	for _, c := range types {
		// Timestamps of INT96, as expected answers have them, do not say that they are in UTC.
		names = append(names, c.Name()+" "+strings.TrimSuffix(c.DatabaseTypeName(), "TZ"))
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	values := make([]any, len(names))
	into := make([]any, len(names))
	for i := range into {
		into[i] = &values[i]
	}
	for r.Next() {
		if err := r.Scan(into...); err != nil {
			return nil, nil, err
		}
		var row strings.Builder
		for _, i := range order {
			v := values[i]
			if at, ok := v.(time.Time); ok {
				v = at.UTC().Format(time.RFC3339Nano)
			}
			fmt.Fprintf(&row, "%s=%v ", names[i], v)
		}
		rows = append(rows, row.String())
	}
	slices.Sort(rows)
	slices.Sort(names)
	return names, rows, r.Err()
}

// expectedAnswers are the folders with what other readers read of a table, by version; -1 is the
// newest.
func expectedAnswers(t *testing.T, dir string) map[int]string {
	out := map[int]string{}
	root := filepath.Join(filepath.Dir(dir), "expected")
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		switch n, err := strconv.Atoi(strings.TrimPrefix(e.Name(), "v")); {
		case strings.HasSuffix(e.Name(), ".parquet") && !e.IsDir():
			out[-1] = root
		case e.Name() == "latest":
			out[-1] = filepath.Join(root, "latest", "table_content.parquet")
		case err == nil && e.IsDir():
			out[n] = filepath.Join(root, e.Name(), "table_content.parquet")
		}
	}
	return out
}

// without are tables of which a copy lacks the data files: their writer's tests put them there
// under other names, or need the log alone.
var without = map[string]bool{"log-replay-special-characters-b": true, "spark-variant-stable-feature-checkpoint": true}

// zoned are tables with partition values that are timestamps in the time zone of their writer,
// which nothing tells.
var zoned = map[string]bool{"data-reader-partition-values": true}

// deltaName is the part of a table's path that names it.
func deltaName(dir string) string {
	if name := filepath.Base(dir); name != "delta" && name != "delta_lake" {
		return name
	}
	return filepath.Base(filepath.Dir(dir))
}

// TestDeltaAnswers compares tables with what their own writers read of them.
func TestDeltaAnswers(t *testing.T) {
	compared, refused := 0, 0
	for _, dir := range deltaTables(t) {
		t.Run(filepath.ToSlash(dir), func(t *testing.T) {
			db := openAt(t, dir)
			name := "`" + filepath.Base(dir) + "`"
			expected := expectedAnswers(t, dir)
			if zoned[deltaName(dir)] {
				t.Skip("the time zone of the writer is not known")
			}
			if len(expected) == 0 {
				if _, _, err := answerOf(db, "SELECT * FROM "+name); err != nil {
					refused++
					t.Logf("%v", err)
					if errors.Is(err, os.ErrNotExist) && !without[deltaName(dir)] {
						t.Error(err)
					}
				}
				return
			}
			for version, folder := range expected {
				query := "SELECT * FROM " + name
				if version >= 0 {
					query += fmt.Sprintf(" VERSION AS OF %d", version)
				}
				names, got, err := answerOf(db, query)
				if err != nil {
					t.Errorf("%s: %v", query, err)
					continue
				}
				wantNames, want, err := answerOf(openAt(t, folder), "SELECT * FROM `*.parquet`")
				if err != nil {
					t.Errorf("%s: %v", folder, err)
					continue
				}
				if !slices.Equal(names, wantNames) || !slices.Equal(got, want) {
					t.Errorf("%s: %q, %d rows %.600q\nwant %q, %d rows %.600q", query, names, len(got), got, wantNames, len(want), want)
				}
				compared++
			}
		})
	}
	t.Logf("%d answers compared, %d tables without answers are refused", compared, refused)
}

// TestDeltaVersions reads versions of a table by number, by time and in a transaction. The rows
// are those of the answers of its writer: testdata/delta/dat/basic_partitioned/expected.
func TestDeltaVersions(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "t"), os.DirFS("testdata/delta/dat/basic_partitioned/delta")); err != nil {
		t.Fatal(err)
	}
	first, second := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC)
	for i, at := range []time.Time{first, second} {
		name := filepath.Join(dir, "t", "_delta_log", fmt.Sprintf("%020d.json", i))
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	db := openAt(t, dir)
	const old, new = 3, 6
	for from, want := range map[string]int{
		"t": new, "t VERSION AS OF 0": old, "t VERSION AS OF 1": new, "t FOR VERSION AS OF 0": old, "t@v0": old, "t@v1 x": new, "t VERSION AS OF 0 x": old,
		"t AT (VERSION => 0)": old, "t AT (TIMESTAMP => TIMESTAMP '2024-01-15')": old, "t FOR SYSTEM_VERSION AS OF (2 - 1)": new,
		"t TIMESTAMP AS OF '2024-01-01'": old, "t FOR TIMESTAMP AS OF '2024-01-31 23:59:59'": old, "t TIMESTAMP AS OF '2024-02-01'": new,
		"t FOR SYSTEM_TIME AS OF TIMESTAMP '2030-01-01' AS x": new, "`t@v0`": old,
		"delta_scan('t')": new, "delta_scan('t', version => 0)": old, "delta_scan('./t/', version = 1) x(letter, number, f)": new, "read_parquet('t')": new,
	} {
		if got := one[int](t, db, "SELECT COUNT(*) FROM "+from); got != want {
			t.Errorf("%s has %d rows, want %d", from, got, want)
		}
		if got := one[int](t, db, "SELECT COUNT(letter) + COUNT(*) FILTER (WHERE letter IS NULL) FROM "+from); got != want {
			t.Errorf("%s: %d rows are read, want %d", from, got, want)
		}
	}
	if got := one[int](t, db, "SELECT COUNT(*) FROM t VERSION AS OF ? JOIN t@v1 USING (number)", 0); got < old {
		t.Errorf("a join of versions has %d rows", got)
	}
	if got := one[int](t, db, "SELECT COUNT(*) FROM t TIMESTAMP AS OF ?", first.Add(time.Hour)); got != old {
		t.Errorf("%d rows", got)
	}
	for from, want := range map[string]string{
		"t VERSION AS OF 2": "the versions 0 to 1", "t VERSION AS OF NULL": "NULL", "t VERSION AS OF number": "number", "t TIMESTAMP AS OF 7": "needs a time",
		"t TIMESTAMP AS OF '2023-12-31'": "no version is as old", "t VERSION AS OF (0 - 1)": "-1", "u VERSION AS OF 1": "u", "t VERSION AS OF 'x'": "x",
		"delta_scan('u')": "u", "delta_scan('t', other => 1)": "other", "delta_scan('t', version => 9)": "the versions 0 to 1", "delta_scan(1)": "path", "delta_scan('t/letter=a')": "no Delta table",
	} {
		if _, _, err := answerOf(db, "SELECT * FROM "+from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", from, err)
		}
	}
	if got := one[int](t, db, "SELECT COUNT(*) FROM delta_scan('t', version => 0) WHERE filename LIKE '%.snappy.parquet' AND file_row_number = 0"); got != old {
		t.Errorf("%d first rows of files, want %d", got, old)
	}
	names, _, err := answerOf(db, "SELECT * FROM delta_scan('t', filename => 'f', file_row_number => 1)")
	if want := []string{"a_float DOUBLE", "f VARCHAR", "file_row_number BIGINT", "letter VARCHAR", "number BIGINT"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("columns %q, want %q: %v", names, want, err)
	}
	tx, err := db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	count := func() (n int) {
		if err := tx.QueryRow("SELECT COUNT(*) FROM t").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	truncate := `{"remove":{"path":"letter=a/part-00000-7efdf231-74f4-4fa6-aa17-f3d77ac38346.c000.snappy.parquet","dataChange":true}}`
	if err := os.WriteFile(filepath.Join(dir, "t", "_delta_log", "00000000000000000002.json"), []byte(truncate), 0o600); err != nil {
		t.Fatal(err)
	}
	if after := count(); before != new || after != new {
		t.Errorf("a transaction sees %d rows and then %d", before, after)
	}
	if got := one[int](t, db, "SELECT COUNT(*) FROM t"); got != new-1 {
		t.Errorf("the newest version has %d rows", got)
	}
}

// TestDeltaVariants: functions take the VARIANTs of a Delta table, also those within others.
func TestDeltaVariants(t *testing.T) {
	db := openAt(t, "testdata/delta/duckdb-delta/data/inlined")
	keep(t, db, say(
		"SELECT variant_typeof(v), variant_get(v, '$.key', 'INTEGER'), v->>'$.key', variant_typeof(array_of_variants[1]) FROM `unshredded-variant` WHERE v.key::INTEGER = 7", "'OBJECT' 7 '7' 'OBJECT'",
		"SELECT COUNT(*) FILTER (variant_typeof(struct_of_variants.v) = 'OBJECT') = COUNT(*) FROM `unshredded-variant`", "true",
	)...)
}

// TestDeltaSystemTables: what the tables about a Delta table have is in its log.
func TestDeltaSystemTables(t *testing.T) {
	db := openAt(t, "testdata/delta/dat/basic_partitioned")
	keep(t, db, say(
		"SELECT file, size, rows, deleted_rows, partition_values, deletion_vector FROM `delta$files` WHERE file LIKE '%letter=e%'", "'delta/letter=e/part-00000-6db6557e-7984-4883-961c-eb79a3cae20c.c000.snappy.parquet' 750 1 0 '{\"letter\":\"e\"}' NULL",
		"SELECT statistics->>'$.maxValues.number' FROM `delta$files` WHERE partition_values->>'$.letter' IS NULL", "'6'",
		"SELECT COUNT(*), MAX(modification_time) < NOW() FROM `delta@v0$files`", "3 true",
		"SELECT MIN(row_groups), MAX(row_groups), COUNT(DISTINCT created_by), MIN(created_by) LIKE 'parquet-mr version 1.%' FROM `delta$files`", "1 1 1 true",
		"SELECT version, operation, operation_parameters->>'$.mode' FROM `delta$history` ORDER BY version", "0 'WRITE' 'ErrorIfExists'; 1 'WRITE' 'Append'",
		"SELECT value FROM `delta$properties` WHERE key = 'delta.minReaderVersion'", "'1'",
		"SELECT * FROM `delta$nothing`", "error: delta$nothing",
		"SELECT SUM(rows) FROM `delta$row_groups`", "6",
	)...)
	db = openAt(t, "testdata/delta/delta-rs")
	keep(t, db, say(
		"SELECT deleted_rows, deletion_vector FROM `table-with-dv-small$files`", "2 'uvBn[lx{q8@P<9BNH/isA@1'",
		"SELECT value FROM `table-with-dv-small$properties` WHERE key = 'delta.feature.deletionVectors'", "'supported'",
	)...)
}

// TestDeltaElsewhere reads a shallow clone: a table whose files are those of another one, by
// absolute paths.
func TestDeltaElsewhere(t *testing.T) {
	dir := t.TempDir()
	from, err := filepath.Abs("testdata/delta/dat/basic_partitioned/delta")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "lake", "base"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	clone := func(name, prefix string) {
		t.Helper()
		for v := range 2 {
			file := fmt.Sprintf("%020d.json", v)
			text, err := os.ReadFile(filepath.Join(from, "_delta_log", file))
			if err != nil {
				t.Fatal(err)
			}
			text = []byte(strings.ReplaceAll(string(text), `"path":"letter`, `"path":"`+prefix+`/letter`))
			if err := os.MkdirAll(filepath.Join(dir, "lake", name, "_delta_log"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "lake", name, "_delta_log", file), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	lake := filepath.ToSlash(filepath.Join(dir, "lake"))
	clone("within", lake+"/base")
	clone("uri", "file:"+lake+"/base")
	clone("bucket", "s3a://bucket/tables/base")
	clone("outside", "/nowhere/base")
	clone("escapes", "../../base")
	for table, where := range map[string]string{
		"base": "lake", "within": "lake", "uri": "lake", "bucket": "lake?location_map=s3://bucket/tables=.",
		"bucket x": "lake?location_map=s3://bucket=/none,s3a://bucket/tables/=" + lake, "outside": "lake?location_map=/nowhere=../lake",
	} {
		db := openDir(t, filepath.ToSlash(dir)+"/"+where)
		if got := one[string](t, db, "SELECT STRING_AGG(letter || number, ' ' ORDER BY number) FROM "+table); got != "a1 b2 c3 a4 e5" {
			t.Errorf("%s: %q", table, got)
		}
	}
	db := openDir(t, lake)
	for table, want := range map[string]string{"bucket": "location_map", "outside": "location_map", "escapes": "outside the location"} {
		if _, _, err := answerOf(db, "SELECT letter, number FROM "+table); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", table, err)
		}
		if got := one[int](t, db, "SELECT COUNT(*) FROM "+table+" WHERE letter = 'zzz'"); got != 0 {
			t.Errorf("%s has %d rows", table, got)
		}
	}
}

// TestDeltaRemote: how many requests queries take, and how long the longest chain of them is. Of
// the log there is one list, and commits are read at the same time.
func TestDeltaRemote(t *testing.T) {
	for _, c := range []struct {
		table, query         string
		rows, reads, chained int // the last two are at most
	}{
		{"dat/basic_partitioned/delta", "SELECT COUNT(*) FROM t", 1, 2, 1},
		{"dat/basic_partitioned/delta", "SELECT COUNT(*) FROM t WHERE letter = 'a'", 1, 2, 1},
		{"dat/basic_partitioned/delta", "SELECT * FROM t WHERE number > 6", 0, 2, 1},
		{"dat/basic_partitioned/delta", "SELECT * FROM t WHERE letter = 'b'", 1, 4, 3},
		{"dat/basic_partitioned/delta", "SELECT MIN(number), MAX(number) FROM t", 1, 2, 1},
		// The checkpoint: its footer, and the columns that are needed; then the commit.
		{"golden/v2-checkpoint-parquet/delta", "SELECT COUNT(*) FROM t", 1, 8, 6},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "t"), os.DirFS("testdata/delta/"+c.table)); err != nil {
			t.Fatal(err)
		}
		db, files := remote(t, dir)
		n, err := countRows(t.Context(), db, c.query)
		for try := 0; err == nil && files.chain > c.chained && try < 5; try++ {
			// On a busy machine a read may have ended before the next one begins that does not wait for it.
			db, files = remote(t, dir)
			n, err = countRows(t.Context(), db, c.query)
		}
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		if n != c.rows || files.reads > c.reads || files.chain > c.chained {
			t.Errorf("%s, %s: %d rows, %d reads in a chain of %d\n%s", c.table, c.query, n, files.reads, files.chain, strings.Join(files.log, "\n"))
		}
		t.Logf("%s, %s: %d lists, %d stats, %d reads in a chain of %d", c.table, c.query, files.lists, files.stats, files.reads, files.chain)
	}
}
