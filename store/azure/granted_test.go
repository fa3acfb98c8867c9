package azure_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"

	"github.com/parquetsql/parquetsql/internal/storetest"
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

func ptr[T any](v T) *T { return &v }
