package http_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/storetest"
)

// web is a web server of files in memory, whose ETags are versions.
type web struct {
	mu       sync.Mutex
	files    map[string][]byte
	version  int
	noTags   bool
	weak     bool
	requests []string
}

func (s *web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	name := strings.TrimPrefix(r.URL.Path, "/")
	file, ok := s.files[name]
	tag := fmt.Sprintf(`"v%d"`, s.version)
	if s.weak {
		tag = "W/" + tag
	}
	s.requests = append(s.requests, r.Method+" "+r.URL.Path+" "+r.Header.Get("Range"))
	changed := time.Unix(1_700_000_000+int64(s.version), 0)
	noTags := s.noTags
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	if !noTags {
		w.Header().Set("ETag", tag)
	}
	http.ServeContent(w, r, name, changed, bytes.NewReader(file))
}

// put replaces a file.
func (s *web) put(name string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = data
	s.version++
}

func (s *web) took() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.requests
	s.requests = nil
	return out
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(testdata + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func serve(t *testing.T, files map[string][]byte) (*web, string) {
	t.Helper()
	s := &web{files: files}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL
}

func rows(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	got, err := storetest.Rows(db, query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return got
}

// TestOneRequest: a small file is read with its description, a second query asks whether it is
// still the same, and statistics say so.
func TestOneRequest(t *testing.T) {
	leaktest.Check(t)
	server, url := serve(t, map[string][]byte{"penguins.parquet": read(t, "penguins.parquet")})
	c, err := parquetsql.ParseDSN(url + "/penguins.parquet?token=secret#parallelism=2")
	if err != nil {
		t.Fatal(err)
	}
	var stats []parquetsql.QueryStats
	c.OnQuery = func(s parquetsql.QueryStats) { stats = append(stats, s) }
	connector, err := parquetsql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	if got := server.took(); len(got) > 0 {
		t.Errorf("opening asks %v", got)
	}
	for i, want := range []string{"bytes=-524288", "bytes=-1"} {
		if got := rows(t, db, "SELECT COUNT(*) FROM penguins"); !slices.Equal(got, []string{"344"}) {
			t.Errorf("%v", got)
		}
		if got := server.took(); !slices.Equal(got, []string{"GET /penguins.parquet " + want}) {
			t.Errorf("query %d asks %v", i, got)
		}
	}
	size := int64(len(server.files["penguins.parquet"]))
	if s := stats[0]; s.Requests != 1 || s.RequestBytes != size || s.Retries != 0 || s.CachedBytes != 0 {
		t.Errorf("%+v, the file has %d bytes", s, size)
	}
	if s := stats[1]; s.Requests != 1 || s.RequestBytes != 1 {
		t.Errorf("%+v", s)
	}
	plan := strings.Join(rows(t, db, "EXPLAIN ANALYZE SELECT * FROM penguins"), "\n")
	if !strings.Contains(plan, "\n1 request, 1 bytes, 0 bytes of a cache, none repeated") {
		t.Errorf("the plan is\n%s", plan)
	}
	if doc := rows(t, db, "EXPLAIN ANALYZE FORMAT=JSON SELECT * FROM penguins")[0]; !strings.Contains(doc, `"requests": {`) {
		t.Errorf("the plan is\n%s", doc)
	}
	if got := rows(t, db, "SELECT DISTINCT _file FROM penguins"); !slices.Equal(got, []string{"penguins.parquet"}) {
		t.Errorf("_file is %v", got)
	}
}

// TestFolder: a web server has no listings; files are named by their paths or addresses.
func TestFolder(t *testing.T) {
	_, url := serve(t, map[string][]byte{"data/a b.parquet": read(t, "penguins.parquet"), "data/deep/c.parquet": read(t, "airports.parquet")})
	db := storetest.Open(t, url+"/data/")
	for query, want := range map[string]string{
		`SELECT COUNT(*) FROM "a%20b.parquet"`:                         "344",
		`SELECT COUNT(*) FROM 'deep/c.parquet'`:                        "3376",
		`SELECT COUNT(*) FROM '` + url + `/data/deep/c.parquet'`:       "3376",
		`SELECT COUNT(*) FROM read_parquet(['deep/c.parquet'])`:        "3376",
		`SELECT COUNT(*) FROM information_schema.tables WHERE 1=1`:     "0",
		`SELECT rows FROM "deep/c.parquet$files"`:                      "3376",
		"SELECT COUNT(DISTINCT _file) FROM `deep/c.parquet` WHERE 1=1": "1",
	} {
		if got := rows(t, db, query); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	for query, want := range map[string]string{
		`SELECT * FROM c`:                                 "no such table",
		`SELECT * FROM 'none.parquet'`:                    "the server has no listings",
		`SELECT * FROM '../x.parquet'`:                    "outside the location",
		`SELECT * FROM '` + url + `/x.parquet?t=secret'`:  "outside the location",
		`SELECT * FROM 'https://elsewhere.net/x.parquet'`: "outside the location",
	} {
		if _, err := storetest.Rows(db, query); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
	}
}

// TestSigned: a presigned address in FROM is asked for as it is; its query is in no row, plan or error.
func TestSigned(t *testing.T) {
	leaktest.Check(t)
	files := &web{files: map[string][]byte{"data/a.parquet": read(t, "penguins.parquet"), "data/b.parquet": read(t, "airports.parquet"), "data/c.parquet": []byte("no Parquet")}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "sig=secret%2F..//x&v="+strings.TrimSuffix(path.Base(r.URL.Path), ".parquet") {
			http.Error(w, "SignatureDoesNotMatch", http.StatusForbidden)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	db := storetest.Open(t, server.URL+"/data/")
	at := func(name string) string {
		return server.URL + "/data/" + name + ".parquet?sig=secret%2F..//x&v=" + name
	}
	for query, want := range map[string]string{
		"SELECT COUNT(*) FROM '" + at("a") + "'":                                                 "344",
		"SELECT COUNT(*) FROM read_parquet(['" + at("a") + "', '" + at("b") + "'])":              "3720",
		"SELECT DISTINCT _file FROM '" + at("a") + "' WHERE species IS NOT NULL":                 "a.parquet",
		"SELECT rows FROM `" + at("b") + "$files`":                                               "3376",
		"SELECT COUNT(*) FROM '" + at("a") + "' x JOIN '" + at("a") + "' y ON x._row = y._row":   "344",
		"SELECT MIN(file) FROM glob('" + at("a") + "')":                                          "a.parquet",
		"SELECT COUNT(DISTINCT filename) FROM read_parquet('" + at("a") + "', filename := true)": "1",
	} {
		if got := rows(t, db, query); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	for query, want := range map[string]string{
		"SELECT * FROM '" + server.URL + "/data/a.parquet?sig=secret'":              "403",
		"SELECT * FROM '" + server.URL + "/data/a.parquet'":                         "403",
		"SELECT nothing FROM '" + at("a") + "'":                                     "nothing",
		"SELECT species FROM '" + at("a") + "' x JOIN '" + at("a") + "' y ON 1 = 1": "species",
		"SELECT * FROM '" + at("c") + "'":                                           "c.parquet",
		"SELECT * FROM '" + at("none") + "'":                                        "none.parquet",
		"SELECT * FROM '" + server.URL + "/data/../a.parquet?sig=secret'":           "outside the location",
		"SELECT * FROM '" + server.URL + "/other/a.parquet?sig=secret'":             "outside the location",
		"SELECT * FROM 'https://elsewhere.net/a.parquet?sig=secret'":                "outside the location",
		"SELECT * FROM '" + at("a") + "' VERSION AS OF 3":                           "versions",
		"SELECT CAST(species AS INTEGER) FROM '" + at("a") + "'":                    "cannot cast",
	} {
		_, err := storetest.Rows(db, query)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
	}
	for _, query := range []string{"EXPLAIN SELECT * FROM '" + at("a") + "'", "EXPLAIN ANALYZE SELECT COUNT(*) FROM '" + at("a") + "' WHERE species = 'x'", "SELECT * FROM `" + at("a") + "$files`", "EXPLAIN SELECT * FROM `" + at("a") + "$files`", "DESCRIBE '" + at("a") + "'"} {
		if got := strings.Join(rows(t, db, query), "\n"); strings.Contains(got, "secret") {
			t.Errorf("%s:\n%s", query, got)
		}
	}
	local := storetest.Open(t, testdata)
	if _, err := storetest.Rows(local, "SELECT * FROM '"+at("a")+"'"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("another location: %v", err)
	}
}

// TestReplaced: a file that is replaced while its rows are read is ErrChanged, with strong and
// weak tags, and with times alone.
func TestReplaced(t *testing.T) {
	leaktest.Check(t)
	first, second := storetest.Versions(t, testdata)
	want := storetest.VersionRows(t, first, second)
	for name, set := range map[string]func(*web){"tags": func(*web) {}, "weak tags": func(s *web) { s.weak = true }, "times": func(s *web) { s.noTags = true }} {
		server, url := serve(t, map[string][]byte{"t.parquet": first})
		set(server)
		db := storetest.Open(t, url+"/t.parquet")
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		server.put("t.parquet", second)
		var changed *parquetsql.ChangedError
		if _, err = tx.Exec(storetest.VersionsQuery); !errors.As(err, &changed) || changed.File != "t.parquet" {
			t.Errorf("%s: %v", name, err)
		}
		if err := tx.Commit(); err != nil {
			t.Error(err)
		}
		if got := rows(t, db, storetest.VersionsQuery); !slices.Equal(got, want[1]) {
			t.Errorf("%s: %d rows", name, len(got))
		}
		db.Close()
	}
}

// TestRefusals: errors name the address, say what to do and show no credentials.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		status     int
		body, want string
	}{
		{403, "no", "the credentials may not read it"},
		{403, "<Code>AccessDenied</Code><Message>Request has expired</Message>", "have expired"},
		{404, "", "404 Not Found"},
		{200, strings.Repeat("x", 600<<10), "ranges"},
		{206, "x", "does not say which part"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(c.body)))
			w.WriteHeader(c.status)
			w.Write([]byte(c.body))
		}))
		db := storetest.Open(t, server.URL+"/a.parquet?signature=secret")
		_, err := storetest.Rows(db, "SELECT * FROM a")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), server.URL+"/a.parquet") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%d: %v, want %s", c.status, err, c.want)
		}
		server.Close()
	}
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	if _, err := storetest.Rows(storetest.Open(t, secure.URL+"/a.parquet"), "SELECT * FROM a"); err == nil || !strings.Contains(err.Error(), "SSL_CERT_FILE") {
		t.Errorf("a certificate of nobody: %v", err)
	}
}

