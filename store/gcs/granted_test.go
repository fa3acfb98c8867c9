package gcs_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/storetest"
)

// TestGranted: a file is read with the token that a catalog vends, and with the next one where it is
// refused.
func TestGranted(t *testing.T) {
	leaktest.Check(t)
	s, _ := fake(t)
	data := storetest.Files(t, testdata)["penguins.parquet"]
	put(s, "a/b.parquet", data)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer good" || r.URL.Query().Get("userProject") != "payer" {
			http.Error(w, `{"error":{"code":401}}`, http.StatusUnauthorized)
			return
		}
		s.HTTPHandler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	vended := func(token string) map[string]string {
		return map[string]string{"gcs.oauth2.token": token, "gcs.service.host": server.URL + "/", "gcs.user-project": "payer"}
	}
	for _, g := range []*storetest.Grant{storetest.NewGrant(vended("good")), storetest.NewGrant(vended("old"), vended("good"))} {
		if got, err := storetest.ReadGranted(t, "gs://bucket/a/b.parquet", g); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
	g := storetest.NewGrant(vended("bad-token"))
	if _, err := storetest.ReadGranted(t, "gs://bucket/a/b.parquet", g); err == nil || strings.Contains(err.Error(), "bad-token") || g.Times() == 0 {
		t.Errorf("%v, refused %d times", err, g.Times())
	}
}

// TestGrantedHost: the user's own token does not go to a host that a catalog names.
func TestGrantedHost(t *testing.T) {
	leaktest.Check(t)
	asked, signed := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Header.Get("Authorization") != "" || strings.HasSuffix(r.URL.Path, "token") {
			signed++
		}
		http.Error(w, `{"error":{"code":403}}`, http.StatusForbidden)
	}))
	t.Cleanup(server.Close)
	credentials := filepath.Join(t.TempDir(), "adc.json")
	text := `{"type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c", "token_uri": "` + server.URL + `/token"}`
	if err := os.WriteFile(credentials, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", credentials)
	g := storetest.NewGrant(map[string]string{"gcs.service.host": server.URL})
	if _, err := storetest.ReadGranted(t, "gs://bucket/a/b.parquet", g); err == nil || asked == 0 || signed != 0 {
		t.Errorf("%v, %d requests, %d with credentials or for them", err, asked, signed)
	}
	both := map[string]string{"gcs.service.host": server.URL, "gcs.oauth2.token": "of-the-user"}
	asked = 0
	if _, err := storetest.ReadGranted(t, "gs://bucket/a/b.parquet", storetest.NewGrant(both).ByUser("gcs.oauth2.token")); err == nil || asked == 0 || signed != 0 {
		t.Errorf("a token in an option: %v, %d requests, %d with credentials or for them", err, asked, signed)
	}
	if _, err := storetest.ReadGranted(t, "gs://bucket/a/b.parquet", g.ByUser()); err == nil || signed == 0 {
		t.Errorf("named by the user: %v, %d requests with credentials or for them", err, signed)
	}
}
