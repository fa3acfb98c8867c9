package sigv4_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	_ "github.com/parquetsql/parquetsql/iceberg"
	"github.com/parquetsql/parquetsql/iceberg/internal/testcatalog"
	_ "github.com/parquetsql/parquetsql/iceberg/sigv4"
)

// signature works out what the signature of a request is ("Signature Version 4", in the reference of
// AWS IAM), from the headers that it says it has signed.
func signature(r *http.Request, secret, region, service string) string {
	signed := strings.Split(between(r.Header.Get("Authorization"), "SignedHeaders=", ","), ";")
	var headers strings.Builder
	for _, name := range signed {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	var path []string // each part is encoded once more
	for part := range strings.SplitSeq(r.URL.EscapedPath(), "/") {
		path = append(path, strings.ReplaceAll(url.QueryEscape(part), "+", "%20"))
	}
	query := strings.Split(r.URL.RawQuery, "&")
	slices.Sort(query)
	empty := sha256.Sum256(nil)
	canonical := strings.Join([]string{r.Method, strings.Join(path, "/"), strings.Join(query, "&"), headers.String(), strings.Join(signed, ";"), hex.EncodeToString(empty[:])}, "\n")
	sum := sha256.Sum256([]byte(canonical))
	date := r.Header.Get("X-Amz-Date")
	scope := date[:8] + "/" + region + "/" + service + "/aws4_request"
	key := []byte("AWS4" + secret)
	for _, part := range append(strings.Split(scope, "/"), "AWS4-HMAC-SHA256\n"+date+"\n"+scope+"\n"+hex.EncodeToString(sum[:])) {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(part))
		key = h.Sum(nil)
	}
	return hex.EncodeToString(key)
}

func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	out, _, _ := strings.Cut(rest, to)
	return out
}

// TestSigned: each request has the signature that it has to have, and no token.
func TestSigned(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "secretsecret", "AWS_SESSION_TOKEN": "session", "AWS_PROFILE": "", "AWS_REGION": "",
		"AWS_CONFIG_FILE": t.TempDir() + "/none", "AWS_SHARED_CREDENTIALS_FILE": t.TempDir() + "/none", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	s := &testcatalog.Server{Prefix: "catalogs/arn%3Aaws%3Aa%2Fb"}
	s.Add(&testcatalog.Table{Namespace: []string{"a b", "ü"}, Name: "t"})
	seen := 0
	s.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		seen++
		want := signature(r, "secretsecret", "eu-west-1", "glue")
		got := r.Header.Get("Authorization")
		if !strings.HasPrefix(got, "AWS4-HMAC-SHA256 Credential=AKIATEST/") || !strings.HasSuffix(got, "Signature="+want) || r.Header.Get("X-Amz-Security-Token") != "session" {
			t.Errorf("%s %s: %s, want the signature %s", r.Method, r.URL, got, want)
		}
		return false
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	db, err := sql.Open("parquet", "iceberg://host/a/b c?sigv4=true&signing_region=eu-west-1&signing_name=glue&endpoint="+server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	rows, err := db.Query("SHOW TABLES")
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Next() || rows.Close() != nil {
		t.Error("no table is listed")
	}
	if seen < 4 {
		t.Errorf("%d requests", seen)
	}
	db2, err := sql.Open("parquet", "iceberg://host/wh?sigv4=true&endpoint="+server.URL)
	if err == nil {
		err = db2.Ping()
		db2.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "signing_region") {
		t.Errorf("without a region: %v", err)
	}
}
