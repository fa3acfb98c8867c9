package azure_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"

	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/storetest"
	"github.com/parquetsql/parquetsql/storage"
)

// TestGranted: a file is read with the signature or the key that a catalog vends, and with the next
// signature where one is refused.
func TestGranted(t *testing.T) {
	endpoint, c := azurite(t)
	t.Setenv("AZURE_STORAGE_KEY", "")
	data := storetest.Files(t, testdata)["penguins.parquet"]
	put(t, c, "a/b.parquet", data)
	signed := func(c *container.Client, life time.Duration) string {
		address, err := c.GetSASURL(sas.ContainerPermissions{Read: true}, time.Now().Add(life), &container.GetSASURLOptions{StartTime: ptr(time.Now().Add(-time.Hour))})
		if err != nil {
			t.Fatal(err)
		}
		_, signature, _ := strings.Cut(address, "?")
		return signature
	}
	place := map[string]string{"adls.connection-string." + account: endpoint}
	with := func(name, value string) map[string]string {
		return map[string]string{"adls.connection-string." + account: endpoint, name: value}
	}
	const address = "abfss://box@" + account + ".dfs.core.windows.net/a/b.parquet"
	good, old := signed(c, time.Hour), signed(c, -time.Minute)
	for name, g := range map[string]*storetest.Grant{
		"a signature":     storetest.NewGrant(with("adls.sas-token."+account, good)),
		"by the host":     storetest.NewGrant(with("adls.sas-token."+account+".dfs.core.windows.net", "?"+good)),
		"one that is old": storetest.NewGrant(with("adls.sas-token."+account, old), with("adls.sas-token."+account, good)),
		"a key":           storetest.NewGrant(map[string]string{"adls.connection-string." + account: endpoint, "adls.auth.shared-key.account.name": account, "adls.auth.shared-key.account.key": key}),
	} {
		if got, err := storetest.ReadGranted(t, address, g); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	for name, g := range map[string]*storetest.Grant{
		"of another account": storetest.NewGrant(with("adls.sas-token.another", good)),
		"an old one alone":   storetest.NewGrant(with("adls.sas-token."+account, old)),
		"nothing":            storetest.NewGrant(place),
	} {
		if _, err := storetest.ReadGranted(t, address, g); err == nil || strings.Contains(err.Error(), "sig=") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGrantedHost: the user's own credentials do not go to a host that a catalog names, neither as an
// endpoint nor in the address of a file, unless the user names it, too.
func TestGrantedHost(t *testing.T) {
	leaktest.Check(t)
	for _, name := range []string{"AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_SAS_TOKEN"} {
		t.Setenv(name, "")
	}
	t.Setenv("AZURE_STORAGE_KEY", key)
	var asked, signed atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Authorization") != "" || r.URL.Query().Has("sig") {
			signed.Add(1)
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(server.Close)
	const address = "abfss://box@" + account + ".dfs.core.windows.net/a/b.parquet"
	named := map[string]string{"adls.connection-string." + account: server.URL}
	if _, err := storetest.ReadGranted(t, address, storetest.NewGrant(named)); err == nil || !strings.Contains(err.Error(), "your own credentials do not go there") || asked.Load() != 0 {
		t.Errorf("%v, %d requests", err, asked.Load())
	}
	options := map[string]string{"adls.sas-token." + account: "sig=of-the-user", "adls.auth.shared-key.account.key": key}
	for name, value := range options {
		g := storetest.NewGrant(map[string]string{"adls.connection-string." + account: server.URL, "adls.auth.shared-key.account.name": account, name: value}).ByUser(name)
		if _, err := storetest.ReadGranted(t, address, g); err == nil || !strings.Contains(err.Error(), "your own credentials do not go there") || asked.Load() != 0 {
			t.Errorf("%s of the user: %v, %d requests", name, err, asked.Load())
		}
		g = storetest.NewGrant(map[string]string{"adls.auth.shared-key.account.name": account, name: value}).ByUser(name)
		if _, err := storetest.ReadGranted(t, "abfss://box@"+account+".example.com/a.parquet", g); err == nil || !strings.Contains(err.Error(), "none of Azure's") {
			t.Errorf("%s of the user: %v", name, err)
		}
	}
	if _, err := storetest.ReadGranted(t, address, storetest.NewGrant(named).ByUser()); err == nil || asked.Load() == 0 || signed.Load() != asked.Load() {
		t.Errorf("named by the user: %v, %d requests, %d of them signed", err, asked.Load(), signed.Load())
	}
	host := strings.TrimPrefix(server.URL, "http://")
	for _, address := range []string{
		"abfss://box@" + host + "/a.parquet", "abfss://box@a.dfs.example.com/a.parquet", "abfss://box@example.com?.core.windows.net/a.parquet",
		"abfss://box@example.com#.core.windows.net/a.parquet", "abfss://box@user:x@example.com/a.parquet", "abfss://box@a.core.windows.net.example.com/a.parquet",
	} {
		for _, g := range []storage.Grant{nil, storetest.NewGrant(map[string]string{})} {
			if _, err := storetest.ReadGranted(t, address, g); err == nil || !strings.Contains(err.Error(), "none of Azure's") {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }
