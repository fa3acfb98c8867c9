// Package gcs reads Parquet files in buckets of Google Cloud Storage. Its import registers the
// schemes gs and gcs:
//
//	import _ "github.com/parquetsql/parquetsql/store/gcs"
//
//	sql.Open("parquet", "gs://bucket/prefix")
//
// It speaks the JSON API over plain HTTP: the client library of the service would weigh 28 MB
// more. Credentials are the application default ones, which are refreshed. The version of an
// object is its generation.
package gcs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

func init() {
	s := storage.Scheme{Options: map[string]string{
		"endpoint":     "the address of another service with this API; by default that in `STORAGE_EMULATOR_HOST`, which gets no credentials",
		"anonymous":    "`true` sends no credentials, for public buckets",
		"user_project": "the project that pays for the requests, where the bucket's owner does not",
	}, Open: open, Granted: granted}
	storage.Register("gs", s)
	storage.Register("gcs", s)
}

const service = "https://storage.googleapis.com"

// bucket is a remote.Service of a bucket.
type bucket struct {
	name     string
	endpoint string // without a slash at its end
	project  string // that pays; "": the bucket's
	client   *http.Client
	tokens   *tokens // nil: requests go without
}

func open(a storage.Address, options map[string]string) (storage.Root, error) {
	b, err := bucketOf(a, options)
	if err != nil {
		return storage.Root{}, err
	}
	return storage.Root{Store: remote.New(b, storage.Remote), Name: a.Path}, nil
}

func bucketOf(a storage.Address, options map[string]string) (*bucket, error) {
	if a.Authority == "" {
		return nil, errors.New("the address has no bucket: gs://bucket/prefix")
	}
	anonymous := false
	if text := options["anonymous"]; text != "" {
		var err error
		if anonymous, err = strconv.ParseBool(text); err != nil {
			return nil, fmt.Errorf("option anonymous: %q is neither true nor false", text)
		}
	}
	emulator := os.Getenv("STORAGE_EMULATOR_HOST")
	if emulator != "" && !strings.Contains(emulator, "://") {
		emulator = "http://" + emulator
	}
	b := &bucket{name: a.Authority, project: options["user_project"], client: remote.Client()}
	b.endpoint = strings.TrimSuffix(cmp.Or(options["endpoint"], emulator, service), "/")
	if !anonymous && b.endpoint != strings.TrimSuffix(emulator, "/") {
		b.tokens = newTokens(b.client)
	}
	return b, nil
}

// Address implements remote.Service.
func (b *bucket) Address(name string) string { return "gs://" + b.name + "/" + name }

// asked is a request without its address: what is asked of the bucket's objects, or of one.
type asked struct {
	method  string
	below   string // of the endpoint: see reads and uploads
	object  string // "": of none
	query   url.Values
	content *remote.Content // nil: none
}

// Where objects are read and removed, and where they are written.
const (
	reads   = "/storage/v1/b/"
	uploads = "/upload/storage/v1/b/"
)

func (b *bucket) request(ctx context.Context, a asked) (*http.Request, error) {
	if b.project != "" {
		a.query.Set("userProject", b.project)
	}
	address := b.endpoint + a.below + url.PathEscape(b.name) + "/o"
	if a.object != "" {
		address += "/" + url.PathEscape(a.object)
	}
	req, err := http.NewRequestWithContext(ctx, a.method, address+"?"+a.query.Encode(), nil)
	if err != nil {
		return nil, &remote.Error{Reason: "the endpoint is no address"}
	}
	if a.content != nil && a.content.Size() > 0 {
		req.Body, req.ContentLength = io.NopCloser(a.content.Reader()), a.content.Size()
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(a.content.Reader()), nil }
	}
	return req, b.tokens.sign(req)
}

// send sends a request, and once more with new credentials where the service takes the old ones
// no longer.
func send[T any](ctx context.Context, b *bucket, a asked, fetch func(*http.Request) (T, error)) (out T, err error) {
	for again := false; ; again = true {
		req, err := b.request(ctx, a)
		if err != nil {
			return out, err
		}
		out, err = fetch(req)
		var e *remote.Error
		if again || !errors.As(err, &e) || e.Kind != remote.Expired || !b.tokens.renew(req) {
			return out, err
		}
	}
}

// Get implements remote.Service (Objects: get, with alt=media).
func (b *bucket) Get(ctx context.Context, r remote.Range) (*remote.Answer, error) {
	query := url.Values{"alt": {"media"}}
	if r.Version != "" {
		query.Set("generation", r.Version)
	}
	return send(ctx, b, asked{method: http.MethodGet, below: reads, object: r.Name, query: query}, func(req *http.Request) (*remote.Answer, error) {
		a, err := remote.Fetch(b.client, req, r, generation, refused)
		var e *remote.Error
		if errors.As(err, &e) && e.Kind == remote.NotFound && r.Version != "" {
			e.Kind = remote.Changed // there is no such generation any more
		}
		return a, err
	})
}

func generation(h http.Header) string { return h.Get("X-Goog-Generation") }

// object is an entry of a listing (Objects: the resource).
type object struct {
	Name       string    `json:"name"`
	Size       int64     `json:"size,string"`
	Updated    time.Time `json:"updated"`
	Generation string    `json:"generation"`
}

// List implements remote.Service (Objects: list).
func (b *bucket) List(ctx context.Context, l remote.Listing) (*remote.Page, error) {
	query := url.Values{"prefix": {l.Prefix}, "fields": {"items(name,size,updated,generation),nextPageToken"}}
	if !l.Flat {
		query.Set("delimiter", "/")
	}
	if l.After != "" {
		query.Set("pageToken", l.After)
	}
	if l.From != "" {
		query.Set("startOffset", l.From)
	}
	return send(ctx, b, asked{method: http.MethodGet, below: reads, query: query}, func(req *http.Request) (*remote.Page, error) {
		body, _, err := remote.FetchPage(ctx, b.client, req, refused)
		var e *remote.Error
		if errors.As(err, &e) && e.Kind == remote.NotFound {
			e.Help = "there is no such bucket: check its name"
		}
		if err != nil {
			return nil, err
		}
		return page(body)
	})
}

// Seeks implements remote.Seeker.
func (*bucket) Seeks() bool { return true }

func page(body []byte) (*remote.Page, error) {
	var found struct {
		Items         []object `json:"items"`
		NextPageToken string   `json:"nextPageToken"`
	}
	if err := json.Unmarshal(body, &found); err != nil {
		return nil, &remote.Error{Reason: "the answer is no listing", Err: err}
	}
	out := &remote.Page{Next: found.NextPageToken, Objects: make([]remote.Object, 0, len(found.Items))}
	for _, o := range found.Items {
		if o.Size < 0 {
			return nil, &remote.Error{Reason: "the listing has an object of a negative size"}
		}
		out.Objects = append(out.Objects, remote.Object{Name: o.Name, Size: o.Size, Time: o.Updated, Version: o.Generation})
	}
	return out, nil
}

// refused explains what the service answers about credentials: 401 is about the token, 403 about
// who has it.
func refused(resp *http.Response, e *remote.Error) {
	if resp.StatusCode == http.StatusUnauthorized {
		e.Kind = remote.Expired
		e.Help = "the credentials are wrong or have expired: `gcloud auth application-default login`, or GOOGLE_APPLICATION_CREDENTIALS; the option anonymous=true for a public bucket"
	}
}

// Close lets go of idle connections.
func (b *bucket) Close() error {
	b.client.CloseIdleConnections()
	return nil
}
