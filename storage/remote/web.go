package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/storage"
)

// Client is one for services that are asked over HTTP, with as many idle connections as there
// may be requests at once. Its requests count in the traffic of their contexts.
func Client() *http.Client {
	return ClientOver(http.DefaultTransport.(*http.Transport).Clone())
}

// ClientOver is Client with a transport that others have set up.
func ClientOver(t *http.Transport) *http.Client {
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 2*mostLimit, mostLimit
	t.DisableCompression = true // a range is of the bytes as they are stored
	return &http.Client{Transport: counting{t}}
}

type counting struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	storage.TrafficOf(r.Context()).Requests.Add(1)
	return c.Transport.RoundTrip(r)
}

// Header is the value of a Range header (RFC 9110, section 14.1.2).
func (r Range) Header() string {
	if r.Off < 0 {
		return fmt.Sprintf("bytes=-%d", r.N)
	}
	return fmt.Sprintf("bytes=%d-%d", r.Off, r.Off+r.N-1)
}

// Fetch sends a GET for a range and answers what came. version reads the object's version of the
// answer's header. Errors of the service go through refused, which may be nil.
func Fetch(client *http.Client, req *http.Request, r Range, version func(http.Header) string, refused func(*http.Response, *Error)) (*Answer, error) {
	req.Header.Set("Range", r.Header())
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := client.Do(req)
	if err != nil {
		return nil, OfTransport(req.Context(), err)
	}
	a := &Answer{Body: resp.Body, Version: version(resp.Header)}
	a.Time, _ = http.ParseTime(resp.Header.Get("Last-Modified"))
	switch resp.StatusCode {
	case http.StatusPartialContent:
		a.Off, a.Size, err = ContentRange(resp.Header.Get("Content-Range"))
	case http.StatusRequestedRangeNotSatisfiable: // of an empty object nothing can be asked for
		if _, a.Size, err = ContentRange(resp.Header.Get("Content-Range")); err == nil && a.Size == 0 {
			_ = resp.Body.Close() // it is a message
			a.Body = http.NoBody
			return a, nil
		}
		err = &Error{Kind: Changed, Reason: "it is shorter than the listing had"}
	case http.StatusOK:
		a.Size = resp.ContentLength
		if a.Size < 0 || r.Off > 0 || r.Off < 0 && a.Size > r.N {
			err = &Error{Reason: "the server answers with the whole object where a part is asked for", Help: "it must answer requests of ranges: copy the file, or use another server"}
		}
	default:
		return nil, Refusal(resp, refused)
	}
	if err != nil {
		_ = resp.Body.Close() // it is not wanted
		return nil, err
	}
	return a, nil
}

// ContentRange reads "bytes 0-99/1234" and "bytes */1234" (RFC 9110, section 14.4).
func ContentRange(header string) (off, size int64, err error) {
	rest, ok := strings.CutPrefix(header, "bytes ")
	span, whole, found := strings.Cut(rest, "/")
	if size, err = strconv.ParseInt(whole, 10, 64); !ok || !found || err != nil || size < 0 {
		return 0, 0, &Error{Reason: fmt.Sprintf("the server does not say which part it answers with: Content-Range %q", header)}
	}
	if span == "*" {
		return size, size, nil
	}
	first, _, _ := strings.Cut(span, "-")
	if off, err = strconv.ParseInt(first, 10, 64); err != nil || off < 0 || off > size {
		return 0, 0, &Error{Reason: fmt.Sprintf("the server does not say which part it answers with: Content-Range %q", header)}
	}
	return off, size, nil
}

// mostMessage is how much of the body of a refusal is read.
const mostMessage = 4 << 10

// Refusal is the error of an answer that is none of what was asked for, and closes it. refused
// may change it, knowing the service's codes; then the body is the beginning of the message.
func Refusal(resp *http.Response, refused func(*http.Response, *Error)) error {
	message, _ := io.ReadAll(io.LimitReader(resp.Body, mostMessage))
	_ = resp.Body.Close() // the status counts
	e := &Error{Kind: KindOfStatus(resp.StatusCode), Reason: resp.Status, After: retryAfter(resp.Header)}
	if e.Kind == Denied && strings.Contains(strings.ToLower(string(message)), "expired") {
		e.Kind = Expired
	}
	if refused != nil {
		resp.Body = io.NopCloser(strings.NewReader(string(message)))
		refused(resp, e)
	}
	return e
}

// retryAfter is how long the answer asks to wait (RFC 9110, section 10.2.3); dates are not read.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.ParseUint(h.Get("Retry-After"), 10, 16)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// mostPage bounds the body of a page of a listing.
const mostPage = 64 << 20

// FetchPage sends a GET and reads the whole answer, which is a page of a listing.
func FetchPage(ctx context.Context, client *http.Client, req *http.Request, refused func(*http.Response, *Error)) ([]byte, http.Header, error) {
	resp, err := client.Do(req.WithContext(ctx))
	if err != nil {
		return nil, nil, OfTransport(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, nil, Refusal(resp, refused)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostPage+1))
	if err != nil {
		return nil, nil, OfTransport(ctx, err)
	}
	if len(body) > mostPage {
		return nil, nil, &Error{Err: errors.New("a page of the listing has more than 64 MiB")}
	}
	return body, resp.Header, nil
}
