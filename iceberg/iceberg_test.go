package iceberg_test

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
	_ "github.com/parquetsql/parquetsql/iceberg"
	"github.com/parquetsql/parquetsql/iceberg/internal/testcatalog"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

const testdata = "../testdata/iceberg"

// serve starts a catalog and opens it. more are options of the DSN.
func serve(t *testing.T, s *testcatalog.Server, more ...string) *sql.DB {
	t.Helper()
	leaktest.Check(t)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return open(t, append(more, "endpoint="+server.URL)...)
}

func open(t *testing.T, options ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("parquet", "iceberg://host/wh?"+strings.Join(options, "&"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// filled is a catalog with the tables of testdata in the namespace db, and the option that says where
// their files are.
func filled(t *testing.T) (*testcatalog.Server, string) {
	t.Helper()
	found, err := testcatalog.Folders(testdata)
	if err != nil || len(found) < 15 {
		t.Fatalf("%d tables, %v", len(found), err)
	}
	s := &testcatalog.Server{}
	moved, err := s.AddFolders(found, "db")
	if err != nil {
		t.Fatal(err)
	}
	return s, "location_map=" + url.QueryEscape(moved)
}

func rowsOf(q interface {
	Query(string, ...any) (*sql.Rows, error)
}, query string) (out []string, err error) {
	rows, err := q.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		out = append(out, strings.TrimSpace(fmt.Sprintln(row...)))
	}
	return out, rows.Err()
}

// TestTables: the tables of testdata have the same rows by the catalog as by their folders, and a
// query takes one request of the catalog.
func TestTables(t *testing.T) {
	s, moved := filled(t)
	db := serve(t, s, moved)
	found, err := testcatalog.Folders(testdata)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	s.Requests()
	read := 0
	for i, f := range found {
		name := filepath.Base(f.Folder)
		disk, err := sql.Open("parquet", f.Folder)
		if err != nil {
			t.Fatal(err)
		}
		for k, what := range []string{"*", "COUNT(*)"} {
			want, wantErr := rowsOf(disk, "SELECT "+what+" FROM `"+name+"`")
			got, err := rowsOf(db, "SELECT "+what+" FROM db.`"+name+"`")
			slices.Sort(want)
			slices.Sort(got)
			if (err == nil) != (wantErr == nil) || !slices.Equal(got, want) {
				t.Errorf("%s: %d rows, %v; by the folder %d rows, %v", f.Folder, len(got), err, len(want), wantErr)
			}
			if err == nil {
				read++
			}
			requests := s.Requests()
			if i == 0 && k == 0 {
				if len(requests) == 0 || requests[0] != "GET /v1/config?warehouse=wh" {
					t.Fatalf("%q", requests)
				}
				requests = requests[1:]
			}
			if len(requests) != 1 || requests[0] != "GET /v1/namespaces/db/tables/"+name {
				t.Errorf("%s: %q", name, requests)
			}
		}
		disk.Close()
	}
	if read < 28 {
		t.Errorf("only %d queries had rows", read)
	}
}

const (
	lineage = "iceberg_v3_row_lineage"
	renamed = "rename_column"
)

// TestNames: namespaces are schemas, those within others too.
func TestNames(t *testing.T) {
	s, moved := filled(t)
	found, err := testcatalog.Folders(filepath.Join(testdata, "icebird/test/files/hyperparam-iceberg/spark"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	add := func(name string, namespace ...string) {
		s.Add(&testcatalog.Table{Namespace: namespace, Name: name, File: found[0].File, Metadata: found[0].Metadata})
	}
	add("t", "a", "b", "c")
	add("t", "a.b")
	add("x.y", "a")
	add("two words", "über uns")
	add("t", "main")
	add(`back\slash`, "a+b")
	s.AddNamespace("empty")
	s.AddView([]string{"db"}, "v")
	s.Endpoints = []string{"GET /v1/{prefix}/namespaces/{namespace}/tables/{table}", "HEAD /v1/{prefix}/namespaces/{namespace}/views/{view}"}
	db := serve(t, s, moved)
	want, err := rowsOf(db, "SELECT COUNT(*) FROM db."+renamed)
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{
		"a.b.c.t", `"a\.b".t`, `"a.b.c".t`, `"a.b.c.t"`, `a."x\.y"`, `"über uns"."two words"`, "main.t", "parquet.a.b.c.t", `"a+b"."back\slash"`,
		"db." + renamed, "DB." + renamed + " AS q", "db." + strings.ToUpper(renamed),
	} {
		got, err := rowsOf(db, "SELECT COUNT(*) FROM "+from)
		if from == "DB."+renamed+" AS q" { // a schema in another case is not looked for
			if err == nil {
				t.Errorf("%s: %v", from, got)
			}
			continue
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", from, got, err)
		}
	}
	for query, want := range map[string]string{
		"SELECT * FROM t":                       "FROM schema.table",
		"SELECT * FROM db.rename_colum":         "rename_column",
		"SELECT * FROM none.t":                  `"none.t"`,
		"SELECT * FROM a.b.t":                   "a dot that is part of a name",
		"SELECT * FROM db.v":                    "views of Iceberg",
		`SELECT * FROM ".".".."`:                "no such table",
		"SELECT * FROM db.`../../v1/config`":    "no such table",
		"SELECT * FROM read_parquet('db.none')": "no such table",
	} {
		_, err := rowsOf(db, query)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
	}
	var missing *parquetsql.NotFoundError
	if _, err := db.Query("SELECT * FROM db.none"); !errors.As(err, &missing) {
		t.Errorf("%v", err)
	}
	if got, err := rowsOf(db, "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema <> 'db' ORDER BY ALL"); err != nil || strings.Join(got, ", ") != `a x\.y, a+b back\\slash, a.b.c t, a\.b t, main t, über uns two words` {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := rowsOf(db, "SELECT schema_name FROM information_schema.schemata ORDER BY 1"); err != nil || strings.Join(got, ", ") != `a, a+b, a.b, a.b.c, a\.b, db, empty, information_schema, main, über uns` {
		t.Errorf("%q, %v", got, err)
	}
	for statement, want := range map[string]string{
		"SHOW TABLES FROM a": `a.x\.y`, "SHOW TABLES IN a.b.c": "a.b.c.t", `SHOW TABLES FROM "a\.b" LIKE '%t'`: `a\.b.t`, "SHOW TABLES FROM empty": "",
		"SHOW SCHEMAS LIKE 'a.b%'": "a.b, a.b.c",
		"SELECT schema, name FROM (SHOW ALL TABLES) WHERE schema LIKE 'a.b.%'": "a.b.c t",
	} {
		if got, err := rowsOf(db, statement); err != nil || strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, %v", statement, got, err)
		}
	}
	names, err := rowsOf(db, "SHOW TABLES")
	if err != nil || len(names) < 20 || !slices.Contains(names, "db."+renamed) || !slices.Contains(names, "a.b.c.t") {
		t.Errorf("%q, %v", names, err)
	}
	for _, name := range names { // each is found as it is shown
		if _, err := rowsOf(db, `DESCRIBE "`+name+`"`); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := rowsOf(db, "SELECT a.b.c.t.id, t.id, c.t.id FROM a.b.c.t LIMIT 1"); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestVersions: time travel, system tables, and a transaction, which sees a table as it was when it
// looked first.
func TestVersions(t *testing.T) {
	s, moved := filled(t)
	db := serve(t, s, moved)
	ids, err := rowsOf(db, "SELECT snapshot_id FROM db.`"+lineage+"$snapshots` ORDER BY committed_at")
	if err != nil || len(ids) < 2 {
		t.Fatalf("%v, %v", ids, err)
	}
	s.Requests()
	counts := map[string]bool{}
	for _, id := range ids {
		for _, from := range []string{"db." + lineage + " FOR VERSION AS OF " + id, "db.`" + lineage + "@v" + id + "`", "iceberg_scan('db." + lineage + "', snapshot_from_id => " + id + ")"} {
			got, err := rowsOf(db, "SELECT COUNT(*) FROM "+from)
			if err != nil {
				t.Fatalf("%s: %v", from, err)
			}
			counts[got[0]] = true
			if r := s.Requests(); len(r) != 1 {
				t.Errorf("%s: %q", from, r)
			}
		}
	}
	if len(counts) < 2 {
		t.Errorf("all snapshots have %v rows", counts)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if r := s.Requests(); len(r) > 0 {
		t.Errorf("a transaction begins with %q", r)
	}
	before, err := rowsOf(tx, "SELECT COUNT(*) FROM db."+lineage)
	if err != nil {
		t.Fatal(err)
	}
	found, err := testcatalog.Folders(filepath.Join(testdata, "icebird/test/files/hyperparam-iceberg/java"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	s.Add(&testcatalog.Table{Namespace: []string{"db"}, Name: lineage, File: found[0].File, Metadata: found[0].Metadata})
	for range 2 {
		if got, err := rowsOf(tx, "SELECT COUNT(*) FROM db."+lineage); err != nil || got[0] != before[0] {
			t.Errorf("%v, %v; before %v", got, err, before)
		}
	}
	if r := s.Requests(); len(r) != 1 {
		t.Errorf("a transaction asks more than once: %q", r)
	}
	if got, err := rowsOf(db, "SELECT COUNT(*) FROM db."+lineage); err != nil || got[0] == before[0] {
		t.Errorf("the new table: %v, %v", got, err)
	}
}

// TestRecreated: a table that was made anew may have a metadata file of the same name, which catalogs
// that name only the file do not tell either.
func TestRecreated(t *testing.T) {
	s, moved := filled(t)
	found, err := testcatalog.Folders(filepath.Join(testdata, "icebird/test/files/hyperparam-iceberg"))
	if err != nil || len(found) != 2 {
		t.Fatalf("%v, %v", found, err)
	}
	db := serve(t, s, moved)
	seen := map[string]bool{}
	for _, f := range found {
		s.Add(&testcatalog.Table{Namespace: []string{"db"}, Name: "t", File: "s3://b/t/metadata/v1.metadata.json", Metadata: f.Metadata})
		got, err := rowsOf(db, "SELECT * FROM db.t")
		if err != nil || len(got) == 0 {
			t.Fatal(err)
		}
		seen[strings.Join(got, "\n")] = true
	}
	if len(seen) != 2 {
		t.Error("both tables have the same rows")
	}
	dir := t.TempDir()
	db = serveQuietly(t, s, moved+url.QueryEscape(",s3://b="+dir))
	for _, f := range found {
		if err := os.MkdirAll(filepath.Join(dir, "t"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "t", "v1.metadata.json"), f.Metadata, 0o600); err != nil {
			t.Fatal(err)
		}
		s.Add(&testcatalog.Table{Namespace: []string{"db"}, Name: "t", File: "s3://b/t/v1.metadata.json"})
		got, err := rowsOf(db, "SELECT * FROM db.t")
		if err != nil || !seen[strings.Join(got, "\n")] {
			t.Fatal(got, err)
		}
		delete(seen, strings.Join(got, "\n"))
	}
}

// TestPages: lists come in pages, and end.
func TestPages(t *testing.T) {
	s := &testcatalog.Server{PageSize: 3}
	for i := range 10 {
		for k := range 7 {
			s.Add(&testcatalog.Table{Namespace: []string{fmt.Sprint("n", i)}, Name: fmt.Sprint("t", k)})
		}
	}
	db := serve(t, s)
	names, err := rowsOf(db, "SHOW TABLES")
	if err != nil || len(names) != 70 {
		t.Errorf("%d names, %v", len(names), err)
	}
	s.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("pageToken") == "" {
			return false
		}
		fmt.Fprint(w, `{"namespaces":[],"next-page-token":"again"}`)
		return true
	}
	if _, err := rowsOf(db, "SHOW TABLES"); err == nil || !strings.Contains(err.Error(), "does not end") {
		t.Errorf("a list without an end: %v", err)
	}
}

// TestSettings: what the catalog says of itself counts, over what the user says or below.
func TestSettings(t *testing.T) {
	s, moved := filled(t)
	s.Warehouse, s.Prefix, s.Separator = "wh", "catalogs/a%7Cb", "%2E"
	found, err := testcatalog.Folders(filepath.Join(testdata, "icebird/test/files/hyperparam-iceberg/spark"))
	if err != nil {
		t.Fatal(err)
	}
	s.Add(&testcatalog.Table{Namespace: []string{"a", "b"}, Name: "t", File: found[0].File, Metadata: found[0].Metadata})
	db := serve(t, s, moved)
	if got, err := rowsOf(db, "SELECT COUNT(*) FROM a.b.t"); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if r := s.Requests(); len(r) != 2 || r[1] != "GET /v1/catalogs/a%7Cb/namespaces/a%2Eb/tables/t" {
		t.Errorf("%q", r)
	}
	if names, err := rowsOf(db, "SHOW TABLES"); err != nil || !slices.Contains(names, "a.b.t") {
		t.Errorf("%v, %v", names, err)
	}
	s.Warehouse = "another"
	if err := db.Ping(); err == nil || !strings.Contains(err.Error(), "NoSuchWarehouseException") {
		t.Errorf("%v", err)
	}
	s.Warehouse, s.Overrides = "wh", map[string]string{"uri": "https://elsewhere/api?x=secret"}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	_, err = rowsOf(open(t, "endpoint="+server.URL), "SHOW TABLES")
	if err == nil || !strings.Contains(err.Error(), "https://elsewhere/api") || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

// TestCounted: what the catalog is asked counts in the statistics of the query.
func TestCounted(t *testing.T) {
	s, moved := filled(t)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	c, err := parquetsql.ParseDSN("iceberg://host/wh?" + moved + "&endpoint=" + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var counted []int64
	c.OnQuery = func(q parquetsql.QueryStats) { counted = append(counted, q.Requests) }
	db := openConfig(t, c)
	for range 2 {
		if _, err := rowsOf(db, "SELECT COUNT(*) FROM db."+renamed); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(counted) != "[2 1]" {
		t.Errorf("%v requests", counted)
	}
}
