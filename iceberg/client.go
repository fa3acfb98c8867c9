package iceberg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

// catalog is a storage.Tables of a REST catalog.
type catalog struct {
	name      string   // for messages
	base      string   // its address, without a slash at the end
	origin    *url.URL // base
	warehouse string
	options   map[string]string
	web       *http.Client
	auth      *auth

	asked chan struct{} // who holds it may look at known
	known *settings

	mu       sync.Mutex
	accesses map[string]*access // of tables, by their names
}

var _ storage.Tables = (*catalog)(nil)

// errElsewhere is why a redirection is not followed.
var errElsewhere = errors.New("the catalog sends to another host")

// newWeb is a client that follows redirections on the same host alone: what says who asks would go
// with it to another.
func newWeb() *http.Client {
	web := remote.Client()
	web.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if first := via[0].URL; req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
			return errElsewhere
		}
		if len(via) > 5 {
			return errors.New("the catalog redirects more than five times")
		}
		return nil
	}
	return web
}

// Close lets go of idle connections.
func (c *catalog) Close() error {
	c.web.CloseIdleConnections()
	return nil
}

// Ping implements storage.Tables: the settings are asked for again.
func (c *catalog) Ping(ctx context.Context) error {
	address := c.base + "/v1/config"
	if c.warehouse != "" {
		address += "?warehouse=" + encoded(c.warehouse)
	}
	_, err := c.get(ctx, address, request{what: "its settings"})
	return err
}

// request says what is asked for.
type request struct {
	what   string // for messages
	token  string // instead of the catalog's own; "": that
	header map[string]string
	most   int64   // bytes of the answer; 0: mostAnswer
	exists bool    // the status alone is asked for
	tag    *string // gets the ETag of the answer; nil: it is not wanted
}

// mostAnswer bounds answers that have no metadata.
const mostAnswer = 64 << 20

// attempt is how long one attempt may take.
const attempt = time.Minute

// get asks, with repeats. Where the token is taken no longer, it asks once more with another.
func (c *catalog) get(ctx context.Context, address string, r request) ([]byte, error) {
	body, err := remote.Again(ctx, func() ([]byte, error) { return c.once(ctx, address, r) })
	if isExpired(err) && r.token == "" && c.auth.renew() {
		body, err = remote.Again(ctx, func() ([]byte, error) { return c.once(ctx, address, r) })
	}
	var e *remote.Error
	if errors.As(err, &e) && e.Object == "" {
		e.Object = c.name + ": " + r.what
	}
	return body, err
}

func (c *catalog) once(outer context.Context, address string, r request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(outer, attempt)
	defer cancel()
	method := http.MethodGet
	if r.exists {
		method = http.MethodHead
	}
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, &remote.Error{Reason: "the names make no address"}
	}
	for name, value := range c.options {
		if h, ok := strings.CutPrefix(name, "header."); ok {
			req.Header.Set(h, value)
		}
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	req.Header.Set("Accept", "application/json")
	if err := c.auth.sign(req, r.token); err != nil {
		return nil, failed(outer, err)
	}
	resp, err := c.web.Do(req)
	if err != nil {
		return nil, failed(outer, err)
	}
	defer resp.Body.Close()
	if r.header["If-None-Match"] != "" && resp.StatusCode == http.StatusNotModified {
		return nil, &remote.Error{Err: errSame}
	}
	if resp.StatusCode != http.StatusOK && (!r.exists || resp.StatusCode != http.StatusNoContent) {
		return nil, c.refusal(resp)
	}
	most := r.most
	if most == 0 {
		most = mostAnswer
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return nil, failed(outer, err)
	case int64(len(body)) > most:
		return nil, &remote.Error{Reason: fmt.Sprintf("the answer has more than %d bytes", most), Help: "raise memory_limit, or set the option snapshots=refs", Err: errTooLong}
	}
	if r.tag != nil {
		*r.tag = resp.Header.Get("ETag")
	}
	return body, nil
}

// errSame says that what is asked for is what is known.
var errSame = errors.New("it has not changed")

func isSame(err error) bool { return errors.Is(err, errSame) }

// errTooLong is the cause of the error of an answer that is too long.
var errTooLong = errors.New("it is too long")

