package enginetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestIcebergForeign runs the scripts of duckdb-iceberg (*.test) below the folder that
// PARQUETSQL_ICEBERG_CORPUS names: of each the queries over tables that are there.
func TestIcebergForeign(t *testing.T) {
	root := os.Getenv("PARQUETSQL_ICEBERG_CORPUS")
	if root == "" {
		t.Skip("PARQUETSQL_ICEBERG_CORPUS names no folder with tables and scripts")
	}
	folders := map[string]string{} // by the name of a table
	for _, dir := range icebergTables(t, root) {
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		if folders[filepath.Base(dir)] = rel; strings.HasSuffix(rel, ".db") {
			t.Errorf("%s is a table", rel)
		}
	}
	runForeign(t, root, func(s *foreignScript) func(string) (string, bool) {
		return func(query string) (string, bool) { return s.icebergQuery(query, folders) }
	})
}

var (
	icebergScan = regexp.MustCompile(`(?i)\biceberg_scan\( *'([^']*)'`)
	catalogName = regexp.MustCompile(`(?i)\b\w+\.default\.(\w+)\b`)
)

// icebergQuery is the query over the tables of the folder; false where one is not there. Views and
// tables of a catalog go by their names.
func (s *foreignScript) icebergQuery(query string, folders map[string]string) (string, bool) {
	for name, path := range s.attached {
		query = regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(name)+`\b`).ReplaceAllLiteralString(query, "iceberg_scan('"+path+"')")
	}
	found, any := true, false
	table := func(name string) string {
		any = true
		if folder, ok := folders[name]; ok {
			return folder
		}
		found = false
		return name
	}
	query = catalogName.ReplaceAllStringFunc(query, func(full string) string {
		return "iceberg_scan('" + table(full[strings.LastIndexByte(full, '.')+1:]) + "')"
	})
	query = icebergScan.ReplaceAllStringFunc(query, func(call string) string {
		at := strings.IndexByte(call, '\'')
		return call[:at] + "'" + table(filepath.Base(strings.Trim(call[at:], "'"))) + "'"
	})
	return query, found && any && !strings.Contains(query, "duckdb_logs") && !strings.Contains(strings.ToLower(query), "iceberg_metadata")
}
