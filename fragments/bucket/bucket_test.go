package bucket_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/bucket"
	"github.com/parquetsql/parquetsql/fragments/fragmentstest"
	"github.com/parquetsql/parquetsql/fragments/internal/killed"
	"github.com/parquetsql/parquetsql/internal/storetest"
	_ "github.com/parquetsql/parquetsql/store/s3"
)

func open(location string) (fragments.Store, error) { return bucket.Open(location) }

func TestMain(m *testing.M) {
	fragmentstest.Main(open)
	os.Exit(m.Run())
}

// gateway starts versitygw, a server of S3 over a folder: a bucket is a folder in it.
func gateway(t *testing.T) (endpoint string) {
	t.Helper()
	program := storetest.Program(t, "versitygw", "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "secretsecretsecret", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_REGION": "us-east-1",
		"AWS_CONFIG_FILE": t.TempDir() + "/none", "AWS_SHARED_CREDENTIALS_FILE": t.TempDir() + "/none", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "bucket"), 0o755); err != nil {
		t.Fatal(err)
	}
	address := "127.0.0.1:" + storetest.FreePort(t)
	storetest.Start(t, address, nil, program, "--quiet", "--keep-alive", "--port", address, "--access", "AKIATEST", "--secret", "secretsecretsecret", "posix", "--sidecar", t.TempDir(), root)
	return "http://" + address
}

