package enginetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIcebergRemote: how many requests queries take, and how long the longest chain of them is: the
// metadata, the list, the manifests at the same time, then the files.
func TestIcebergRemote(t *testing.T) {
	for _, c := range []struct {
		query                string
		rows, reads, chained int // the last two are at most
	}{
		{"SELECT COUNT(*) FROM t VERSION AS OF 4951213507629824583", 1, 4, 4},
		{"SELECT * FROM t VERSION AS OF 4951213507629824583", 21, 6, 6},
		{"SELECT * FROM t WHERE \"Popularity Rank\" > 1000", 0, 9, 6}, // these files have no bounds
	} {
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "t"), os.DirFS(bunnies+"/bunnies")); err != nil {
			t.Fatal(err)
		}
		db, files := remote(t, dir)
		n, err := countRows(t.Context(), db, c.query)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		if n != c.rows || files.reads > c.reads || files.chain > c.chained {
			t.Errorf("%s: %d rows, %d reads in a chain of %d\n%s", c.query, n, files.reads, files.chain, strings.Join(files.log, "\n"))
		}
		t.Logf("%s: %d lists, %d stats, %d reads in a chain of %d", c.query, files.lists, files.stats, files.reads, files.chain)
	}
}

// TestIcebergCurrent: which of several metadata files is the table.
func TestIcebergCurrent(t *testing.T) {
	from := bunnies + "/bunnies"
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(from + "/metadata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for name, c := range map[string]struct {
		hint  string
		files map[string]string // from
		rows  int
		want  string // of the error
	}{
		"a hint":            {"2", map[string]string{"v2.metadata.json": "v2", "00007-x.metadata.json": "v5"}, 21, ""},
		"an old hint":       {"2\n", map[string]string{"v2.metadata.json": "v2", "v3.metadata.json": "v3", "v4.metadata.json": "v4", "v5.metadata.json": "v5"}, 15, ""},
		"a name as hint":    {"final", map[string]string{"vfinal.metadata.json": "v2", "00007-x.metadata.json": "v5"}, 21, ""},
		"a whole name":      {"00007-x", map[string]string{"v2.metadata.json": "v2", "00007-x.metadata.json": "v5"}, 15, ""},
		"an empty hint":     {" ", map[string]string{"v2.metadata.json": "v2", "v5.metadata.json": "v5"}, 15, ""},
		"a hint of nothing": {"9", map[string]string{"v2.metadata.json": "v2"}, 0, "version \"9\""},
		"numbers":           {"", map[string]string{"00009-x.metadata.json": "v2", "00010-y.metadata.json": "v5"}, 15, ""},
		"a number twice":    {"", map[string]string{"00010-x.metadata.json": "v2", "00010-y.metadata.json": "v5"}, 0, "00010-y"},
		"no number":         {"", map[string]string{"last.metadata.json": "v5", "00010-y.metadata.json": "v2"}, 15, ""},
		"the same time":     {"", map[string]string{"last.metadata.json": "v5", "00010-y.metadata.json": "v5"}, 0, "same time"},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "t"), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			if err := os.Remove(filepath.Join(dir, "t", "metadata", fmt.Sprintf("v%d.metadata.json", i+1))); err != nil {
				t.Fatal(err)
			}
		}
		for file, of := range c.files {
			if err := os.WriteFile(filepath.Join(dir, "t", "metadata", file), read(of+".metadata.json"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		hint := filepath.Join(dir, "t", "metadata", "version-hint.text")
		err := os.WriteFile(hint, []byte(c.hint), 0o600)
		if c.hint == "" {
			err = os.Remove(hint)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, rows, err := answerOf(openAt(t, dir), "SELECT * FROM t")
		if c.want == "" && (err != nil || len(rows) != c.rows) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %d rows, want %d: %v", name, len(rows), c.rows, err)
		}
	}
}

// TestIcebergElsewhere reads tables that were copied: what is below the writer's location is below
// the folder, what is beside it is beside the folder, and location_map says where the rest is.
func TestIcebergElsewhere(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, move func(string) string) {
		t.Helper()
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(bunnies+"/bunnies")); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name, "metadata", "v5.metadata.json")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(move(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const at = `"s3a://hyperparam-iceberg/java/bunnies"`
	location := func(to string) func(string) string {
		return func(s string) string { return strings.Replace(s, at, `"`+to+`"`, 1) }
	}
	put("copied/other", location("s3a://hyperparam-iceberg/java/bunnies"))
	put("scheme/x", location("s3://hyperparam-iceberg/java/bunnies/"))
	put("java/bunnies", location("s3://hyperparam-iceberg/java/other"))
	put("java/other", location("s3://hyperparam-iceberg/java/other"))
	put("nowhere/x", location("gs://somewhere/else"))
	root := filepath.ToSlash(dir)
	for table, where := range map[string]string{"copied/other": "", "scheme/x": "", "java/bunnies": "", "java/other": "", "nowhere/x": "?location_map=s3://hyperparam-iceberg/java/bunnies=copied/other"} {
		if got := one[int](t, openDir(t, root+where), "SELECT COUNT(\"Breed Name\") FROM `"+table+"`"); got != 15 {
			t.Errorf("%s: %d rows", table, got)
		}
	}
	if _, _, err := answerOf(openDir(t, root), "SELECT * FROM `nowhere/x`"); err == nil || !strings.Contains(err.Error(), "location_map") {
		t.Error(err)
	}
}

// editedTable is a copy of a table whose metadata file is changed.
func editedTable(t *testing.T, from, metadata string, edit func(m map[string]any)) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "t"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "t", "metadata", metadata)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber() // the ids of snapshots have more digits than floats
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	edit(m)
	if text, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestIcebergDefaultWithin: a field that was added to a struct has its default where the struct is
