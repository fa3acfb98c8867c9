package azure

import (
	"errors"
	"maps"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

// The properties that catalogs have for Azure (AzureProperties of Iceberg); what ends with a dot goes
// on with the name of the account, or of its host.
const (
	propertySAS      = "adls.sas-token."
	propertyKeyName  = "adls.auth.shared-key.account.name"
	propertyKey      = "adls.auth.shared-key.account.key"
	propertyEndpoint = "adls.connection-string."
)

// granted opens a container with what a catalog says. Where that is neither a signature nor a key,
// credentials are found as without a catalog.
func granted(a storage.Address, g storage.Grant) (storage.Root, error) {
	if g == nil {
		return open(a, nil)
	}
	at, err := placeOf(a)
	if err != nil {
		return storage.Root{}, err
	}
	p := g.Settings()
	options := map[string]string{}
	if e := ofAccount(p, propertyEndpoint, at.account); strings.HasPrefix(e, "http") {
		options["endpoint"] = e
	}
	signed := ofAccount(p, propertySAS, at.account) != ""
	switch {
	case !signed && p[propertyKey] == "" && options["endpoint"] != "":
		return storage.Root{}, errors.New("the catalog names an endpoint (" + propertyEndpoint + at.account + ") and has neither a signature nor a key for it: your own credentials do not go there")
	case !signed && p[propertyKey] == "":
		return open(a, options)
	}
	web := webOf()
	set := &container.ClientOptions{ClientOptions: clientOptions(web)}
	address := at.address(options) + "/" + at.container
	var client *container.Client
	if signed {
		set.PerRetryPolicies = append(set.PerRetryPolicies, &signs{g, at.account})
		client, err = container.NewClientWithNoCredential(address, set)
	} else {
		var shared *container.SharedKeyCredential
		if shared, err = container.NewSharedKeyCredential(p[propertyKeyName], p[propertyKey]); err != nil {
			return storage.Root{}, errors.New("the key that the catalog has is no key: it is not base64")
		}
		client, err = container.NewClientWithSharedKeyCredential(address, shared, set)
	}
	if err != nil {
		return storage.Root{}, err
	}
	return storage.Root{Store: remote.New(&blobs{place: at, client: client, web: web}, storage.Remote), Name: at.name}, nil
}

// ofAccount is the property that is for an account, "" if there is none.
func ofAccount(p map[string]string, property, account string) string {
	for name, value := range p {
		of, ok := strings.CutPrefix(name, property)
		if ok && (of == account || strings.HasPrefix(of, account+".")) {
			return value
		}
	}
	return ""
}

// signs is a policy of the SDK that puts the signature of a grant into each request, and another one
// where the service takes that no longer.
type signs struct {
	grant   storage.Grant
	account string
}

// Do implements policy.Policy.
func (s *signs) Do(req *policy.Request) (*http.Response, error) {
	query := req.Raw().URL.RawQuery
	used, err := s.sign(req, query)
	if err != nil {
		return nil, err
	}
	resp, err := req.Next()
	if err != nil || resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusUnauthorized {
		return resp, err
	}
	s.grant.Refused(used)
	again := req.Clone(req.Raw().Context())
	fresh, err := s.sign(again, query)
	if err != nil || maps.Equal(fresh, used) {
		return resp, err
	}
	_ = resp.Body.Close() // it is a message
	return again.Next()
}

// sign puts a signature into a request, and returns the properties that have it.
func (s *signs) sign(req *policy.Request, query string) (map[string]string, error) {
	p, err := s.grant.Fresh(req.Raw().Context())
	if err != nil {
		return nil, err
	}
	signature := strings.TrimPrefix(ofAccount(p, propertySAS, s.account), "?")
	if query != "" {
		query += "&"
	}
	req.Raw().URL.RawQuery = query + signature
	return p, nil
}
