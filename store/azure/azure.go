// Package azure reads Parquet files in containers of Azure Blob Storage and Data Lake Storage. Its
// import registers the schemes az, abfs and abfss:
//
//	import _ "github.com/parquetsql/parquetsql/store/azure"
//
//	sql.Open("parquet", "az://account/container/prefix")
//	sql.Open("parquet", "abfss://container@account.dfs.core.windows.net/prefix")
//
// Credentials are those that the tools of Azure find: see credentials.go. The version of a blob is
// its ETag. Blobs are read through the Blob service, also those of a Data Lake.
package azure

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

func init() {
	s := storage.Scheme{Options: map[string]string{
		"endpoint":  "the address of the account at another service with this API, `http://127.0.0.1:10000/account`",
		"anonymous": "`true` sends no credentials, for public containers",
	}, Open: open, Granted: granted}
	for _, name := range []string{"az", "abfs", "abfss"} {
		storage.Register(name, s)
	}
}

// place is where an address points.
type place struct {
	account, container, name string
	host                     string // of the account's blobs
}

const publicCloud = "blob.core.windows.net"

// placeOf reads az://account/container/name and abfss://container@account.dfs.SUFFIX/name.
func placeOf(a storage.Address) (p place, err error) {
	if a.Scheme == "az" {
		p.account = a.Authority
		p.container, p.name, _ = strings.Cut(a.Path, "/")
		p.host = p.account + "." + publicCloud
	} else {
		var host string
		p.container, host, _ = strings.Cut(a.Authority, "@")
		p.name = a.Path
		p.host = strings.Replace(host, ".dfs.", ".blob.", 1)
		p.account, _, _ = strings.Cut(host, ".")
	}
	if p.account == "" || p.container == "" {
		return p, errors.New("an address is az://account/container/prefix or abfss://container@account.dfs.core.windows.net/prefix")
	}
	return p, nil
}

func open(a storage.Address, options map[string]string) (storage.Root, error) {
	p, err := placeOf(a)
	if err != nil {
		return storage.Root{}, err
	}
	anonymous := false
	if text := options["anonymous"]; text != "" {
		if anonymous, err = strconv.ParseBool(text); err != nil {
			return storage.Root{}, fmt.Errorf("option anonymous: %q is neither true nor false", text)
		}
	}
	web := webOf()
	client, err := connect(p, p.address(options)+"/"+p.container, anonymous, web)
	if err != nil {
		return storage.Root{}, err
	}
	b := &blobs{place: p, client: client, web: web}
	return storage.Root{Store: remote.New(b, storage.Remote), Name: p.name}, nil
}

// webOf is a client that follows no redirections.
func webOf() *http.Client {
	web := remote.Client()
	web.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return web
}

// address is that of the account.
func (p place) address(options map[string]string) string {
	if e := options["endpoint"]; e != "" {
		return strings.TrimSuffix(e, "/")
	}
	return "https://" + p.host
}

// clientOptions leave repeats to package remote, which counts them.
func clientOptions(web *http.Client) azcore.ClientOptions {
	return azcore.ClientOptions{Transport: web, Retry: policy.RetryOptions{MaxRetries: -1}, Telemetry: policy.TelemetryOptions{Disabled: true}}
}

// blobs is a remote.Service of a container.
type blobs struct {
	place
	client *container.Client
	web    *http.Client
}

// Address implements remote.Service.
func (b *blobs) Address(name string) string {
	return "az://" + b.account + "/" + b.container + "/" + name
}

// Close lets go of idle connections.
func (b *blobs) Close() error {
	b.web.CloseIdleConnections()
	return nil
}
