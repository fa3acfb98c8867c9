package remote

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/storage"
)

// Kind is what an error means for who reads.
type Kind uint8

// The kinds.
const (
	Other       Kind = iota
	NotFound         // there is no such object
	Changed          // the object is not the version that was asked for
	Denied           // who asks may not
	Expired          // the credentials were good once
	Throttled        // too many requests; it may be repeated, later
	Unavailable      // the service or the network failed; it may be repeated
)

// Error is why a request failed. Its text has no credentials: who makes one leaves out addresses
// with queries, and headers.
type Error struct {
	Kind   Kind
	Object string // its address for messages; Store fills it in
	Reason string // in the service's words: "403 AccessDenied"
	Help   string // what the user can do; "" for the kind's own
	Err    error  // the cause, if its text has no credentials
	// After is how long the service asks to wait.
	After time.Duration
}

// helps are what a user can do about an error of a kind.
var helps = map[Kind]string{
	Denied:      "the credentials may not read it, or there are none: see docs/stores.md for where they are looked for",
	Expired:     "the credentials or the presigned address have expired: get new ones",
	Throttled:   "the service asks for fewer requests: lower parallelism, or run it later",
	Unavailable: "the service or the network failed each time it was asked: run it later",
}

// Error implements error.
func (e *Error) Error() string {
	parts := []string{e.Object, e.Reason}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	help := e.Help
	if help == "" {
		help = helps[e.Kind]
	}
	parts = append(parts, help)
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ": ")
}

// Unwrap has the error that stands for the kind, and the cause.
func (e *Error) Unwrap() []error {
	var out []error
	switch e.Kind {
	case NotFound:
		out = append(out, fs.ErrNotExist)
	case Changed:
		out = append(out, storage.ErrChanged)
	case Denied, Expired:
		out = append(out, fs.ErrPermission)
	}
	if e.Err != nil {
		out = append(out, e.Err)
	}
	return out
}

// KindOfStatus is the kind of an HTTP status where the service says no more.
func KindOfStatus(status int) Kind {
	switch {
	case status == 404 || status == 410:
		return NotFound
	case status == 412:
		return Changed
	case status == 401 || status == 403:
		return Denied
	case status == 429 || status == 503:
		return Throttled
	case status == 408 || status >= 500:
		return Unavailable
	}
	return Other
}

// OfTransport is the error of a request that got no answer. The address that errors of net/http
// have is left out: it may contain credentials.
func OfTransport(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil && context.Cause(ctx) != errStalled {
		return cause
	}
	var of *url.Error
	for errors.As(err, &of) {
		err = of.Err
	}
	out := &Error{Kind: Unavailable, Err: err}
	var name *net.DNSError
	if errors.As(err, &name) && name.IsNotFound {
		out.Kind, out.Help = Other, "the name of the server is not known: check the address and the option endpoint"
	}
	if text := err.Error(); strings.Contains(text, "x509: ") || strings.Contains(text, "tls: ") || strings.Contains(text, "HTTP response to HTTPS client") {
		out.Kind, out.Help = Other, "the server's certificate or protocol is not as expected: check the address, and SSL_CERT_FILE for an authority of your own"
	}
	return out
}

// ofContext reports whether an error is that of an ended context.
func ofContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
