package catalogs_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/beltran/gohive/hive_metastore"
	_ "modernc.org/sqlite"

	"github.com/parquetsql/parquetsql"
	_ "github.com/parquetsql/parquetsql/iceberg/catalogs"
	"github.com/parquetsql/parquetsql/iceberg/internal/testcatalog"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

const testdata = "../../testdata/iceberg"

func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func texts(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	out, err := textsOf(db, query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

func textsOf(db *sql.DB, query string) (out []string, err error) {
	rows, err := db.Query(query)
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

// tables are those of testdata, and the option that says where their files are.
func tables(t *testing.T) ([]testcatalog.Found, string) {
	t.Helper()
	found, err := testcatalog.Folders(testdata)
	if err != nil || len(found) < 10 {
		t.Fatalf("%d tables, %v", len(found), err)
	}
	moved, err := (&testcatalog.Server{}).AddFolders(found)
	if err != nil {
		t.Fatal(err)
	}
	return found, "location_map=" + url.QueryEscape(moved)
}

// compare reads each table by the catalog and by its folder.
func compare(t *testing.T, db *sql.DB, schema string, found []testcatalog.Found) {
	t.Helper()
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, f := range found {
		name := filepath.Base(f.Folder)
		disk := open(t, f.Folder)
		want, wantErr := textsOf(disk, "SELECT * FROM `"+name+"`")
		got, err := textsOf(db, "SELECT * FROM "+schema+".`"+name+"`")
		slices.Sort(want)
		slices.Sort(got)
		if (err == nil) != (wantErr == nil) || !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, %v; by the folder %d rows, %v", name, len(got), err, len(want), wantErr)
		}
		if err == nil {
			read++
		}
	}
	if read < 10 {
		t.Errorf("only %d tables had rows", read)
	}
	if _, err := textsOf(db, "SELECT * FROM "+schema+".rename_colum"); err == nil || !strings.Contains(err.Error(), "rename_column") {
		t.Errorf("%v", err)
	}
	if _, err := textsOf(db, "SELECT * FROM none.t"); err == nil || !strings.Contains(err.Error(), "no such table") {
		t.Errorf("%v", err)
	}
}

// TestSQL: the tables of a catalog in a database, with views among them or without the column that
// tells them.
func TestSQL(t *testing.T) {
	leaktest.Check(t)
	found, moved := tables(t)
	for _, kinds := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "catalog.db")
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		exec := func(query string, args ...any) {
			t.Helper()
			if _, err := db.Exec(query, args...); err != nil {
				t.Fatal(err)
			}
		}
		more := ""
		if kinds {
			more = ", iceberg_type VARCHAR(5)"
			exec("CREATE TABLE iceberg_namespace_properties (catalog_name VARCHAR(255), namespace VARCHAR(255), property_key VARCHAR(255), property_value VARCHAR(1000))")
			exec("INSERT INTO iceberg_namespace_properties VALUES ('main', 'empty.one', 'exists', 'true')")
		}
		exec("CREATE TABLE iceberg_tables (catalog_name VARCHAR(255), table_namespace VARCHAR(255), table_name VARCHAR(255), metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000)" + more + ")")
		insert := func(catalog, namespace, name, location, kind string) {
			t.Helper()
			args := []any{catalog, namespace, name, location, nil}
			if kinds {
				args = append(args, sql.NullString{String: kind, Valid: kind != ""})
			}
			exec("INSERT INTO iceberg_tables VALUES ("+strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")+")", args...)
		}
		for i, f := range found {
			insert("main", "lake.db", filepath.Base(f.Folder), f.File, []string{"", "TABLE"}[i%2])
		}
		insert("another", "x", "hidden", found[0].File, "TABLE")
		insert("main", `__iceberg_namespace_v1__:["a.b","c"]`, "t", found[0].File, "TABLE")
		if kinds {
			insert("main", "lake.db", "v", "file:///nowhere", "VIEW")
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		tables := open(t, "iceberg+sql://main?driver=sqlite&dsn="+url.QueryEscape("file:"+file)+"&"+moved)
		compare(t, tables, "lake.db", found)
		want := `a\.b, a\.b.c, lake, lake.db`
		if kinds {
			want = `a\.b, a\.b.c, empty, empty.one, lake, lake.db`
		}
		if got := strings.Join(texts(t, tables, "SHOW SCHEMAS"), ", "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got := texts(t, tables, "SHOW TABLES"); len(got) != len(found)+1 || slices.Contains(got, "lake.db.v") {
			t.Errorf("%q", got)
		}
		if got := texts(t, tables, `SELECT COUNT(*) FROM "a\.b".c.t`); len(got) != 1 {
			t.Errorf("%q", got)
		}
		if _, err := textsOf(tables, "SELECT * FROM lake.db.v"); kinds && (err == nil || !strings.Contains(err.Error(), "no such table")) {
			t.Errorf("%v", err)
		}
	}
	for dsn, want := range map[string]string{
		"iceberg+sql://main":                            "options driver and dsn",
		"iceberg+sql://main?driver=none&dsn=x":          "sqlite",
		"iceberg+sql://?driver=sqlite&dsn=x":            "iceberg+sql://NAME",
		"iceberg+sql://main?driver=sqlite&dsn=:memory:": "iceberg_tables",
	} {
		db, err := sql.Open("parquet", dsn)
		if err == nil {
			err = db.Ping()
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", dsn, err, want)
		}
	}
	if c, err := parquetsql.ParseDSN("iceberg+sql://main?driver=pgx&dsn=postgres:%2F%2Fu:secret@h%2Fdb"); err != nil || strings.Contains(fmt.Sprint(c), "secret") {
		t.Errorf("%v, %v", c, err)
	}
}

// glueService answers as Glue does (AWS Glue API Reference), a table a page.
type glueService struct{ tables map[string]map[string]string }

func (g *glueService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct{ CatalogId, DatabaseName, Name, NextToken string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.CatalogId != "123456789012" {
		http.Error(w, `{"__type":"InvalidInputException","Message":"odd"}`, http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	answer := func(what any) { _ = json.NewEncoder(w).Encode(what) }
	missing := func() {
		w.WriteHeader(http.StatusBadRequest)
		answer(map[string]string{"__type": "EntityNotFoundException", "Message": "Entity Not Found"})
	}
	table := func(name string) map[string]any {
		return map[string]any{"Name": name, "DatabaseName": "db", "Parameters": g.tables[name]}
	}
	names := make([]string, 0, len(g.tables))
	for n := range g.tables {
		names = append(names, n)
	}
	slices.Sort(names)
	switch r.Header.Get("X-Amz-Target") {
	case "AWSGlue.GetDatabases":
		answer(map[string]any{"DatabaseList": []any{map[string]string{"Name": "db"}}})
	case "AWSGlue.GetTable":
		if in.DatabaseName != "db" || g.tables[in.Name] == nil {
			missing()
			return
		}
		answer(map[string]any{"Table": table(in.Name)})
	case "AWSGlue.GetTables":
		at := slices.Index(names, in.NextToken)
		if in.DatabaseName != "db" {
			missing()
			return
		}
		out := map[string]any{"TableList": []any{table(names[max(at, 0)])}}
		if next := max(at, 0) + 1; next < len(names) {
			out["NextToken"] = names[next]
		}
		answer(out)
	default:
		missing()
	}
}

// parameters are what Glue and Hive have of the tables, with one of another format and a view.
func parameters(found []testcatalog.Found) map[string]map[string]string {
	out := map[string]map[string]string{
		"other": {"classification": "parquet"}, "v": {"table_type": "ICEBERG-VIEW", "metadata_location": "s3://b/v.json"}, "broken": {"table_type": "ICEBERG"},
	}
	for i, f := range found {
		out[filepath.Base(f.Folder)] = map[string]string{"table_type": []string{"ICEBERG", "iceberg"}[i%2], "metadata_location": f.File}
	}
	return out
}

func refusals(t *testing.T, db *sql.DB, found []testcatalog.Found) {
	t.Helper()
	for name, want := range map[string]string{"other": "is no Iceberg table", "v": "views of Iceberg", "broken": "no metadata_location"} {
		_, err := textsOf(db, "SELECT * FROM db."+name)
		if err == nil || !strings.Contains(err.Error(), want) || name != "broken" && !errors.Is(err, parquetsql.ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := texts(t, db, "SHOW TABLES"); len(got) != len(found) {
		t.Errorf("%q", got)
	}
	if got := strings.Join(texts(t, db, "SHOW SCHEMAS"), ", "); got != "db" {
		t.Errorf("%s", got)
	}
}

// TestGlue: the tables of a service that answers as Glue does.
func TestGlue(t *testing.T) {
	leaktest.Check(t)
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "secretsecret", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_REGION": "",
		"AWS_CONFIG_FILE": t.TempDir() + "/none", "AWS_SHARED_CREDENTIALS_FILE": t.TempDir() + "/none", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	found, moved := tables(t)
	server := httptest.NewServer(&glueService{parameters(found)})
	t.Cleanup(server.Close)
	db := open(t, "iceberg+glue://eu-central-1/123456789012?endpoint="+server.URL+"&"+moved)
	compare(t, db, "db", found)
	refusals(t, db, found)
	if _, err := textsOf(open(t, "iceberg+glue://eu-central-1?endpoint="+server.URL), "SHOW TABLES"); err == nil || !strings.Contains(err.Error(), "InvalidInputException") || strings.Contains(err.Error(), "secretsecret") {
		t.Errorf("%v", err)
	}
}

// metastore answers as a Hive Metastore does; what it does not answer is a nil pointer.
type metastore struct {
	hive_metastore.ThriftHiveMetastore
	tables map[string]map[string]string
}

func (m *metastore) GetAllDatabases(context.Context) ([]string, error) { return []string{"db"}, nil }

func (m *metastore) GetAllTables(_ context.Context, db string) (out []string, err error) {
	if db != "db" {
		return nil, nil // as Hive does
	}
	for n := range m.tables {
		out = append(out, n)
	}
	return out, nil
}

func (m *metastore) GetTable(_ context.Context, db, name string) (*hive_metastore.Table, error) {
	if db != "db" || m.tables[name] == nil {
		return nil, &hive_metastore.NoSuchObjectException{Message: db + "." + name + " table not found"}
	}
	if name == "broken" {
		time.Sleep(50 * time.Millisecond)
	}
	return &hive_metastore.Table{TableName: name, DbName: db, Parameters: m.tables[name]}, nil
}

func (m *metastore) GetTableObjectsByName(ctx context.Context, db string, names []string) (out []*hive_metastore.Table, err error) {
	for _, n := range names {
		t, err := m.GetTable(ctx, db, n)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// TestHive: the tables of a server that answers as a metastore does.
func TestHive(t *testing.T) {
	found, moved := tables(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	socket, err := thrift.NewTServerSocket(address)
	if err != nil {
		t.Fatal(err)
	}
	processor := hive_metastore.NewThriftHiveMetastoreProcessor(&metastore{tables: parameters(found)})
	server := thrift.NewTSimpleServer4(processor, socket, thrift.NewTBufferedTransportFactory(1<<12), thrift.NewTBinaryProtocolFactoryConf(nil))
	if err := server.Listen(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.AcceptLoop() // it is stopped
	}()
	t.Cleanup(func() {
		_ = server.Stop()
		<-ended
	})
	leaktest.Check(t)
	db := open(t, "iceberg+hive://"+address+"?"+moved)
	compare(t, db, "db", found)
	refusals(t, db, found)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if rows, err := db.QueryContext(ctx, "SELECT * FROM db.broken"); !errors.Is(err, context.DeadlineExceeded) {
		if err == nil {
			rows.Close()
		}
		t.Errorf("%v", err)
	}
	if err := open(t, "iceberg+hive://127.0.0.1:1").Ping(); err == nil || !strings.Contains(err.Error(), "iceberg+hive://127.0.0.1:1") {
		t.Errorf("%v", err)
	}
}
