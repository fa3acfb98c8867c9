package azure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"github.com/parquetsql/parquetsql/storage/remote"
)

// kinds are what the error codes mean that a status leaves open (Blob service error codes).
var kinds = map[string]remote.Kind{
	"BlobAlreadyExists":           remote.Changed,
	"ConditionNotMet":             remote.Changed,
	"InvalidRange":                remote.Changed,
	"ServerBusy":                  remote.Throttled,
	"OperationTimedOut":           remote.Unavailable,
	"InternalError":               remote.Unavailable,
	"BlobArchived":                remote.Denied,
	"BlobBeingRehydrated":         remote.Denied,
	"PublicAccessNotPermitted":    remote.Denied,
	"NoAuthenticationInformation": remote.Denied,
}

// helps are for codes of which the kind's own help says too little.
var helps = map[string]string{
	"ContainerNotFound":               "there is no such container: check its name",
	"BlobArchived":                    "the blob is archived: rehydrate it first",
	"BlobBeingRehydrated":             "the blob is archived and not back yet",
	"PublicAccessNotPermitted":        "the account gives nothing without credentials",
	"AuthorizationPermissionMismatch": "who asks needs the role Storage Blob Data Reader",
}

const noCredentials = "no credentials were found: `az login`, AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN; the option anonymous=true for a public container"

// explained is an error of the SDK as one that says what to do. Its text is made of status and
// code: that of the SDK has the address, which may be signed.
func explained(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	var failed *azidentity.AuthenticationFailedError
	var missing interface{ NonRetriable() } // of a chain that has found nothing
	var answered *azcore.ResponseError
	var known *remote.Error // of a catalog that vends signatures
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &failed):
		return &remote.Error{Kind: remote.Denied, Reason: "asking for a token fails", Help: noCredentials}
	case errors.As(err, &answered):
		return ofAnswer(answered)
	case errors.As(err, &missing):
		return &remote.Error{Kind: remote.Denied, Help: noCredentials}
	}
	return remote.OfTransport(ctx, err)
}

func ofAnswer(answered *azcore.ResponseError) error {
	kind, ok := kinds[answered.ErrorCode]
	if !ok {
		kind = remote.KindOfStatus(answered.StatusCode)
	}
	e := &remote.Error{Kind: kind, Help: helps[answered.ErrorCode]}
	code := answered.ErrorCode
	if strings.HasPrefix(code, fmt.Sprint(answered.StatusCode)) { // the SDK's, where the service has none
		code = ""
	}
	e.Reason = strings.TrimSpace(fmt.Sprintf("%d %s %s", answered.StatusCode, http.StatusText(answered.StatusCode), code))
	if kind == remote.Denied && answered.RawResponse != nil && strings.Contains(answered.Error(), "Signature not valid in the specified time frame") {
		e.Kind = remote.Expired
	}
	return e
}
