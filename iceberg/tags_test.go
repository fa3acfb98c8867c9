package iceberg_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql/iceberg/internal/testcatalog"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// statuses notes with which status tables are answered.
type statuses struct {
	http.Handler
	mu   sync.Mutex
	list []int
}

func (s *statuses) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.URL.Path, "/tables/") {
		s.Handler.ServeHTTP(w, r)
		return
	}
	noted := &noted{ResponseWriter: w, status: http.StatusOK}
	s.Handler.ServeHTTP(noted, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, noted.status)
}

func (s *statuses) take() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.list
	s.list = nil
	return out
}

type noted struct {
	http.ResponseWriter
	status int
}

func (n *noted) WriteHeader(status int) {
	n.status = status
	n.ResponseWriter.WriteHeader(status)
}

// TestTags: a table that has not changed is not sent again (ETag), and one that has is.
func TestTags(t *testing.T) {
	leaktest.Check(t)
	s, moved := filled(t)
	s.Tags = true
	seen := &statuses{Handler: s}
	db := open(t, moved, "endpoint="+listen(t, seen))
	const table = "db." + renamed
	first, err := rowsOf(db, "SELECT * FROM "+table)
	if err != nil || len(first) == 0 {
		t.Fatal(first, err)
	}
	for range 3 {
		again, err := rowsOf(db, "SELECT * FROM "+table)
		if err != nil || !slices.Equal(again, first) {
			t.Errorf("%q, want %q: %v", again, first, err)
		}
	}
	if got := seen.take(); !slices.Equal(got, []int{200, 304, 304, 304}) {
		t.Errorf("answered with %v", got)
	}
	// Another table is another one.
	if n, err := rowsOf(db, "SELECT COUNT(*) FROM db."+lineage); err != nil || !slices.Equal(n, []string{"3"}) {
		t.Errorf("%q, %v", n, err)
	}
	if got := seen.take(); !slices.Equal(got, []int{200}) {
		t.Errorf("answered with %v", got)
	}
	// The table loses its rows, and gets them back.
	found, err := testcatalog.Folders(testdata)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(found, func(f testcatalog.Found) bool { return strings.HasSuffix(f.Folder, "/"+renamed) })
	var m map[string]any
	if err := json.Unmarshal(found[at].Metadata, &m); err != nil {
		t.Fatal(err)
	}
	m["current-snapshot-id"], m["refs"] = nil, map[string]any{}
	empty, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		metadata json.RawMessage
		rows     int
	}{{empty, 0}, {found[at].Metadata, len(first)}, {found[at].Metadata, len(first)}} {
		s.Add(&testcatalog.Table{Namespace: []string{"db"}, Name: renamed, File: found[at].File, Metadata: c.metadata})
		if rows, err := rowsOf(db, "SELECT * FROM "+table); err != nil || len(rows) != c.rows {
			t.Errorf("%d rows, want %d: %v", len(rows), c.rows, err)
		}
	}
	if got := seen.take(); !slices.Equal(got, []int{200, 200, 304}) {
		t.Errorf("answered with %v", got)
	}
	// Many at once, while it changes.
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 20 {
				rows, err := rowsOf(db, "SELECT COUNT(*) FROM "+table)
				if err != nil || !slices.Contains([]string{"0", fmt.Sprint(len(first))}, rows[0]) {
					t.Errorf("%q, %v", rows, err)
				}
				if i == 0 {
					s.Add(&testcatalog.Table{Namespace: []string{"db"}, Name: renamed, File: found[at].File, Metadata: [][]byte{empty, found[at].Metadata}[len(rows)%2]})
				}
			}
		})
	}
	wg.Wait()
}

// TestTagsOfServers: an answer that says that nothing has changed, to who has nothing, is an error.
func TestTagsOfServers(t *testing.T) {
	leaktest.Check(t)
	db := open(t, "endpoint="+listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/tables/") {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write([]byte("{}"))
	})))
	if _, err := rowsOf(db, "SELECT * FROM db.t"); err == nil || !strings.Contains(err.Error(), "304") {
		t.Error(err)
	}
}

// TestForbidden: a schema that who asks may not see is left out of lists of all, and an error where it is
// named.
func TestForbidden(t *testing.T) {
	s, moved := filled(t)
	s.Add(&testcatalog.Table{Namespace: []string{"secret", "inner"}, Name: "t", File: "s3://b/t.metadata.json"})
	s.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.RequestURI(), "secret") {
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		return false
	}
	db := serve(t, s, moved)
	for _, query := range []string{"SHOW TABLES", "SELECT table_name FROM information_schema.tables", "SELECT tablename FROM pg_catalog.pg_tables"} {
		if rows, err := rowsOf(db, query); err != nil || len(rows) < 15 {
			t.Errorf("%s: %d rows, %v", query, len(rows), err)
		}
	}
	if rows, err := rowsOf(db, "SHOW SCHEMAS"); err != nil || !slices.ContainsFunc(rows, func(r string) bool { return strings.Contains(r, "secret") }) {
		t.Errorf("%q, %v", rows, err)
	}
	for _, query := range []string{"SHOW TABLES FROM secret", "SELECT * FROM secret.t"} {
		if _, err := rowsOf(db, query); err == nil || !strings.Contains(err.Error(), "403") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func listen(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// TestPostgresNames: PostgreSQL's catalog has the schemas, and tables by them; those of one name in two schemas are two.
func TestPostgresNames(t *testing.T) {
	s, moved := filled(t)
	found, err := testcatalog.Folders(testdata)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(found, func(f testcatalog.Found) bool { return strings.HasSuffix(f.Folder, "/"+renamed) })
	for _, namespace := range [][]string{{"other"}, {"other", "inner"}} {
		s.Add(&testcatalog.Table{Namespace: namespace, Name: renamed, File: found[at].File, Metadata: found[at].Metadata})
	}
	db := serve(t, s, moved)
	for query, want := range map[string][]string{
		"SELECT nspname FROM pg_catalog.pg_namespace ORDER BY oid": {"pg_catalog", "db", "other", "other.inner", "information_schema"},
		"SELECT n.nspname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relname = '" + renamed + "' ORDER BY 1":                                                           {"db", "other", "other.inner"},
		"SELECT COUNT(*) FROM (SELECT DISTINCT oid FROM pg_catalog.pg_class WHERE relname = '" + renamed + "')":                                                                                                         {"3"},
		"SELECT COUNT(*), COUNT(DISTINCT a.attname) FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'other'": {fmt.Sprint(columnsOf(t, db), " ", columnsOf(t, db))},
	} {
		if got, err := rowsOf(db, query); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q: %v", query, got, want, err)
		}
	}
}

// columnsOf is how many columns the table has that was renamed.
func columnsOf(t *testing.T, db *sql.DB) int {
	t.Helper()
	rows, err := rowsOf(db, "SELECT column_name FROM information_schema.columns WHERE table_schema = 'db' AND table_name = '"+renamed+"'")
	if err != nil {
		t.Fatal(err)
	}
	return len(rows)
}
