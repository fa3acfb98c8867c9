package enginetest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesWithoutExtension: Hive, Impala and Athena write Parquet files without an extension.
func TestFilesWithoutExtension(t *testing.T) {
	dir := t.TempDir()
	for name, id := range map[string]int64{"t/d=1/000000_0": 1, "t/d=2/part-00000": 2, "t/d=2/b.snappy.parquet": 5} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), parquetOf(longs("id", id)))
	}
	if err := os.WriteFile(filepath.Join(dir, "t/d=1/_SUCCESS"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dsn, query, want string }{
		{"/t/d=*/*", "SELECT COUNT(*), SUM(id) FROM t", "3 8"},
		{"/t/**", "SELECT COUNT(*), SUM(id), SUM(d) FROM t", "3 8 5"},
		{"/t/d=1/*", "SELECT COUNT(*), SUM(id) FROM `d=1`", "1 1"},
		{"", "SELECT COUNT(*), SUM(id) FROM 't/*/*'", "3 8"},
		{"", "SELECT COUNT(*), SUM(id) FROM read_parquet(['t/d=1/0*', 't/d=2/*'])", "3 8"},
		{"", "SELECT STRING_AGG(file, ' ') FROM glob('t/d=2/*')", "'t/d=2/b.snappy.parquet t/d=2/part-00000'"},
		{"", "SELECT COUNT(*), SUM(id) FROM t", "1 5"},
		{"?extensions=any", "SELECT COUNT(*), SUM(id), SUM(d) FROM t", "3 8 5"},
		{"?extensions=any", "SHOW WARNINGS", ""},
	} {
		got, _, err := ask(openDir(t, dir+c.dsn), c.query)
		if err != nil || strings.TrimSpace(got) != c.want {
			t.Errorf("%s %s: %s, %v; want %s", c.dsn, c.query, got, err, c.want)
		}
	}
	if got, _, err := ask(openDir(t, dir), "SHOW WARNINGS"); err != nil || !strings.Contains(got, `"t/d=1/000000_0"`) {
		t.Errorf("SHOW WARNINGS: %s, %v", got, err)
	}
	if _, _, err := ask(openDir(t, dir), "FROM `t/d=1`"); err == nil || !strings.Contains(err.Error(), "extensions=any") {
		t.Errorf("a folder without tables: %v", err)
	}
}

// TestPartitionTexts: a partition value is a number only if it is written as one, and the order
// of the keys may differ between folders.
func TestPartitionTexts(t *testing.T) {
	dir := t.TempDir()
	for name, id := range map[string]int64{
		"zip/zip=01234/f.parquet": 1, "zip/zip=1234/f.parquet": 2,
		"month/month=01/f.parquet": 1, "month/month=12/f.parquet": 2,
		"order/x=1/y=a/f.parquet": 1, "order/y=b/x=2/f.parquet": 2,
		"signs/n=-5/f.parquet": 1, "signs/n=7/f.parquet": 2, "signs/n=NULL/f.parquet": 3, "signs/n=__HIVE_DEFAULT_PARTITION__/f.parquet": 4,
		"own/ID=7/f.parquet": 1, "own/ID=8/f.parquet": 2,
		"days/d=2024-02-29/f.parquet": 1, "days/d=2024-03-01/f.parquet": 2,
	} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), parquetOf(longs("id", id)))
	}
	checkAnswers(t, dir, []asked{
		{"SELECT id || ' ' || zip FROM zip ORDER BY id", "'1 01234'; '2 1234'"},
		{"SELECT id FROM zip WHERE zip = '01234'", "1"},
		{"SELECT id FROM zip WHERE zip = 1234 ORDER BY id", "1; 2"}, // the text is cast
		{"SELECT id FROM zip WHERE zip IN ('1234', '5')", "2"},
		{"SELECT id FROM zip WHERE zip < '1'", "1"},
		{"SELECT COUNT(DISTINCT zip) FROM zip", "2"},
		{"SELECT a.id FROM zip a JOIN zip b ON a.zip = b.zip ORDER BY 1", "1; 2"},
		{"SELECT month || '-x' FROM month ORDER BY 1", "'01-x'; '12-x'"},
		{"SELECT id FROM month WHERE month LIKE '0%'", "1"},
		{"SELECT id FROM month WHERE month = 1", "1"},
		{"SELECT id || ' ' || x || ' ' || y FROM \"order\" ORDER BY id", "'1 1 a'; '2 2 b'"},
		{"SELECT id FROM \"order\" WHERE x = 2 AND y = 'b'", "2"},
		{"SELECT id FROM signs WHERE n < 0", "1"},
		{"SELECT id FROM signs WHERE n IS NULL ORDER BY id", "3; 4"},
		{"SELECT n + 1 FROM signs WHERE n = 7", "8"},
		{"SELECT Id FROM own ORDER BY 1", "7; 8"},
		{"SELECT COUNT(*) FROM own WHERE id = 8", "1"},
		{"SELECT id FROM days WHERE d > DATE '2024-02-29'", "2"},
	})
}

// TestNamesInCase: columns whose names differ only in case between files are one, but not where
// one file has both.
func TestNamesInCase(t *testing.T) {
	dir := t.TempDir()
	for name, columns := range map[string][]flat{
		"t/f1.parquet": {longs("Id", int64(1)), texts("v", "x")}, "t/f2.parquet": {texts("V", "y"), longs("id", int64(2))}, "t/f3.parquet": {ints("ID", int32(3)), texts("v", "z")},
		"both/f1.parquet": {longs("id", int64(1)), longs("ID", int64(10))}, "both/f2.parquet": {longs("ID", int64(20))}, "both/f3.parquet": {longs("Id", int64(30))},
	} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), parquetOf(columns...))
	}
	checkAnswers(t, dir, []asked{
		{"SELECT STRING_AGG(column_name, ' ') FROM information_schema.columns WHERE table_name = 't'", "'Id v'"},
		{"SELECT COUNT(id) || ' ' || SUM(ID) FROM t", "'3 6'"},
		{"SELECT MIN(iD) || MAX(v) FROM t", "'1z'"},
		{"SELECT v FROM t WHERE id = 3", "'z'"},
		{"SELECT id FROM t WHERE V IN ('y', 'q')", "2"},
		{"SELECT COUNT(*) FROM t WHERE id IS NULL", "0"},
		{"SELECT id FROM t ORDER BY id DESC LIMIT 1", "3"},
		{"SELECT * EXCLUDE (ID) FROM t ORDER BY v LIMIT 1", "'x'"},
		{"SELECT STRING_AGG(\"column\", ' ' ORDER BY \"column\") FROM `t$columns`", "'ID Id V id v v'"}, // as the files have it
		{"SELECT SUM(\"id\") || ' ' || SUM(\"ID\") || ' ' || SUM(\"Id\") FROM \"both\"", "'1 30 30'"},
		{"SELECT STRING_AGG(column_name, ' ') FROM information_schema.columns WHERE table_name = 'both'", "'id ID Id'"},
	})
}

// asked is a query and its rows.
type asked struct{ query, want string }

// checkAnswers asks a folder, with pruning and without.
func checkAnswers(t *testing.T, dir string, of []asked) {
	t.Helper()
	for _, c := range of {
		for _, dsn := range []string{dir, dir + "?pruning=off"} {
			got, _, err := ask(openDir(t, dsn), c.query)
			if got = strings.Join(strings.Fields(got), " "); err != nil || got != c.want {
				t.Errorf("%s: %s, %v; want %s", c.query, got, err, c.want)
			}
		}
	}
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644)); err != nil {
		t.Fatal(err)
	}
}
