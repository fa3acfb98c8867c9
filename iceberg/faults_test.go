package iceberg_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/iceberg/internal/testcatalog"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

func openConfig(t *testing.T, c *parquetsql.Config) *sql.DB {
	t.Helper()
	connector, err := parquetsql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// answerOf is what the catalog would answer.
func answerOf(s http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// TestFaults: what may pass is repeated, whatever it is.
func TestFaults(t *testing.T) {
	s, moved := filled(t)
	inner, _ := filled(t)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	var mu sync.Mutex
	s.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		kind, cut := random.IntN(10), random.IntN(2000)
		mu.Unlock()
		switch kind {
		case 0:
			w.WriteHeader([]int{500, 502, 503, 504, 429, 408}[cut%6])
		case 1:
			w.Header().Set("Retry-After", "0")
			http.Error(w, "<html>busy</html>", http.StatusServiceUnavailable)
		case 2: // a body that ends too early
			body := answerOf(inner, r).Body.Bytes()
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			_, _ = w.Write(body[:min(cut, len(body)-1)])
		case 3: // no answer
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				c.Close()
			}
		default:
			return false
		}
		return true
	}
	db := serve(t, s, moved)
	want, err := rowsOf(serveQuietly(t, inner, moved), "SELECT * FROM db."+renamed)
	if err != nil {
		t.Fatal(err)
	}
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	for range rounds {
		if got, err := rowsOf(db, "SELECT * FROM db."+renamed); err != nil || !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, %v", seed, got, err)
		}
	}
}

func serveQuietly(t *testing.T, s http.Handler, more ...string) *sql.DB {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return open(t, append(more, "endpoint="+server.URL)...)
}