// not NULL, in files with the struct and without the field.
func TestIcebergDefaultWithin(t *testing.T) {
	dir := editedTable(t, "testdata/iceberg/impala/tables/iceberg_v3/test_complex_default", "v4.metadata.json", func(m map[string]any) {
		schemas := m["schemas"].([]any)
		j := schemas[len(schemas)-1].(map[string]any)["fields"].([]any)[1].(map[string]any)["type"].(map[string]any)
		j["fields"] = append(j["fields"].([]any), map[string]any{"id": 90, "name": "f3", "required": false, "type": "int", "initial-default": 42})
	})
	keep(t, openAt(t, dir), say(
		"SELECT i, j.f1, j.f3 FROM t ORDER BY i", "1 NULL NULL; 2 100 42",
		"SELECT i FROM t WHERE j.f3 = 42", "2",
		"SELECT i FROM t WHERE j.f3 IS NULL", "1",
		"SELECT COUNT(j.f3), MIN(j.f3), MAX(j.f3) FROM t", "1 42 42",
		"SELECT i FROM t WHERE j.f3 <> 42 OR j.f3 < 0", "",
		"SELECT i, j FROM t ORDER BY i", `1 NULL; 2 '{"f1":100,"f2":"hello","f3":42}'`,
	)...)
}

// TestIcebergWithoutList reads a table of version 1 whose snapshot names its manifests itself, and
// whose metadata have one schema and one spec, not lists of them.
func TestIcebergWithoutList(t *testing.T) {
	const table, query = "testdata/iceberg/impala/tables/iceberg_migrated_complex_test", "SELECT struct_1_col.string_col || struct_2_col.struct_3_col.float_col FROM "
	db := openAt(t, filepath.Dir(table))
	manifest := one[string](t, db, "SELECT path FROM `iceberg_migrated_complex_test$manifests`")
	want := one[string](t, db, query+"iceberg_migrated_complex_test")
	dir := editedTable(t, table, "v2.metadata.json", func(m map[string]any) {
		snapshot := m["snapshots"].([]any)[0].(map[string]any)
		delete(snapshot, "manifest-list")
		snapshot["manifests"] = []string{manifest}
		m["schema"], m["partition-spec"] = m["schemas"].([]any)[0], []any{}
		for _, name := range []string{"schemas", "current-schema-id", "partition-specs", "default-spec-id", "last-partition-id", "sort-orders", "refs", "snapshot-log"} {
			delete(m, name)
		}
	})
	if got := one[string](t, openAt(t, dir), query+"t"); got != want || got == "" {
		t.Errorf("%q, want %q", got, want)
	}
	if _, _, err := answerOf(openAt(t, dir), "SELECT * FROM t TIMESTAMP AS OF '2030-01-01'"); err == nil || !strings.Contains(err.Error(), "snapshot-log") {
		t.Error(err)
	}
}

// TestIcebergDropped: equality deletes by a column that was dropped since still hold. The rows are
// those of Impala's test.
func TestIcebergDropped(t *testing.T) {
	dir := editedTable(t, "testdata/iceberg/impala/tables/hadoop_catalog/ice/iceberg_v2_delete_equality", "v4.metadata.json", func(m map[string]any) {
		fields := m["schemas"].([]any)[0].(map[string]any)["fields"].([]any)
		m["schemas"] = append(m["schemas"].([]any), map[string]any{"type": "struct", "schema-id": 9, "fields": fields[1:]})
		m["current-schema-id"] = 9
	})
	db := openAt(t, dir)
	if ids := one[string](t, db, "SELECT MAX(equality_ids) FROM `t$files`"); ids != "[1]" {
		t.Fatalf("the equality deletes are by %s", ids)
	}
	keep(t, db, say("SELECT * FROM t ORDER BY data", "'test_1_base'; 'test_2_updated'")...)
}
