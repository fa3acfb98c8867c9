package s3_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/storetest"
)

// TestGrantedHost: requests to a host that a catalog names are not signed with the user's own keys,
// unless the user names it, too.
func TestGrantedHost(t *testing.T) {
	leaktest.Check(t)
	credentialsOf(t)
	t.Setenv("AWS_SESSION_TOKEN", "of-the-session")
	var asked, signed, others atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch {
		case strings.Contains(r.Header.Get("Authorization"), accessKey):
			signed.Add(1)
		case r.Header.Get("Authorization") != "" || r.Header.Get("X-Amz-Security-Token") != "":
			others.Add(1)
		}
		refuse(w, http.StatusForbidden, "AccessDenied")
	}))
	t.Cleanup(server.Close)
	place := map[string]string{"s3.endpoint": server.URL, "s3.region": "us-east-1"}
	_, err := storetest.ReadGranted(t, "s3://bucket/a/b.parquet", storetest.NewGrant(place))
	if err == nil || !strings.Contains(err.Error(), "set the option s3.endpoint") || asked.Load() == 0 || signed.Load()+others.Load() != 0 {
		t.Errorf("%v, %d requests, %d of them signed", err, asked.Load(), signed.Load()+others.Load())
	}
	asked.Store(0)
	_, err = storetest.ReadGranted(t, "s3://bucket/a/b.parquet", storetest.NewGrant(place).ByUser())
	if err == nil || asked.Load() == 0 || signed.Load() != asked.Load() {
		t.Errorf("named by the user: %v, %d requests, %d of them signed", err, asked.Load(), signed.Load())
	}
	// A region is a part of the host's name.
	for _, region := range []string{"x.example.com/", "example.com#", "@example.com"} {
		if _, err := storetest.ReadGranted(t, "s3://bucket/a/b.parquet", storetest.NewGrant(map[string]string{"s3.region": region})); err == nil || !strings.Contains(err.Error(), "region") {
			t.Errorf("%s: %v", region, err)
		}
	}
}
