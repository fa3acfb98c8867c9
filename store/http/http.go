// Package http reads Parquet files of web servers and of the Hugging Face Hub. Its import
// registers three schemes:
//
//	import _ "github.com/parquetsql/parquetsql/store/http"
//
//	sql.Open("parquet", "https://host/data/a.parquet?signature=…#memory_limit=1GiB")
//	sql.Open("parquet", "https://host/data/")               // SELECT … FROM "a.parquet"
//	sql.Open("parquet", "hf://datasets/owner/name@main/data/*.parquet")
//
// A web server must answer requests of ranges (RFC 9110, section 14). It has no listings: tables
// of a folder are named by the paths of files. The version of a file is its ETag, or the time of
// its last change.
package http

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

func init() {
	web := storage.Scheme{Options: map[string]string{}, Open: openWeb}
	storage.Register("http", web)
	storage.Register("https", web)
	storage.Register("hf", storage.Scheme{Options: map[string]string{
		"endpoint": "the Hub's address; by default that in `HF_ENDPOINT`, else `https://huggingface.co`",
	}, Open: openHub})
}

// server is a remote.Service of a web server. The names of its objects are what follows the
// host in their addresses, escaped as there, with the query.
type server struct {
	base   string // "https://user@host/"
	client *http.Client
}

func openWeb(a storage.Address, _ map[string]string) (storage.Root, error) {
	if a.Authority == "" {
		return storage.Root{}, errors.New("the address has no host")
	}
	s := &server{base: a.Scheme + "://" + a.Authority + "/", client: remote.Client()}
	name := a.Path
	if a.Query != "" {
		name += "?" + a.Query
	}
	return storage.Root{Store: remote.New(s, storage.Remote), Name: name, Literal: true}, nil
}

// Address implements remote.Service.
func (s *server) Address(name string) string {
	a, _ := storage.ParseAddress(s.base + name)
	return a.String()
}

// Get implements remote.Service. A weak ETag is compared by the Store and not sent: it never
// matches an If-Match (RFC 9110, section 13.1.1).
func (s *server) Get(ctx context.Context, r remote.Range) (*remote.Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+r.Name, nil)
	if err != nil {
		return nil, &remote.Error{Reason: "it is no address"} // the error would have it
	}
	if strings.HasPrefix(r.Version, `"`) {
		req.Header.Set("If-Match", r.Version)
	}
	return remote.Fetch(s.client, req, r, version, nil)
}

// version is the ETag of an answer, or what stands in for it.
func version(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" {
		return tag
	}
	return h.Get("Last-Modified")
}

// List implements remote.Service.
func (s *server) List(context.Context, remote.Listing) (*remote.Page, error) {
	return nil, storage.ErrNoListing
}

// Close lets go of idle connections.
func (s *server) Close() error {
	s.client.CloseIdleConnections()
	return nil
}

// escaped is a name as the path of an address.
func escaped(name string) string { return (&url.URL{Path: name}).EscapedPath() }
