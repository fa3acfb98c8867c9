package iceberg_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/iceberg"
	"github.com/parquetsql/parquetsql/storage"
)

const client = "me:hush-hush"

// TestTokens: tokens are asked for once, replaced before they end, and again where they are refused.
func TestTokens(t *testing.T) {
	s, moved := filled(t)
	s.Client, s.TokenLife = client, 2*time.Second
	db := serve(t, s, moved, "credential="+client)
	asked := func() (n int) {
		for _, r := range s.Requests() {
			if r == "POST /v1/oauth/tokens" {
				n++
			}
		}
		return n
	}
	query := func() {
		t.Helper()
		if _, err := rowsOf(db, "SELECT COUNT(*) FROM db."+renamed); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(query)
	}
	wg.Wait()
	if n := asked(); n != 1 {
		t.Errorf("%d tokens for queries at the same time", n)
	}
	s.ForgetTokens() // refused before its time
	query()
	if n := asked(); n != 1 {
		t.Errorf("%d tokens after one was refused", n)
	}
	time.Sleep(2100 * time.Millisecond)
	query()
	if n, refused := asked(), 0; n != 1 || refused != 0 {
		t.Errorf("%d tokens after one has ended", n)
	}
}

// TestTokenWithoutEnd: a token of which nobody says when it ends is used until it is refused, by 401
// or by 419.
func TestTokenWithoutEnd(t *testing.T) {
	s, moved := filled(t)
	s.Client = client
	var timeouts atomic.Int32
	s.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/tables/") && timeouts.Add(-1) >= 0 {
			w.WriteHeader(419)
			fmt.Fprint(w, `{"error":{"message":"Credentials have timed out","type":"AuthenticationTimeoutException","code":419}}`)
			return true
		}
		return false
	}
	db := serve(t, s, moved, "credential="+client)
	timeouts.Store(1)
	if _, err := rowsOf(db, "SELECT COUNT(*) FROM db."+renamed); err != nil {
		t.Fatal(err)
	}
	timeouts.Store(1 << 20)
	if _, err := rowsOf(db, "SELECT COUNT(*) FROM db."+renamed); err == nil || !strings.Contains(err.Error(), "419") || !strings.Contains(err.Error(), "db."+renamed) {
		t.Errorf("%v", err)
	}
}

// TestSecrets: no error, no Config and no plan shows a secret.
func TestSecrets(t *testing.T) {
	s, moved := filled(t)
	s.Client, s.FixedToken = client, "fixed-token"
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	for options, want := range map[string]string{
		"credential=me:wrong-secret": "invalid_client",
		"credential=wrong-secret":    "invalid_client",
		"token=wrong-secret":         "401",
		"header.X-A=wrong-secret":    "401",
	} {
		db := open(t, options, moved, "endpoint="+server.URL)
		_, err := rowsOf(db, "SELECT * FROM db."+renamed)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "wrong-secret") || !strings.Contains(err.Error(), "iceberg://host/wh") {
			t.Errorf("%s: %v", options, err)
		}
		c, err := parquetsql.ParseDSN("iceberg://host/wh?" + options)
		if err != nil || strings.Contains(fmt.Sprintf("%v %+v %#v", c, *c, c), "wrong-secret") || !strings.Contains(c.FormatDSN(), "wrong-secret") {
			t.Errorf("%v, %v", c, err)
		}
	}
	for _, dsn := range []string{
		"iceberg://host/wh?token=wrong-secret?endpoint=http://x", "iceberg://host/wh;token=wrong-secret", "iceberg://host/wh?endpoint=http://u:wrong-secret@h",
		"iceberg://host/wh?token=wrong-secret&credential=a:wrong-secret", "iceberg://host/wh?tokn=wrong-secret", "iceberg://host/wh?credential=wrong-secret&oauth2_server_uri=ftp://wrong-secret",
	} {
		c, err := parquetsql.ParseDSN(dsn)
		if err == nil {
			_, err = parquetsql.NewConnector(c)
		}
		if err == nil || strings.Contains(err.Error(), "wrong-secret") {
			t.Errorf("%s: %v", dsn, err)
		}
	}
	db := open(t, "token=fixed-token", moved, "endpoint="+server.URL)
	plan, err := rowsOf(db, "EXPLAIN ANALYZE SELECT * FROM db."+renamed)
	if err != nil || strings.Contains(strings.Join(plan, " "), "fixed-token") {
		t.Errorf("%v, %v", plan, err)
	}
}

// TestRedirects: what says who asks is sent to no other host.
func TestRedirects(t *testing.T) {
	s, moved := filled(t)
	s.FixedToken, s.Client = "fixed-token", client
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	s.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.HasPrefix(r.URL.Path, "/moved/"):
			http.Redirect(w, r, strings.TrimPrefix(r.URL.Path, "/moved"), http.StatusTemporaryRedirect)
		case r.URL.Path == "/v1/oauth/tokens", strings.HasSuffix(r.URL.Path, "/tables/"+lineage):
			http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
		default:
			return false
		}
		return true
	}
	db := serve(t, s, moved, "token=fixed-token")
	if _, err := rowsOf(db, "SELECT * FROM db."+lineage); err == nil || !strings.Contains(err.Error(), "another host") {
		t.Errorf("%v", err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	if _, err := rowsOf(open(t, moved, "credential="+client, "endpoint="+server.URL), "SHOW TABLES"); err == nil || !strings.Contains(err.Error(), "another address") {
		t.Errorf("%v", err)
	}
	if n := elsewhere.Load(); n > 0 {
		t.Errorf("the other host was asked %d times", n)
	}
	if got, err := rowsOf(open(t, moved, "token=fixed-token", "endpoint="+server.URL+"/moved"), "SELECT COUNT(*) FROM db."+renamed); err != nil || len(got) != 1 {
		t.Errorf("on the same host: %v, %v", got, err)
	}
}

// TestSigner: a program signs in its own way.
func TestSigner(t *testing.T) {
	s, moved := filled(t)
	s.FixedToken = "fixed-token"
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	dsn := "iceberg://host/wh?" + moved + "&endpoint=" + server.URL
	for want, sign := range map[string]iceberg.Signer{
		"":     func(r *http.Request) error { r.Header.Set("Authorization", "Bearer fixed-token"); return nil },
		"vain": func(*http.Request) error { return fmt.Errorf("in vain") },
	} {
		c, err := parquetsql.ParseDSN(dsn)
		if err != nil {
			t.Fatal(err)
		}
		c.Stores = map[string]storage.Scheme{"iceberg": iceberg.Scheme(sign)}
		db := openConfig(t, c)
		if _, err = rowsOf(db, "SELECT COUNT(*) FROM db."+renamed); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	if _, err := parquetsql.ParseDSN("iceberg://host/wh?sigv4=maybe"); err != nil {
		t.Error(err) // the connector checks it
	}
}
