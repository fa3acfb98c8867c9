package storage

import (
	"regexp"
	"strings"
)

// Address is a location that is a URL, such as s3://bucket/prefix, in its parts. Nothing in it
// is decoded.
type Address struct {
	Scheme    string // in lower case
	Authority string // a bucket, an account, a host; with what stands before its @
	Path      string // behind the authority, without its first slash
	Query     string // of http and https only: it is the server's
}

var addressForm = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+)://([^/?#]*)(?:/|$)?(.*)$`)

// ParseAddress divides a location into its parts; false where it is a path. The options of the DSN must
// have been cut off.
func ParseAddress(location string) (a Address, ok bool) {
	if !strings.Contains(location, "://") { // names of tables come here, too
		return Address{}, false
	}
	m := addressForm.FindStringSubmatch(location)
	if m == nil {
		return Address{}, false
	}
	a = Address{Scheme: strings.ToLower(m[1]), Authority: m[2], Path: m[3]}
	if a.IsHTTP() {
		a.Path, a.Query, _ = strings.Cut(a.Path, "?")
	}
	return a, true
}

// IsHTTP reports whether what follows a "?" is the server's, as in a presigned address.
func (a Address) IsHTTP() bool { return a.Scheme == "http" || a.Scheme == "https" }

// String is the address for messages: without a query or a user, which may be credentials.
func (a Address) String() string {
	authority := a.Authority
	if at := strings.LastIndexByte(authority, '@'); at >= 0 && (a.IsHTTP() || strings.Contains(authority[:at], ":")) {
		authority = "redacted@" + authority[at+1:]
	}
	out := a.Scheme + "://" + authority
	if a.Path != "" {
		out += "/" + a.Path
	}
	if a.Query != "" {
		out += "?redacted"
	}
	return out
}