func opened(t *testing.T, location string) *bucket.Bucket {
	t.Helper()
	b, err := bucket.Open(location)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// TestKilledWorkers is about a bucket.
func TestKilledWorkers(t *testing.T) {
	killed.Workers(t, "s3://bucket/an/exchange?endpoint="+gateway(t), open)
}

// TestStore: the first of a name is the only one, whoever else tries; files of several parts are read wherever a
// range begins; what is removed is gone.
func TestStore(t *testing.T) {
	b := opened(t, "s3://bucket/exchange?endpoint="+gateway(t))
	ctx := t.Context()
	if _, err := b.ReadAll(ctx, "a/manifest"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	var won atomic.Int64
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			switch err := b.CreateNew(ctx, "a/manifest", fmt.Append(nil, i)); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	if wg.Wait(); won.Load() != 1 {
		t.Errorf("%d have created it", won.Load())
	}
	data := make([]byte, 20<<20)
	rng := rand.NewChaCha8([32]byte{1})
	_, _ = rng.Read(data) // it has no errors
	w, err := b.Create(ctx, "a/rows-1")
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < len(data); from += 3 << 20 {
		if _, err := w.Write(data[from:min(from+3<<20, len(data))]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.Abort() // does nothing
	for _, at := range [][2]int64{{0, 10}, {8<<20 - 5, 10}, {8 << 20, 1}, {1, 19 << 20}, {20<<20 - 7, 7}, {5, 0}} {
		got, err := b.ReadRange(ctx, "a/rows-1", at[0], at[1])
		if err != nil || !bytes.Equal(got, data[at[0]:at[0]+at[1]]) {
			t.Errorf("%d bytes at %d: %d, %v", at[1], at[0], len(got), err)
		}
	}
	for _, at := range [][2]int64{{20<<20 - 7, 8}, {-1, 1}, {0, -1}, {1 << 40, 1}, {0, 1 << 60}} {
		if _, err := b.ReadRange(ctx, "a/rows-1", at[0], at[1]); err == nil {
			t.Errorf("%d bytes at %d are no error", at[1], at[0])
		}
	}
	names, err := b.List(ctx, "a/")
	if err != nil || strings.Join(names, " ") != "a/manifest a/rows-1.0 a/rows-1.1 a/rows-1.2" {
		t.Errorf("%q, %v", names, err)
	}
	if err := errors.Join(b.Remove(ctx, "a/rows-1"), b.Remove(ctx, "a/rows-1"), b.Remove(ctx, "a/manifest")); err != nil {
		t.Error(err)
	}
	w, err = b.Create(ctx, "a/rows-2")
	if err == nil {
		_, err = w.Write(data[:9<<20])
	}
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if names, err := b.List(ctx, ""); len(names) > 0 || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

// lossy is a server between, which sends no answer to the first PUT of a manifest that has succeeded.
type lossy struct {
	*httputil.ReverseProxy
	lost atomic.Int64
}

func (l *lossy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/manifest") && l.lost.Add(1) == 1 {
		l.ReverseProxy.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	}
	l.ReverseProxy.ServeHTTP(w, r)
}

// TestLostAnswer: an attempt whose manifest was written, and who was not told so, counts, and its rows stay.
func TestLostAnswer(t *testing.T) {
	to, err := url.Parse(gateway(t))
	if err != nil {
		t.Fatal(err)
	}
	between := &lossy{ReverseProxy: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // it is signed
	}}}
	server := httptest.NewServer(between)
	defer server.Close()
	b := opened(t, "s3://bucket?endpoint="+server.URL)
	dir := killed.Tables(t, 1)
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: dir, SQL: "SELECT id FROM sales", StageOptions: parquetsql.StageOptions{SplitBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	var w fragments.Worker
	if err := plan.Do(t.Context(), 1, 1, func(ctx context.Context, f *fragments.Fragment) error { return w.Run(ctx, f, b) }); err != nil {
		t.Fatal(err)
	}
	rows, err := plan.Rows(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rows.Next() {
		n++
	}
	if err := errors.Join(rows.Err(), rows.Close()); n != 2100 || err != nil || between.lost.Load() < 2 {
		t.Errorf("%d rows, %v, %d manifests were written", n, err, between.lost.Load())
	}
	if err := fragments.Clean(t.Context(), b, plan.ID); err != nil {
		t.Error(err)
	}
	if names, err := b.List(t.Context(), ""); len(names) > 0 || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

// TestConnector: tables in a bucket, and the exchange in it too.
func TestConnector(t *testing.T) {
	endpoint := gateway(t)
	b := opened(t, "s3://bucket/exchange?endpoint="+endpoint)
	put := opened(t, "s3://bucket/tables?endpoint="+endpoint)
	dir := killed.Tables(t, 1)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return put.CreateNew(t.Context(), filepath.ToSlash(name), data)
	})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(&fragments.Connector{DSN: "s3://bucket/tables?endpoint=" + endpoint, Store: b, Parallel: 2, Options: parquetsql.StageOptions{SplitBytes: 1, Partitions: 2}})
	defer db.Close()
	var groups, all int
	if err := db.QueryRow("SELECT COUNT(*), SUM(n) FROM (SELECT product, COUNT(*) AS n FROM sales GROUP BY product)").Scan(&groups, &all); err != nil || groups != 41 || all != 2100 {
		t.Errorf("%d groups of %d rows, %v", groups, all, err)
	}
	if names, err := b.List(t.Context(), ""); len(names) > 0 || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

// TestLocations are those that are none.
func TestLocations(t *testing.T) {
	for location, want := range map[string]string{
		"/tmp/exchange":         "fragments.Dir",
		"gs://bucket/a":         "store/gcs",
		"s3:///a":               "no bucket",
		"s3://bucket/a?foo=bar": "foo",
		"s3://bucket//":         "empty",
		"s3://bucket//a":        "empty",
		"s3://bucket/a//b":      "empty",
		"s3://bucket/a//":       "empty",
		"s3://bucket/.":         "empty",
		"s3://bucket/./a":       "empty",
		"s3://bucket/a/./b":     "empty",
		"s3://bucket/a/../b":    "empty",
		"s3://bucket/a/..":      "empty",
	} {
		if _, err := bucket.Open(location); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", location, err, want)
		}
	}
	for _, location := range []string{"s3://bucket", "s3://bucket/", "s3://bucket/a/", "s3://bucket/_a/.b/...", "s3://bucket/a b/ü/k=v"} {
		opened(t, location+"?region=us-east-1")
	}
}
