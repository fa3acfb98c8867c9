package gcs_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"database/sql"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	_ "github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/storetest"
	_ "github.com/parquetsql/parquetsql/store/gcs"
)

const testdata = "../../testdata"

func put(s *fakestorage.Server, name string, data []byte) {
	s.CreateObject(fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "bucket", Name: name}, Content: data})
}

// fake starts fake-gcs-server.
func fake(t *testing.T) (*fakestorage.Server, string) {
	t.Helper()
	s, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	s.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "bucket"})
	server := httptest.NewServer(s.HTTPHandler())
	t.Cleanup(server.Close)
	return s, server.URL
}

// TestScripts: all scripts over fake-gcs-server.
func TestScripts(t *testing.T) {
	s, url := fake(t)
	for name, data := range storetest.Files(t, testdata) {
		put(s, "data/"+name, data)
	}
	storetest.Scripts(t, testdata, storetest.Open(t, "gs://bucket/data?anonymous=true&endpoint="+url), 20)
	storetest.Delta(t, testdata, storetest.Open(t, "gs://bucket/data/_delta?anonymous=true&endpoint="+url))
}

// TestKeys: names are taken as they are.
func TestKeys(t *testing.T) {
	s, url := fake(t)
	data := storetest.Files(t, testdata)["penguins.parquet"]
	for _, key := range storetest.KeyNames {
		put(s, "p/"+key, data)
	}
	t.Setenv("STORAGE_EMULATOR_HOST", url)
	storetest.Keys(t, func(rest string) *sql.DB { return storetest.Open(t, "gs://bucket/p"+rest) }, "gs://bucket/p")
}

// TestToken: the token of a service account is asked for and sent; one that is not taken any more
// is asked for anew, once.
func TestToken(t *testing.T) {
	leaktest.Check(t)
	s, _ := fake(t)
	put(s, "a.parquet", storetest.Files(t, testdata)["penguins.parquet"])
	var mu sync.Mutex
	issued, good := 0, 1
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/token" {
			issued++
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"access_token":"secret%d","token_type":"Bearer","expires_in":3600}`, issued)
			return
		}
		if r.Header.Get("Authorization") != fmt.Sprintf("Bearer secret%d", good) {
			http.Error(w, `{"error":{"code":401}}`, http.StatusUnauthorized)
			return
		}
		s.HTTPHandler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", account(t, server.URL+"/token"))
	db := storetest.Open(t, "gs://bucket/a.parquet?endpoint="+server.URL)
	ask := func() error { _, err := storetest.Rows(db, "SELECT COUNT(*) FROM a"); return err }
	if err := ask(); err != nil || issued != 1 {
		t.Errorf("%v, %d tokens", err, issued)
	}
	good = 2
	if err := ask(); err != nil || issued != 2 {
		t.Errorf("%v, %d tokens", err, issued)
	}
	good = 10
	if err := ask(); err == nil || !strings.Contains(err.Error(), "gs://bucket/a.parquet: 401") || strings.Contains(err.Error(), "secret") || issued != 3 {
		t.Errorf("%v, %d tokens", err, issued)
	}
}

// account writes the file of a service account.
func account(t *testing.T, tokenURL string) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "me@example.com", "token_uri": tokenURL, "private_key_id": "1",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "account.json")
	if err := os.WriteFile(path, doc, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRefusals: errors name the object and say what to do.
func TestRefusals(t *testing.T) {
	_, url := fake(t)
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "none.json"))
	for dsn, want := range map[string]string{
		"gs://bucket/a.parquet?anonymous=true&endpoint=":  "gs://bucket/a.parquet: 404",
		"gs://none/a.parquet?anonymous=true&endpoint=":    "404",
		"gs://bucket/a.parquet?anonymous=maybe&endpoint=": "option anonymous",
		"gs://bucket/a.parquet?endpoint=":                 "no credentials were found",
	} {
		db, err := sql.Open("parquet", dsn+url)
		if err == nil {
			_, err = storetest.Rows(db, "SELECT * FROM a")
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", dsn, err, want)
		}
	}
}

// TestFaults: random faults of the service and the network.
func TestFaults(t *testing.T) {
	s, _ := fake(t)
	leaktest.Check(t)
	first, second := storetest.Versions(t, testdata)
	faults := &storetest.Faults{Server: s.HTTPHandler(), Expired: func(w http.ResponseWriter) { http.Error(w, "", http.StatusUnauthorized) }}
	faults.Replace = storetest.InTurn(func(data []byte) { put(s, "t.parquet", data) }, first, second)
	faults.Replace()
	front := httptest.NewServer(faults)
	t.Cleanup(front.Close)
	runs := storetest.Runs{Faults: faults, Query: storetest.VersionsQuery, Objects: []string{"t.parquet", "gs://bucket/"}, Count: 1000}
	runs.Open = func() (*sql.DB, error) { return sql.Open("parquet", "gs://bucket?anonymous=true&endpoint="+front.URL) }
	if testing.Short() {
		runs.Count = 100
	}
	want := storetest.VersionRows(t, first, second)
	runs.Run(t, want[0], want[1])
}

// TestWrites: objects are written and removed.
func TestWrites(t *testing.T) {
	_, url := fake(t)
	storetest.Writes(t, "gs://bucket/written", map[string]string{"anonymous": "true", "endpoint": url})
}
