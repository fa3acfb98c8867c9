package gcs

import (
	"net/http"
	"strings"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

// The properties that catalogs have for Google Cloud Storage (GCPProperties of Iceberg).
const (
	propertyToken   = "gcs.oauth2.token"
	propertyHost    = "gcs.service.host"
	propertyProject = "gcs.user-project"
	propertyNoAuth  = "gcs.no-auth"
)

// granted opens a bucket with what a catalog says. Where that is no token, it is one of the
// application default credentials.
func granted(a storage.Address, g storage.Grant) (storage.Root, error) {
	options := map[string]string{}
	if g == nil {
		return open(a, options)
	}
	p := g.Settings()
	for option, name := range map[string]string{"endpoint": propertyHost, "user_project": propertyProject, "anonymous": propertyNoAuth} {
		if v := p[name]; v != "" {
			options[option] = strings.TrimRight(v, "/")
		}
	}
	if options["endpoint"] != "" && p[propertyToken] == "" && !g.Own(propertyHost) {
		options["anonymous"] = "true" // the user's own token does not go to a host that a catalog names
	}
	b, err := bucketOf(a, options)
	if err != nil {
		return storage.Root{}, err
	}
	if p[propertyToken] != "" {
		b.tokens = &tokens{grant: g}
	}
	return storage.Root{Store: remote.New(b, storage.Remote), Name: a.Path}, nil
}

const bearer = "Bearer "

// signGranted puts the token of the grant into a request.
func (t *tokens) signGranted(req *http.Request) error {
	p, err := t.grant.Fresh(req.Context())
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", bearer+p[propertyToken])
	return nil
}