// failed is the error of a request that got no whole answer. outer is the context without the time
// that one attempt may take.
func failed(outer context.Context, err error) error {
	var known *remote.Error
	switch cause := outer.Err(); {
	case cause != nil:
		return cause
	case errors.As(err, &known):
		return err
	case errors.Is(err, errElsewhere):
		return &remote.Error{Kind: remote.Denied, Reason: errElsewhere.Error(), Help: "it would get what says who asks: set the option endpoint, if the address is right"}
	case errors.Is(err, context.DeadlineExceeded):
		return &remote.Error{Kind: remote.Unavailable, Reason: "no whole answer came in time"}
	}
	return remote.OfTransport(outer, err)
}

// The statuses of which the specification says more than HTTP does.
const statusTimeout = 419 // AuthenticationTimeoutResponse

// mostReason is how much of a message of the server is shown.
const mostReason = 400

type errorJSON struct {
	Error struct {
		Message string `json:"message"`
		Type    string `json:"type"`
	} `json:"error"`
}

// refusal is the error of an answer (IcebergErrorResponse), in the server's words as far as they have
// no secret.
func (c *catalog) refusal(resp *http.Response) *remote.Error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // the status counts
	var in errorJSON
	_ = json.Unmarshal(text, &in) // many servers answer with a page
	e := &remote.Error{Kind: remote.KindOfStatus(resp.StatusCode)}
	if after, err := time.ParseDuration(resp.Header.Get("Retry-After") + "s"); err == nil && after > 0 {
		e.After = after
	}
	switch resp.StatusCode {
	case http.StatusUnauthorized, statusTimeout:
		e.Kind = remote.Expired
		e.Help = "the catalog does not take the credentials, or they have expired: the options token and credential"
	case http.StatusForbidden:
		e.Help = "who asks may not: the options token, credential and scope say who that is"
	case http.StatusNotImplemented:
		e.Kind = remote.Other
	}
	parts := []string{resp.Status}
	for _, p := range []string{in.Error.Type, in.Error.Message} {
		if p = c.auth.hide(strings.Join(strings.Fields(p), " ")); p != "" {
			parts = append(parts, p[:min(len(p), mostReason)])
		}
	}
	e.Reason, e.Err = strings.ToValidUTF8(strings.Join(parts, ": "), ""), refusedStatus(resp.StatusCode)
	return e
}

// refusedStatus is the status of an answer, which the error's text has already.
type refusedStatus int

// Error implements error.
func (refusedStatus) Error() string { return "" }

// isUnknown reports whether an error says that the catalog does not know what is asked for.
func isUnknown(err error) bool {
	var s refusedStatus
	return errors.As(err, &s) && slices.Contains([]int{http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusNotImplemented}, int(s))
}

// isForbidden reports whether an error says that who asks may not.
func isForbidden(err error) bool {
	var s refusedStatus
	return errors.As(err, &s) && s == http.StatusForbidden
}

// isMissing reports whether an error says that something is not there.
func isMissing(err error) bool {
	var e *remote.Error
	return errors.As(err, &e) && e.Kind == remote.NotFound
}

// isExpired reports whether an error says that who asks is known no longer.
func isExpired(err error) bool {
	var e *remote.Error
	return errors.As(err, &e) && e.Kind == remote.Expired
}

// wrong is the error of an answer that is not what it has to be.
func (c *catalog) wrong(what string, err error) error {
	return &remote.Error{Object: c.name + ": " + what, Reason: "the catalog answers with something else", Err: err}
}

// pages reads a list, page by page.
func (c *catalog) pages(ctx context.Context, address, what string, add func(page []byte) (next string, err error)) error {
	seen := map[string]bool{}
	for token := ""; ; {
		full := address
		if token != "" {
			full += divider(address) + "pageToken=" + encoded(token)
		} else {
			full += divider(address) + "pageToken="
		}
		body, err := c.get(ctx, full, request{what: what})
		if err != nil {
			return err
		}
		if token, err = add(body); err != nil {
			return c.wrong(what, err)
		}
		if token == "" {
			return nil
		}
		if seen[token] || len(seen) == mostPages {
			return c.wrong(what, fmt.Errorf("the list does not end: page %d begins where another did", len(seen)+2))
		}
		seen[token] = true
	}
}

// mostPages is how many pages a list may have.
const mostPages = 100_000

func divider(address string) string {
	if strings.Contains(address, "?") {
		return "&"
	}
	return "?"
}

// sortedKeys are the names of a map.
func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
