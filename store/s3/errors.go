package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/parquetsql/parquetsql/storage/remote"
)

// kinds are what the error codes mean that a status leaves open (Amazon S3 API Reference, "Error
// responses").
var kinds = map[string]remote.Kind{
	"NoSuchKey":                    remote.NotFound,
	"NoSuchBucket":                 remote.NotFound,
	"PreconditionFailed":           remote.Changed,
	"InvalidRange":                 remote.Changed,
	"ExpiredToken":                 remote.Expired,
	"ExpiredTokenException":        remote.Expired,
	"TokenRefreshRequired":         remote.Expired,
	"SlowDown":                     remote.Throttled,
	"Throttling":                   remote.Throttled,
	"ThrottlingException":          remote.Throttled,
	"RequestLimitExceeded":         remote.Throttled,
	"TooManyRequests":              remote.Throttled,
	"RequestTimeout":               remote.Unavailable,
	"InternalError":                remote.Unavailable,
	"ServiceUnavailable":           remote.Throttled,
	"OperationAborted":             remote.Unavailable,
	"ConditionalRequestConflict":   remote.Unavailable, // another one is writing the name
	"InvalidAccessKeyId":           remote.Denied,
	"SignatureDoesNotMatch":        remote.Denied,
	"RequestTimeTooSkewed":         remote.Denied,
	"InvalidObjectState":           remote.Denied,
	"InvalidToken":                 remote.Denied,
	"AuthorizationHeaderMalformed": remote.Denied,
}

// helps are for codes of which the kind's own help says too little.
var helps = map[string]string{
	"NoSuchBucket":                 "there is no such bucket: check its name, and the option endpoint",
	"PermanentRedirect":            "the bucket is in another region: set the option region",
	"AuthorizationHeaderMalformed": "the bucket is in another region: set the option region",
	"InvalidObjectState":           "the object is archived: restore it first",
	"RequestTimeTooSkewed":         "the clock of this machine is wrong",
	"InvalidAccessKeyId":           "the service does not know the access key",
	"SignatureDoesNotMatch":        "the secret key is another one than the service has",
}

const noCredentials = "no credentials were found where the AWS tools look for them: set AWS_PROFILE or AWS_ACCESS_KEY_ID, or the option anonymous=true for a public bucket"

func statusOf(err error) int {
	var of *smithyhttp.ResponseError
	if errors.As(err, &of) && of.Response != nil {
		return of.HTTPStatusCode()
	}
	return 0
}

// regionOf is the region in which the bucket is, where an answer says so.
func regionOf(err error) string {
	var of *smithyhttp.ResponseError
	if errors.As(err, &of) && of.Response != nil {
		return of.Response.Header.Get("X-Amz-Bucket-Region")
	}
	return ""
}

func kindOf(err error) remote.Kind {
	var api smithy.APIError
	if errors.As(err, &api) {
		if k, ok := kinds[api.ErrorCode()]; ok {
			return k
		}
	}
	return remote.KindOfStatus(statusOf(err))
}

// explained is an error of the SDK as one that says what to do. Its text is made of the code and
// the message: that of the SDK has identifiers of requests.
func (b *bucket) explained(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	var api smithy.APIError
	var sent *smithyhttp.RequestSendError
	var renewal *renewalError
	switch {
	case errors.As(err, &renewal):
		return renewal.err
	case errors.As(err, &api):
		e := &remote.Error{Kind: kindOf(err), Help: helps[api.ErrorCode()]}
		if e.Kind == remote.Denied && b.denied != "" {
			e.Help = b.denied
		}
		e.Reason = strings.Join(strings.Fields(fmt.Sprintf("%d %s %s", statusOf(err), api.ErrorCode(), api.ErrorMessage())), " ")
		if region := regionOf(err); region != "" && e.Kind != remote.NotFound && statusOf(err) < 403 {
			e.Help = "the bucket is in the region " + region + ": set the option region"
		}
		return e
	case statusOf(err) != 0:
		status := statusOf(err)
		e := &remote.Error{Kind: remote.KindOfStatus(status), Reason: fmt.Sprintf("%d %s", status, http.StatusText(status))}
		if e.Kind == remote.Denied {
			e.Help = b.denied
		}
		return e
	case errors.As(err, &sent):
		return remote.OfTransport(ctx, sent.Err)
	case strings.Contains(err.Error(), "get identity") || strings.Contains(err.Error(), "get credentials"):
		return &remote.Error{Kind: remote.Denied, Help: noCredentials, Err: err}
	case strings.Contains(err.Error(), "invalid input region"):
		return &remote.Error{Err: err, Help: "the region is none: check the option region"}
	}
	return remote.OfTransport(ctx, err)
}