// TestCancel: the context ends a request that does not end by itself.
func TestCancel(t *testing.T) {
	leaktest.Check(t)
	asked, ended := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
		close(ended)
	}))
	t.Cleanup(server.Close)
	db := storetest.Open(t, server.URL+"/a.parquet")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := db.QueryContext(ctx, "SELECT * FROM a"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-ended
}

// TestFaults: random faults of the server and the network.
func TestFaults(t *testing.T) {
	leaktest.Check(t)
	first, second := storetest.Versions(t, testdata)
	server := &web{files: map[string][]byte{"t.parquet": first}}
	faults := &storetest.Faults{Server: server, Expired: func(w http.ResponseWriter) { http.Error(w, "Request has expired", http.StatusForbidden) }}
	faults.Replace = storetest.InTurn(func(data []byte) { server.put("t.parquet", data) }, first, second)
	front := httptest.NewServer(faults)
	t.Cleanup(front.Close)
	runs := storetest.Runs{Faults: faults, Query: storetest.VersionsQuery, Objects: []string{"t.parquet"}, Count: 1000}
	runs.Open = func() (*sql.DB, error) { return sql.Open("parquet", front.URL+"/t.parquet") }
	if testing.Short() {
		runs.Count = 100
	}
	want := storetest.VersionRows(t, first, second)
	runs.Run(t, want[0], want[1])
}

