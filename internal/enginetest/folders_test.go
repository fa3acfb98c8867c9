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
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, parquetOf(longs("id", id)), 0o644)); err != nil {
			t.Fatal(err)
		}
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
