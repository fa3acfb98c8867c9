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
// application default credentials. Neither that nor a token that the user has set goes to a host that
// the catalog alone names.
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
	foreign := options["endpoint"] != "" && !g.Own(propertyHost, p[propertyHost])
	vended := p[propertyToken] != "" && !(foreign && g.Own(propertyToken, p[propertyToken]))
	if foreign && !vended {
		options["anonymous"] = "true"
	}
	b, err := bucketOf(a, options)
	if err != nil {
		return storage.Root{}, err
	}
	if vended {
		b.tokens = &tokens{grant: g, foreign: foreign}
	}
	return storage.Root{Store: remote.New(b, storage.Remote), Name: a.Path}, nil
}

const (
	bearer      = "Bearer "
	helpForeign = "the catalog names the host and vends no token for it, and yours does not go to a host that it names: set the option gcs.service.host to that address, if it is right"
)

// signGranted puts the token of the grant into a request.
func (t *tokens) signGranted(req *http.Request) error {
	p, err := t.grant.Fresh(req.Context())
	if err != nil {
		return err
	}
	if t.foreign && t.grant.Own(propertyToken, p[propertyToken]) { // the catalog has none any more
		return &remote.Error{Kind: remote.Denied, Help: helpForeign}
	}
	req.Header.Set("Authorization", bearer+p[propertyToken])
	return nil
}
