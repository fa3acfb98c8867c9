package catalogs_test

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/rest"
	icebergsql "github.com/apache/iceberg-go/catalog/sql"
	"github.com/apache/iceberg-go/table"

	"github.com/parquetsql/parquetsql/iceberg/internal/testcatalog"
)

// TestTheirClient: iceberg-go's REST client understands the catalog for tests: it says what the
// specification says, and not only what our client wants to hear.
func TestTheirClient(t *testing.T) {
	found, err := testcatalog.Folders(testdata + "/icebird")
	if err != nil || len(found) != 2 {
		t.Fatalf("%v, %v", found, err)
	}
	s := &testcatalog.Server{Warehouse: "wh", Prefix: "p/q", PageSize: 2, Client: "me:secret"}
	if _, err := s.AddFolders(found, "a", "b.c"); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		s.Add(&testcatalog.Table{Namespace: []string{fmt.Sprint("n", i)}, Name: "two words", File: found[0].File, Metadata: found[0].Metadata})
	}
	s.Vend = func(*testcatalog.Table) (map[string]string, []testcatalog.Credential) {
		return map[string]string{"client.region": "us-east-1"}, []testcatalog.Credential{{Prefix: "s3a://", Config: map[string]string{"s3.access-key-id": "a"}}}
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	ctx := t.Context()
	if _, err := rest.NewCatalog(ctx, "x", server.URL, rest.WithCredential("me:wrong"), rest.WithWarehouseLocation("wh")); err == nil {
		t.Error("a wrong secret is good")
	}
	if _, err := rest.NewCatalog(ctx, "x", server.URL, rest.WithCredential("me:secret"), rest.WithWarehouseLocation("none")); err == nil {
		t.Error("a wrong warehouse is good")
	}
	c, err := rest.NewCatalog(ctx, "x", server.URL, rest.WithCredential("me:secret"), rest.WithWarehouseLocation("wh"))
	if err != nil {
		t.Fatal(err)
	}
	top, err := c.ListNamespaces(ctx, nil)
	if err != nil || len(top) != 6 {
		t.Errorf("%v, %v", top, err)
	}
	within, err := c.ListNamespaces(ctx, []string{"a"})
	if err != nil || len(within) != 1 || !slices.Equal(within[0], []string{"a", "b.c"}) {
		t.Errorf("%v, %v", within, err)
	}
	if ok, err := c.CheckNamespaceExists(ctx, []string{"a", "b.c"}); err != nil || !ok {
		t.Errorf("%v, %v", ok, err)
	}
	if ok, err := c.CheckTableExists(ctx, []string{"n1", "two words"}); err != nil || !ok {
		t.Errorf("%v, %v", ok, err)
	}
	n := 0
	for id, err := range c.ListTables(ctx, []string{"a", "b.c"}) {
		if err != nil || len(id) != 3 {
			t.Errorf("%v, %v", id, err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d tables", n)
	}
	if _, err := c.LoadTable(ctx, []string{"a", "b.c", "none"}); !errors.Is(err, catalog.ErrNoSuchTable) {
		t.Errorf("%v", err)
	}
	if _, err := c.ListNamespaces(ctx, []string{"none"}); !errors.Is(err, catalog.ErrNoSuchNamespace) {
		t.Errorf("%v", err)
	}
	for _, f := range found {
		loaded, err := c.LoadTable(ctx, []string{"a", "b.c", filepath.Base(f.Folder)})
		if err != nil {
			t.Errorf("%s: %v", f.Folder, err)
			continue
		}
		if loaded.MetadataLocation() != f.File || loaded.Location() != f.Location || loaded.CurrentSnapshot() == nil {
			t.Errorf("%s: %s, %s", f.Folder, loaded.MetadataLocation(), loaded.Location())
		}
	}
}

// TestTheirTables: tables that iceberg-go has made in a catalog of a database, appended to, are read
// by it.
func TestTheirTables(t *testing.T) {
	dir := t.TempDir()
	file, warehouse := filepath.Join(dir, "catalog.db"), filepath.Join(dir, "warehouse")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := icebergsql.NewCatalog("main", db, icebergsql.SQLite, iceberg.Properties{"warehouse": "file://" + warehouse, "init_catalog_tables": "true"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	fields := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "s", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	schema := iceberg.NewSchema(0, iceberg.NestedField{ID: 1, Name: "n", Type: iceberg.PrimitiveTypes.Int64}, iceberg.NestedField{ID: 2, Name: "s", Type: iceberg.PrimitiveTypes.String})
	rows := map[string]int{}
	for _, namespace := range [][]string{{"db"}, {"a", "b"}, {"dots.in", "it"}} {
		for depth := 1; depth <= len(namespace); depth++ {
			if err := c.CreateNamespace(ctx, namespace[:depth], nil); err != nil {
				t.Fatal(err)
			}
		}
		// Its own location would have brackets, which it writes otherwise than it names them.
		made, err := c.CreateTable(ctx, append(slices.Clone(namespace), "t"), schema, catalog.WithLocation("file://"+warehouse+"/"+strings.Join(namespace, "-")))
		if err != nil {
			t.Fatal(err)
		}
		var own []string
		for _, part := range namespace {
			own = append(own, strings.ReplaceAll(part, ".", `\.`))
		}
		name := `"` + strings.Join(own, `"."`) + `".t`
		for round := range 1 + len(rows) {
			b := array.NewRecordBuilder(memory.DefaultAllocator, fields)
			for i := range 100 * (round + 1) {
				b.Field(0).(*array.Int64Builder).Append(int64(i))
				b.Field(1).(*array.StringBuilder).Append(fmt.Sprint("row ", i))
				rows[name]++
			}
			batch := b.NewRecordBatch()
			of := array.NewTableFromRecords(fields, []arrow.RecordBatch{batch})
			var next *table.Table
			if next, err = made.AppendTable(ctx, of, 1000, nil); err != nil {
				t.Fatal(err)
			}
			made = next
			of.Release()
			batch.Release()
			b.Release()
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	ours := open(t, "iceberg+sql://main?driver=sqlite&dsn="+url.QueryEscape("file:"+file)+"&location_map="+url.QueryEscape("file://"+warehouse+"="+warehouse))
	for name, n := range rows {
		if got := texts(t, ours, "SELECT COUNT(*), COUNT(s), MIN(n) FROM "+name); len(got) != 1 || got[0] != fmt.Sprint(n, n, 0) {
			t.Errorf("%s: %q, want %d rows", name, got, n)
		}
		if got := texts(t, ours, "SELECT COUNT(*) FROM "+strings.TrimSuffix(name, "t")+"`t$snapshots`"); len(got) != 1 {
			t.Errorf("%q", got)
		}
	}
	if got := strings.Join(texts(t, ours, "SHOW TABLES"), ", "); got != `a.b.t, db.t, dots\.in.it.t` {
		t.Errorf("%s", got)
	}
}
