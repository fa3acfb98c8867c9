package gcs

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

const scope = "https://www.googleapis.com/auth/devstorage.read_only"

// tokens are those of the application default credentials, which are looked for when the first
// is needed: that may take a request.
type tokens struct {
	client *http.Client // asks for tokens, too
	find   func(context.Context) (oauth2.TokenSource, error)
	grant  storage.Grant // has them instead; nil: none has

	foreign bool // they go to a host that a catalog alone names

	mu     sync.Mutex
	source oauth2.TokenSource // nil: not looked for yet
}

func newTokens(client *http.Client) *tokens {
	return &tokens{client: client, find: func(ctx context.Context) (oauth2.TokenSource, error) {
		c, err := google.FindDefaultCredentials(ctx, scope)
		if err != nil {
			return nil, err
		}
		return oauth2.ReuseTokenSource(nil, c.TokenSource), nil
	}}
}

const noCredentials = "no credentials were found: `gcloud auth application-default login`, or GOOGLE_APPLICATION_CREDENTIALS; the option anonymous=true for a public bucket"

// sign puts a token into a request. No tokens at all are good, too.
func (t *tokens) sign(req *http.Request) error {
	if t == nil {
		return nil
	}
	if t.grant != nil {
		return t.signGranted(req)
	}
	t.mu.Lock()
	source := t.source
	t.mu.Unlock()
	if source == nil {
		// The source outlives the request.
		ctx := context.WithValue(context.WithoutCancel(req.Context()), oauth2.HTTPClient, t.client)
		var err error
		if source, err = t.find(ctx); err != nil {
			return &remote.Error{Kind: remote.Denied, Help: noCredentials}
		}
		t.mu.Lock()
		t.source = source
		t.mu.Unlock()
	}
	token, err := source.Token()
	if err != nil {
		return ofToken(req.Context(), err)
	}
	token.SetAuthHeader(req)
	return nil
}

// ofToken is the error of asking for a token. Of what was answered only the code is shown.
func ofToken(ctx context.Context, err error) error {
	var answered *oauth2.RetrieveError
	if !errors.As(err, &answered) {
		return remote.OfTransport(ctx, err)
	}
	e := &remote.Error{Kind: remote.Denied, Reason: "asking for a token: " + answered.ErrorCode, Help: noCredentials}
	if answered.Response != nil {
		if kind := remote.KindOfStatus(answered.Response.StatusCode); kind == remote.Throttled || kind == remote.Unavailable {
			return &remote.Error{Kind: kind, Reason: "asking for a token: " + answered.Response.Status}
		}
	}
	return e
}

// renew forgets the credentials that a request was sent with; false if there are none.
func (t *tokens) renew(sent *http.Request) bool {
	if t == nil {
		return false
	}
	if t.grant != nil {
		t.grant.Refused(map[string]string{propertyToken: strings.TrimPrefix(sent.Header.Get("Authorization"), bearer)})
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.source = nil
	return true
}
