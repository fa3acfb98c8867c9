package s3

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

// The properties that catalogs have for S3 ("S3 FileIO" in the documentation of Iceberg).
const (
	propertyKey       = "s3.access-key-id"
	propertySecret    = "s3.secret-access-key"
	propertyToken     = "s3.session-token"
	propertyRegion    = "s3.region"
	propertyClient    = "client.region"
	propertyEndpoint  = "s3.endpoint"
	propertyPathStyle = "s3.path-style-access"
	propertySigning   = "s3.remote-signing-enabled"
)

// granted opens a bucket with what a catalog says. Where that are no credentials, they are those of
// the usual chain. Neither these nor keys that the user has set go to a host that the catalog alone names.
func granted(a storage.Address, g storage.Grant) (storage.Root, error) {
	options, keys, denied := map[string]string{}, aws.CredentialsProvider(nil), ""
	if g != nil {
		p := g.Settings()
		for option, names := range map[string][]string{"region": {propertyRegion, propertyClient}, "endpoint": {propertyEndpoint}, "path_style": {propertyPathStyle}} {
			for _, name := range names {
				if v := p[name]; v != "" && options[option] == "" {
					options[option] = v
				}
			}
		}
		foreign := options["endpoint"] != "" && !g.Own(propertyEndpoint, options["endpoint"])
		if p[propertyKey] != "" && !(foreign && ownKeys(g, p)) {
			keys = &grantedKeys{g, foreign}
		} else if signs, err := strconv.ParseBool(p[propertySigning]); err == nil && signs {
			return storage.Root{}, errors.New("the catalog wants to sign each request itself (s3.remote-signing-enabled), which is not supported: it has to vend credentials")
		} else if foreign {
			options["anonymous"], denied = "true", helpAnonymous
		}
	}
	b, err := connect(a, options, keys)
	if b != nil {
		b.denied = denied
	}
	return rootOf(b, a), err
}

// helpAnonymous is for requests to a host that a catalog names and has no credentials for.
const helpAnonymous = "the catalog names the endpoint and vends no credentials for it, and yours do not go to a host that it names: set the option s3.endpoint to that address, if it is right"

// grantedKeys are the keys of a grant, as they are when they are needed.
type grantedKeys struct {
	grant   storage.Grant
	foreign bool // they go to a host that the catalog alone names
}

// ownKeys reports whether some of the keys are those that the user has set.
func ownKeys(g storage.Grant, p map[string]string) bool {
	return slices.ContainsFunc([]string{propertyKey, propertySecret, propertyToken}, func(name string) bool { return g.Own(name, p[name]) })
}

// Retrieve implements aws.CredentialsProvider.
func (k *grantedKeys) Retrieve(ctx context.Context) (aws.Credentials, error) {
	p, err := k.grant.Fresh(ctx)
	if err != nil {
		return aws.Credentials{}, &renewalError{err}
	}
	if k.foreign && ownKeys(k.grant, p) { // the catalog has none any more
		return aws.Credentials{}, &renewalError{&remote.Error{Kind: remote.Denied, Help: helpAnonymous}}
	}
	return aws.Credentials{AccessKeyID: p[propertyKey], SecretAccessKey: p[propertySecret], SessionToken: p[propertyToken], Source: "the catalog"}, nil
}

// renew tells the grant that a request's keys were refused; false where that is not what is wrong.
func (k *grantedKeys) renew(err error) bool {
	if kindOf(err) != remote.Expired && !mayBeRenewed(err) {
		return false
	}
	var of *smithyhttp.ResponseError
	if errors.As(err, &of) && of.Response != nil && of.Response.Response != nil && of.Response.Request != nil {
		_, signed, _ := strings.Cut(of.Response.Request.Header.Get("Authorization"), "Credential=")
		key, _, _ := strings.Cut(signed, "/")
		k.grant.Refused(map[string]string{propertyKey: key})
	}
	return true
}

// renewalError is why a catalog gives no credentials.
type renewalError struct{ err error }

// Error implements error.
func (e *renewalError) Error() string { return e.err.Error() }

// Unwrap is the cause.
func (e *renewalError) Unwrap() error { return e.err }

// mayBeRenewed reports whether an error may be that of credentials of a catalog that have ended: some
// services know them no longer then, and say no more than that.
func mayBeRenewed(err error) bool {
	status := statusOf(err)
	return status == http.StatusForbidden || status == http.StatusUnauthorized
}

var _ aws.CredentialsProvider = (*grantedKeys)(nil)
