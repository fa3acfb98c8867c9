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
	keysOf := []string{"s3.access-key-id", "s3.secret-access-key", "s3.session-token"}
	var asked, signed, others, ofUser atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if strings.Contains(r.Header.Get("Authorization"), "OPTION") || r.Header.Get("X-Amz-Security-Token") != "" {
			ofUser.Add(1)
		}
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
	keys := map[string]string{"s3.endpoint": server.URL, "s3.region": "us-east-1", "s3.access-key-id": "OPTION", "s3.secret-access-key": "x", "s3.session-token": "y"}
	for _, own := range keysOf {
		asked.Store(0)
		_, err := storetest.ReadGranted(t, "s3://bucket/a/b.parquet", storetest.NewGrant(keys).ByUser(own))
		if err == nil || !strings.Contains(err.Error(), "set the option s3.endpoint") || asked.Load() == 0 || signed.Load()+others.Load() != 0 {
			t.Errorf("%s of the user: %v, %d requests, %d of them signed", own, err, asked.Load(), signed.Load()+others.Load())
		}
	}
	// The catalog's keys are sent; when it has none any more, those of the user are not.
	vended := map[string]string{"s3.endpoint": server.URL, "s3.region": "us-east-1", "s3.access-key-id": "VENDED", "s3.secret-access-key": "x"}
	g := storetest.NewGrant(vended, keys).ByUser("s3.session-token")
	if _, err := storetest.ReadGranted(t, "s3://bucket/a/b.parquet", g); err == nil || !strings.Contains(err.Error(), "set the option s3.endpoint") || g.Times() == 0 || others.Load() == 0 || ofUser.Load() != 0 {
		t.Errorf("no longer vended: %v, refused %d times, %d requests with the catalog's keys, %d with the user's", err, g.Times(), others.Load(), ofUser.Load())
	}
	others.Store(0)
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