// TestErrors: an error says which table and which catalog, and what would help.
func TestErrors(t *testing.T) {
	s, moved := filled(t)
	var answer atomic.Pointer[func(w http.ResponseWriter)]
	s.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		f := answer.Load()
		if f == nil || !strings.Contains(r.URL.Path, "/tables/") {
			return false
		}
		(*f)(w)
		return true
	}
	db := serve(t, s, moved)
	status := func(code int, kind, message string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.WriteHeader(code)
			fmt.Fprintf(w, `{"error":{"type":%q,"message":%q,"code":%d}}`, kind, message, code)
		}
	}
	text := func(body string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { fmt.Fprint(w, body) }
	}
	for _, c := range []struct {
		answer func(http.ResponseWriter)
		want   string
	}{
		{status(401, "NotAuthorizedException", "who are you"), "NotAuthorizedException: who are you"},
		{status(403, "ForbiddenException", "no"), "the options token, credential and scope"},
		{status(400, "BadRequestException", "odd"), "BadRequestException: odd"},
		{status(409, "X", "conflict"), "409 Conflict: X: conflict"},
		{status(406, "UnsupportedOperationException", strings.Repeat("long ", 1000)), "406"},
		{text("<html>"), "something else"},
		{text(""), "something else"},
		{text("null"), "neither metadata nor metadata-location"},
		{text("[]"), "something else"},
		{text(`{"metadata":{}}`), "format-version"},
		{text(`{"metadata":{"view-uuid":"a","format-version":1}}`), "views of Iceberg"},
		{text(`{"metadata":null,"metadata-location":null}`), "neither"},
		{text(`{"metadata":{"format-version":2},"config":{"scan-planning-mode":"server"}}`), "plan scans itself"},
		{text(`{"metadata":null,"metadata-location":"/etc/passwd"}`), "not read from this machine"},
		{text(`{"metadata":null,"metadata-location":"file:///etc/passwd"}`), "not read from this machine"},
		{text(`{"metadata":null,"metadata-location":"../../etc/passwd"}`), "it is no address"},
		{text(`{"metadata":null,"metadata-location":"gs://bucket/a.json"}`), "store/gcs"},
		{text(`{"metadata":null,"metadata-location":"http://169.254.169.254/latest"}`), "store/http"},
		{text(`{"metadata":null,"metadata-location":"nope://x/a"}`), "no scheme"},
	} {
		answer.Store(&c.answer)
		_, err := rowsOf(db, "SELECT * FROM db."+renamed)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "db."+renamed) || len(err.Error()) > 1500 {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	answer.Store(nil)
	if _, err := rowsOf(db, "SELECT * FROM db."+renamed); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestTraversal: paths of metadata lead nowhere but below what location_map says.
func TestTraversal(t *testing.T) {
	s, moved := filled(t)
	found, err := testcatalog.Folders(testdata + "/icebird/test/files/hyperparam-iceberg/spark")
	if err != nil || len(found) != 1 {
		t.Fatal(err)
	}
	f := found[0]
	for i, place := range []string{"/../../../../../../../../../../etc/passwd", "/a/../../rename_column/../../x", "/./../x"} {
		text := bytes.ReplaceAll(f.Metadata, []byte(f.Location+"/metadata"), []byte(f.Location+place))
		s.Add(&testcatalog.Table{Namespace: []string{"bad"}, Name: fmt.Sprint("t", i), Metadata: text})
	}
	s.Add(&testcatalog.Table{Namespace: []string{"bad"}, Name: "s3", Metadata: bytes.ReplaceAll(f.Metadata, []byte(f.Location+"/metadata"), []byte("s3://b/../../x"))})
	db := serve(t, s, moved)
	for _, name := range []string{"t0", "t1", "t2", "s3"} {
		if _, err := rowsOf(db, "SELECT * FROM bad."+name); err == nil || !strings.Contains(err.Error(), "bad."+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSizes: an answer takes no more than a part of the memory of a query.
func TestSizes(t *testing.T) {
	s, moved := filled(t)
	s.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/tables") {
			return false
		}
		block := bytes.Repeat([]byte(" "), 1<<20)
		for range 4096 {
			if _, err := w.Write(block); err != nil {
				return true
			}
		}
		return true
	}
	db := serve(t, s, moved, "memory_limit=8MiB")
	for _, query := range []string{"SELECT * FROM db." + renamed, "SHOW TABLES"} {
		if _, err := rowsOf(db, query); err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestBombs: metadata that become much more in memory than they are as a text are an error of the
// memory limit.
func TestBombs(t *testing.T) {
	s, moved := filled(t)
	found, err := testcatalog.Folders(testdata + "/icebird/test/files/hyperparam-iceberg/spark")
	if err != nil || len(found) != 1 {
		t.Fatal(err)
	}
	many := `"snapshots":[` + strings.Repeat("{},", 1<<18) + `{}],"x":`
	text := bytes.Replace(found[0].Metadata, []byte(`"snapshots"`), []byte(many+`"y","z"`), 1)
	s.Add(&testcatalog.Table{Namespace: []string{"bad"}, Name: "t", Metadata: text})
	db := serve(t, s, moved, "memory_limit=8MiB")
	before := leaktest.Allocated()
	_, err = rowsOf(db, "SELECT * FROM bad.t")
	if err == nil {
		t.Error("it has rows")
	}
	if n := leaktest.Allocated() - before; n > 64<<20 {
		t.Errorf("%d MiB were allocated for %d KiB of metadata: %v", n>>20, len(text)>>10, err)
	}
}

// TestFlatCatalog: a catalog that knows no schemas within others refuses to list them, each in its way.
func TestFlatCatalog(t *testing.T) {
	for _, status := range []int{400, 404, 406, 501} {
		s, moved := filled(t)
		s.Fault = func(w http.ResponseWriter, r *http.Request) bool {
			if !r.URL.Query().Has("parent") {
				return false
			}
			w.WriteHeader(status)
			fmt.Fprint(w, `{"error":{"message":"no nested namespaces","type":"BadRequestException","code":400}}`)
			return true
		}
		names, err := rowsOf(serve(t, s, moved), "SHOW TABLES")
		if err != nil || !slices.Contains(names, "db."+renamed) {
			t.Errorf("%d: %q, %v", status, names, err)
		}
	}
}

// TestSlow: the context of a query ends its requests, also those that wait for others.
func TestSlow(t *testing.T) {
	s, moved := filled(t)
	s.Client = client
	hold := make(chan struct{})
	var path atomic.Pointer[string]
	s.Fault = func(_ http.ResponseWriter, r *http.Request) bool {
		if p := path.Load(); p != nil && strings.Contains(r.URL.Path, *p) {
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}
		return false
	}
	for _, p := range []string{"oauth", "config", "/tables/"} {
		path.Store(&p)
		db := serveQuietly(t, s, moved, "credential="+client)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
				defer cancel()
				rows, err := db.QueryContext(ctx, "SELECT * FROM db."+renamed)
				if err == nil {
					rows.Close()
				}
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s: %v", p, err)
				}
			})
		}
		wg.Wait()
	}
	close(hold)
}
