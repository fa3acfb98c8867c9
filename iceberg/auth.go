package iceberg

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql/storage/remote"
)

// auth says who asks: with a signature, a token that was given, or tokens that OAuth2 gives for the
// credentials of a client (RFC 6749, section 4.4).
type auth struct {
	signer Signer
	fixed  string
	server string // where tokens are asked for; "": there are no credentials
	form   url.Values
	web    *http.Client
	now    func() time.Time

	asking chan struct{} // who holds it asks

	mu    sync.Mutex
	token string
	until time.Time // from then on another is asked for; zero: never
}

func newAuth(c *catalog, sign Signer) (*auth, error) {
	o := c.options
	a := &auth{signer: sign, fixed: o["token"], now: time.Now, asking: make(chan struct{}, 1)}
	if sign != nil || o["credential"] == "" {
		return a, nil
	}
	if a.fixed != "" {
		return nil, errors.New("options token and credential: one of them says who asks")
	}
	// Tokens are asked for at no other address than this: what asks for them is a secret.
	web := *c.web
	web.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	a.web = &web
	a.server = cmp.Or(o["oauth2_server_uri"], c.base+"/v1/oauth/tokens")
	if !strings.Contains(a.server, "://") {
		a.server = c.base + "/" + strings.TrimLeft(a.server, "/")
	}
	if u, err := url.Parse(a.server); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("option oauth2_server_uri: it is no address")
	}
	a.form = url.Values{"grant_type": {"client_credentials"}, "scope": {cmp.Or(o["scope"], "catalog")}}
	id, secret, both := strings.Cut(o["credential"], ":")
	if both {
		a.form.Set("client_id", id)
	} else {
		secret = id
	}
	a.form.Set("client_secret", secret)
	for _, name := range []string{"audience", "resource"} {
		if v := o[name]; v != "" {
			a.form.Set(name, v)
		}
	}
	return a, nil
}

// sign puts into a request what says who asks; own is the token of a table.
func (a *auth) sign(req *http.Request, own string) error {
	if a.signer != nil {
		if err := a.signer(req); err != nil {
			return &remote.Error{Kind: remote.Denied, Reason: "the request cannot be signed", Err: err}
		}
		return nil
	}
	token := cmp.Or(own, a.fixed)
	if token == "" && a.server != "" {
		var err error
		if token, err = a.current(req.Context()); err != nil {
			return err
		}
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return nil
}

// renew forgets the token; false if there is no other.
func (a *auth) renew() bool {
	if a.signer != nil || a.server == "" {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.token = ""
	return true
}

// current is a token that is good for some time yet. Who comes while somebody asks waits for that.
func (a *auth) current(ctx context.Context) (string, error) {
	if t := a.known(); t != "" {
		return t, nil
	}
	select {
	case a.asking <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-a.asking }()
	if t := a.known(); t != "" {
		return t, nil
	}
	in, err := a.ask(ctx)
	if err != nil {
		return "", err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.token, a.until = in.Token, time.Time{}
	if life := time.Duration(min(max(in.Seconds, 0), maxLife)) * time.Second; life > 0 {
		a.until = a.now().Add(life - min(earlier, life/4))
	}
	return a.token, nil
}

// How long before its end a token is replaced, and the longest life, in seconds, that is believed.
const (
	earlier = time.Minute
	maxLife = 1 << 30
)

func (a *auth) known() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.token == "" || !a.until.IsZero() && !a.now().Before(a.until) {
		return ""
	}
	return a.token
}

type tokenJSON struct {
	Token   string `json:"access_token"`
	Seconds int64  `json:"expires_in"`
	Error   string `json:"error"`
	Reason  string `json:"error_description"`
}

// mostToken bounds the answer that has a token.
const mostToken = 1 << 20

// ask asks for a token.
func (a *auth) ask(ctx context.Context) (*tokenJSON, error) {
	fail := func(kind remote.Kind, reason string, err error) error {
		return &remote.Error{Kind: kind, Reason: "asking for a token: " + reason, Err: err, Help: "the options credential, scope and oauth2_server_uri"}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.server, strings.NewReader(a.form.Encode()))
	if err != nil {
		return nil, fail(remote.Other, "the address cannot be read", nil)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	resp, err := a.web.Do(req)
	if err != nil {
		return nil, err // see failed
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostToken))
	if err != nil {
		return nil, err
	}
	var in tokenJSON
	err = json.Unmarshal(text, &in)
	switch {
	case resp.StatusCode/100 == 3:
		return nil, fail(remote.Denied, "the server sends to another address", nil)
	case resp.StatusCode != http.StatusOK:
		kind := remote.KindOfStatus(resp.StatusCode)
		if kind != remote.Throttled && kind != remote.Unavailable {
			kind = remote.Denied
		}
		parts := []string{resp.Status}
		for _, p := range []string{in.Error, in.Reason} {
			if p = a.hide(strings.Join(strings.Fields(p), " ")); p != "" {
				parts = append(parts, p[:min(len(p), mostReason)])
			}
		}
		return nil, fail(kind, strings.ToValidUTF8(strings.Join(parts, ": "), ""), nil)
	case err != nil:
		return nil, fail(remote.Other, "the answer is no JSON", nil) // the error may show the token
	case in.Token == "":
		return nil, fail(remote.Other, "the answer has no access_token", nil)
	case strings.ContainsAny(in.Token, "\r\n"):
		return nil, fail(remote.Other, "the access_token cannot be sent", nil)
	}
	return &in, nil
}

// hide is a text of a server without the secrets that were sent.
func (a *auth) hide(text string) string {
	a.mu.Lock()
	secrets := []string{a.fixed, a.token}
	a.mu.Unlock()
	for _, s := range append(secrets, a.form.Get("client_secret")) {
		if s != "" {
			text = strings.ReplaceAll(text, s, "redacted")
		}
	}
	return text
}