// TestCache: what a cache on disk has is not asked for again, not even by the next program; a
// replaced file is read anew.
func TestCache(t *testing.T) {
	leaktest.Check(t)
	first, second := storetest.Versions(t, testdata)
	want := storetest.VersionRows(t, first, second)
	server, url := serve(t, map[string][]byte{"t.parquet": first})
	dir := t.TempDir()
	for i, c := range []struct {
		rows   []string
		cached bool
	}{{want[0], false}, {want[0], true}, {want[1], false}, {want[1], true}} {
		if i == 2 {
			server.put("t.parquet", second)
		}
		config, err := parquetsql.ParseDSN(url + "/t.parquet#cache_size=100MB&cache_dir=" + dir)
		if err != nil {
			t.Fatal(err)
		}
		var stats parquetsql.QueryStats
		config.OnQuery = func(s parquetsql.QueryStats) { stats = s }
		connector, err := parquetsql.NewConnector(config)
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		if got := rows(t, db, storetest.VersionsQuery); !slices.Equal(got, c.rows) {
			t.Errorf("run %d: %d rows of another version", i, len(got))
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if (stats.CachedBytes > 100<<10) != c.cached || (stats.Requests == 1) != c.cached {
			t.Errorf("run %d: %d bytes of the cache, %d requests", i, stats.CachedBytes, stats.Requests)
		}
	}
}
