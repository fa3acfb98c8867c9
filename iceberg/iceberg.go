// Package iceberg reads the tables of REST catalogs of Apache Iceberg. Its import registers the
// scheme iceberg:
//
//	import _ "github.com/parquetsql/parquetsql/iceberg"
//
//	sql.Open("parquet", "iceberg://host/warehouse?credential=id:secret")
//
// The modules of the stores that have the files are imported besides. The specification is
// open-api/rest-catalog-open-api.yaml of apache/iceberg.
//
//	config.go   what the server says of itself; the properties of catalog and user together
//	client.go   a request: who asks, what is repeated, what an error says
//	auth.go     tokens, and what asks for them
//	tables.go   tables, views and schemas
//	grant.go    how the files of a table may be read, and for how long
//	names.go    names in addresses
//
// Package sigv4 beside it signs requests as the services of Amazon want them.
package iceberg

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/parquetsql/parquetsql/storage"
)

func init() { storage.Register("iceberg", Scheme(nil)) }

// Signer puts into a request what says who asks. It may be called by several goroutines. With it,
// tokens are not asked for.
type Signer func(*http.Request) error

// Scheme is what is registered for iceberg://. A program that has a way of its own to sign requests
// puts a Scheme with a Signer into Config.Stores.
func Scheme(sign Signer) storage.Scheme {
	return storage.Scheme{Options: options, Secrets: secrets, Open: func(a storage.Address, o map[string]string) (storage.Root, error) {
		c, err := open(a, o, sign)
		if err != nil {
			return storage.Root{}, err
		}
		return storage.Root{Tables: c}, nil
	}}
}

var options = map[string]string{
	"endpoint":          "the address of the catalog, with its path, where that is not `https://host`: `http://127.0.0.1:8181/api/catalog`",
	"token":             "the token that is sent with each request",
	"credential":        "`id:secret` of a client of OAuth2, which asks for tokens",
	"scope":             "what the tokens are for, `catalog` by default",
	"oauth2_server_uri": "where tokens are asked for; by default `v1/oauth/tokens` of the catalog",
	"audience":          "the audience that tokens are asked for",
	"resource":          "the resource that tokens are asked for",
	"prefix":            "what stands behind `/v1/` in addresses, where the catalog does not say it",
	"snapshots":         "`refs` leaves out snapshots that no branch and no tag names, where tables have very many; `all` by default",
	"vended":            "`off` asks for no credentials of the files: those are found as without a catalog",
	"sigv4":             "`true` signs requests as Amazon wants them; needs the import of `…/iceberg/sigv4`",
	"signing_region":    "the region in such signatures",
	"signing_name":      "the service in such signatures, `execute-api` by default; `glue`, `s3tables`",
	"s3.":               "properties of Iceberg for the files, `s3.endpoint`, `s3.region`; what the catalog says takes precedence",
	"gcs.":              "likewise for Google Cloud Storage",
	"adls.":             "likewise for Azure",
	"client.":           "likewise, `client.region`",
	"header.":           "a header of each request, `header.X-Tenant=a`",
}

var secrets = []string{"token", "credential", "s3.secret-access-key", "s3.session-token", "gcs.oauth2.", "adls.", "header."}

func open(a storage.Address, o map[string]string, sign Signer) (*catalog, error) {
	if a.Authority == "" {
		return nil, errors.New("the address has no host: iceberg://host/warehouse")
	}
	base := strings.TrimRight(cmp.Or(o["endpoint"], "https://"+a.Authority), "/")
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("option endpoint: it is no address such as https://host/path") // it may contain a password
	}
	for name, values := range map[string][]string{"snapshots": {"all", "refs"}, "vended": {"on", "off"}, "sigv4": {"true", "false"}} {
		if v := o[name]; v != "" && v != values[0] && v != values[1] {
			return nil, fmt.Errorf("option %s: %q is neither %s nor %s", name, v, values[0], values[1])
		}
	}
	if sign == nil && o["sigv4"] == "true" {
		if sign, err = signerOf(o); err != nil {
			return nil, err
		}
	}
	c := &catalog{
		name: a.String(), base: base, origin: u, warehouse: a.Path, options: o, web: newWeb(),
		asked: make(chan struct{}, 1), accesses: map[string]*access{},
	}
	if c.auth, err = newAuth(c, sign); err != nil {
		return nil, err
	}
	return c, nil
}

// NewSigner makes the Signer of the option sigv4. Package sigv4 sets it when it is imported.
type NewSigner func(options map[string]string) (Signer, error)

var signer NewSigner

// RegisterSigner is called by the init function of package sigv4.
func RegisterSigner(n NewSigner) { signer = n }

func signerOf(o map[string]string) (Signer, error) {
	if signer == nil {
		return nil, errors.New(`option sigv4: it needs a package that is not imported: import _ "github.com/parquetsql/parquetsql/iceberg/sigv4"`)
	}
	return signer(o)
}
