// Package remote makes a storage.Store of a service of objects: a bucket or a web server. It
// knows what all of them have in common, and what matters when each read is a request:
//
//   - A read names the version that the listing had, and what is answered must be that version:
//     the rows of two versions are never mixed.
//   - A request that failed and may succeed is repeated, later each time. A body that ended too
//     early goes on where it stopped. Objects are written as a whole, so that all requests may be repeated.
//   - So many requests go on at once as the service bears (limit.go).
//   - The description of a single file comes with its end, where the footer is: see Store.Stat.
//   - The context of a read ends its request.
//
// A module per service implements Service, and says of each error what kind it is.
package remote

import (
	"context"
	"io"
	"time"
)

// Service is the requests of one bucket. It repeats none. Its errors are *Error, but for those
// of the context. Several goroutines may use it.
type Service interface {
	// Get begins to read an object.
	Get(ctx context.Context, r Range) (*Answer, error)
	// List is one page of the objects whose names begin with l.Prefix. A service without
	// listings returns storage.ErrNoListing.
	List(ctx context.Context, l Listing) (*Page, error)
	// Address is an object's name for messages, without credentials.
	Address(name string) string
}

// Seeker is a Service whose listings may begin at Listing.From, and are sorted by the bytes of names.
type Seeker interface{ Seeks() bool }

// Range is bytes of one version of an object.
type Range struct {
	Name    string
	Version string // "": any
	Off     int64  // -1: the last N bytes, or all if there are fewer
	N       int64
}

// Answer is an object that is being read.
type Answer struct {
	Body    io.ReadCloser
	Off     int64 // where Body begins
	Size    int64 // of the whole object
	Version string
	Time    time.Time // of the last change; zero where nobody says it
}

// Listing asks for a page.
type Listing struct {
	Prefix string
	Flat   bool   // also what is behind a further slash
	After  string // Page.Next of the page before
	From   string // names before it are not wanted; "": all are. Only a Seeker gets one
}

// Page is a part of a listing.
type Page struct {
	Objects []Object
	Next    string // "": it is the last
}

// Object is an entry of a listing.
type Object struct {
	Name    string
	Size    int64
	Time    time.Time
	Version string
}
