package azure

import (
	"errors"
	"maps"
	"net/http"
	"slices"
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
// credentials are found as without a catalog. Neither these nor those that the user has set go to a host
// that the catalog alone names.
func granted(a storage.Address, g storage.Grant) (storage.Root, error) {
	at, err := placeOf(a)
	if err != nil {
		return storage.Root{}, err
	}
	if g == nil {
		if err := isAzures(at); err != nil {
			return storage.Root{}, err
		}
		return open(a, nil)
	}
	p := g.Settings()
	options := map[string]string{}
	property, e := ofAccount(p, propertyEndpoint, at.account)
	if strings.HasPrefix(e, "http") {
		options["endpoint"] = e
	}
	var foreign error // why the user's own credentials may not be sent
	switch {
	case options["endpoint"] == "":
		foreign = isAzures(at)
	case !g.Own(property, e):
		foreign = errors.New("the catalog names an endpoint (" + property + ") and has neither a signature nor a key for it: your own credentials do not go there; set the option " + property + " to that address, if it is right")
	}
	name, signature := ofAccount(p, propertySAS, at.account)
	signed := signature != ""
	own := !signed && p[propertyKey] == "" || signed && g.Own(name, signature) || !signed && g.Own(propertyKey, p[propertyKey])
	if own && foreign != nil {
		return storage.Root{}, foreign
	}
	if !signed && p[propertyKey] == "" {
		return open(a, options)
	}
	web := webOf()
	set := &container.ClientOptions{ClientOptions: clientOptions(web)}
	address := at.address(options) + "/" + at.container
	var client *container.Client
	if signed {
		set.PerRetryPolicies = append(set.PerRetryPolicies, &signs{g, at.account, foreign})
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

// hosts are the ends of the names that Azure's accounts have: the clouds, Fabric, and accounts in zones.
var hosts = []string{".core.windows.net", ".core.chinacloudapi.cn", ".core.usgovcloudapi.net", ".fabric.microsoft.com", ".storage.azure.net"}

// hostBytes are the characters of a host's name: others would end it before the cloud's.
const hostBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."

// isAzures fails where the host is none of Azure's: it is part of the address, which a catalog may
// make up.
func isAzures(at place) error {
	if strings.Trim(at.host, hostBytes) != "" || !slices.ContainsFunc(hosts, func(end string) bool { return strings.HasSuffix(at.host, end) }) {
		return errors.New("the host " + at.host + " is none of Azure's, and the catalog has neither a signature nor a key for it: your own credentials do not go there; set the option " + propertyEndpoint + at.account + " to its address, if it is right")
	}
	return nil
}

// ofAccount is the property that is for an account with its name, "" if there is none.
func ofAccount(p map[string]string, property, account string) (name, value string) {
	for name, value := range p {
		of, ok := strings.CutPrefix(name, property)
		if ok && (of == account || strings.HasPrefix(of, account+".")) {
			return name, value
		}
	}
	return "", ""
}

// signs is a policy of the SDK that puts the signature of a grant into each request, and another one
// where the service takes that no longer.
type signs struct {
	grant   storage.Grant
	account string
	foreign error // why a signature of the user's own may not be sent; nil: it may
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
	name, signature := ofAccount(p, propertySAS, s.account)
	if s.foreign != nil && s.grant.Own(name, signature) { // the catalog has none any more
		return nil, s.foreign
	}
	signature = strings.TrimPrefix(signature, "?")
	if query != "" {
		query += "&"
	}
	req.Raw().URL.RawQuery = query + signature
	return p, nil
}
