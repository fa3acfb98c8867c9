// Package testcatalog is a REST catalog of Apache Iceberg for tests: what
// open-api/rest-catalog-open-api.yaml says of reading, over tables in memory. Nothing is committed,
// and nothing is kept. Tests set what servers differ in, and what goes wrong.
package testcatalog

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server is a catalog. Its fields are set before it serves; methods may be called while it does.
type Server struct {
	Warehouse  string            // the one that it has; "": whichever is asked for
	Prefix     string            // what stands behind /v1/
	Separator  string            // of namespaces, encoded as in addresses; "": %1F
	Defaults   map[string]string // of its configuration
	Overrides  map[string]string
	Endpoints  []string // nil: it does not say them
	PageSize   int      // the most that a page has; 0: all
	Client     string   // "id:secret", of whom tokens are given; "": nobody needs one
	TokenLife  time.Duration
	FixedToken string // a token that is good always
	Tags       bool   // answers with a table have an ETag

	// Vend is what a table's answer has of credentials; nil: nothing. It is asked by each request that
	// has the header for them.
	Vend func(t *Table) (config map[string]string, credentials []Credential)
	// Fault answers instead of the catalog, if it returns true.
	Fault func(w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	tables   []*Table
	views    []string
	empty    [][]string // namespaces without tables
	tokens   map[string]time.Time
	given    int
	requests []string
}

// Table is a table that the catalog has.
type Table struct {
	Namespace []string
	Name      string
	File      string          // its metadata file
	Metadata  json.RawMessage // nil: the answer has null, as that of some services
}

// Credential is a StorageCredential.
type Credential struct {
	Prefix string            `json:"prefix"`
	Config map[string]string `json:"config"`
}

// Add adds a table, or puts it in place of one.
func (s *Server) Add(t *Table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tables = slices.DeleteFunc(s.tables, func(o *Table) bool { return o.Name == t.Name && slices.Equal(o.Namespace, t.Namespace) })
	s.tables = append(s.tables, t)
}

// AddNamespace adds one without tables.
func (s *Server) AddNamespace(parts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.empty = append(s.empty, parts)
}

// AddView adds a view, of which it has nothing but the name.
func (s *Server) AddView(namespace []string, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.views = append(s.views, key(namespace, name))
}

// Requests are those since it was asked last: methods, paths and queries.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.requests
	s.requests = nil
	return out
}

// ForgetTokens makes all tokens bad that were given.
func (s *Server) ForgetTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens = nil
}

func key(namespace []string, name string) string {
	return strings.Join(append(slices.Clone(namespace), name), "\x1f")
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	line := r.Method + " " + path
	if r.URL.RawQuery != "" {
		line += "?" + r.URL.RawQuery
	}
	s.mu.Lock()
	s.requests = append(s.requests, line)
	s.mu.Unlock()
	if s.Fault != nil && s.Fault(w, r) {
		return
	}
	if path == "/v1/oauth/tokens" && r.Method == http.MethodPost {
		s.token(w, r)
		return
	}
	if !s.authorized(r) {
		fail(w, http.StatusUnauthorized, "NotAuthorizedException", "the token is none that was given")
		return
	}
	if path == "/v1/config" {
		s.config(w, r)
		return
	}
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix("/v1/"+s.Prefix, "/")+"/")
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		fail(w, http.StatusNotFound, "RESTException", "no such route")
		return
	}
	s.route(w, r, strings.Split(rest, "/"))
}

// route answers below the prefix.
func (s *Server) route(w http.ResponseWriter, r *http.Request, parts []string) {
	if parts[0] != "namespaces" {
		fail(w, http.StatusNotFound, "RESTException", "no such route")
		return
	}
	if len(parts) == 1 {
		s.namespaces(w, r)
		return
	}
	namespace, err := s.namespace(parts[1])
	if err != nil {
		fail(w, http.StatusBadRequest, "BadRequestException", err.Error())
		return
	}
	if !s.hasNamespace(namespace) {
		fail(w, http.StatusNotFound, "NoSuchNamespaceException", "the namespace does not exist")
		return
	}
	switch name := ""; {
	case len(parts) == 2:
		answer(w, r, map[string]any{"namespace": namespace, "properties": map[string]string{}})
	case len(parts) == 3 && parts[2] == "tables":
		s.list(w, r, namespace)
	case len(parts) == 3 && parts[2] == "views":
		answer(w, r, map[string]any{"identifiers": []any{}})
	case len(parts) < 4:
		fail(w, http.StatusNotFound, "RESTException", "no such route")
	default:
		if name, err = url.PathUnescape(parts[3]); err != nil {
			fail(w, http.StatusBadRequest, "BadRequestException", err.Error())
			return
		}
		s.one(w, r, parts, namespace, name)
	}
}

// one answers about a table or a view.
func (s *Server) one(w http.ResponseWriter, r *http.Request, parts, namespace []string, name string) {
	s.mu.Lock()
	at := slices.IndexFunc(s.tables, func(t *Table) bool { return t.Name == name && slices.Equal(t.Namespace, namespace) })
	var t *Table
	if at >= 0 {
		t = s.tables[at]
	}
	view := slices.Contains(s.views, key(namespace, name))
	s.mu.Unlock()
	switch {
	case len(parts) == 4 && parts[2] == "views" && view:
		w.WriteHeader(http.StatusNoContent)
	case parts[2] == "views":
		fail(w, http.StatusNotFound, "NoSuchViewException", "the view does not exist")
	case t == nil:
		fail(w, http.StatusNotFound, "NoSuchTableException", "Table does not exist: "+name)
	case len(parts) == 5 && parts[4] == "credentials":
		_, credentials := s.vended(t)
		answer(w, r, map[string]any{"storage-credentials": credentials})
	case len(parts) == 4:
		s.load(w, r, t)
	default:
		fail(w, http.StatusNotFound, "RESTException", "no such route")
	}
}

func (s *Server) vended(t *Table) (map[string]string, []Credential) {
	if s.Vend == nil {
		return nil, []Credential{}
	}
	return s.Vend(t)
}

// load is loadTable.
func (s *Server) load(w http.ResponseWriter, r *http.Request, t *Table) {
	out := map[string]any{"metadata-location": t.File, "metadata": t.Metadata}
	if t.Metadata != nil && r.URL.Query().Get("snapshots") == "refs" {
		out["metadata"] = referenced(t.Metadata)
	}
	if strings.Contains(r.Header.Get("X-Iceberg-Access-Delegation"), "vended-credentials") {
		config, credentials := s.vended(t)
		out["config"], out["storage-credentials"] = config, credentials
	}
	if s.Tags {
		tag := fmt.Sprintf("%q", fmt.Sprintf("%x", sha256.Sum256([]byte(t.File+string(t.Metadata)+r.URL.RawQuery))))
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	answer(w, r, out)
}

// referenced is metadata without the snapshots that no reference names.
func referenced(metadata json.RawMessage) any {
	var m map[string]any
	d := json.NewDecoder(strings.NewReader(string(metadata)))
	d.UseNumber()
	if d.Decode(&m) != nil {
		return metadata
	}
	named := map[string]bool{fmt.Sprint(m["current-snapshot-id"]): true}
	refs, _ := m["refs"].(map[string]any)
	for _, r := range refs {
		if r, ok := r.(map[string]any); ok {
			named[fmt.Sprint(r["snapshot-id"])] = true
		}
	}
	list, _ := m["snapshots"].([]any)
	m["snapshots"] = slices.DeleteFunc(list, func(s any) bool {
		own, ok := s.(map[string]any)
		return !ok || !named[fmt.Sprint(own["snapshot-id"])]
	})
	return m
}

// namespace reads one as addresses have it: with the separator that the catalog says, and with the
// one that all clients know.
func (s *Server) namespace(text string) (out []string, err error) {
	separators := []string{"%1F", "%1f"}
	if s.Separator != "" {
		separators = append(separators, s.Separator)
	}
	for _, sep := range separators {
		text = strings.ReplaceAll(text, sep, "\x00")
	}
	for part := range strings.SplitSeq(text, "\x00") {
		p, err := url.PathUnescape(part)
		if err != nil || p == "" {
			return nil, fmt.Errorf("the namespace %q cannot be read", text)
		}
		out = append(out, p)
	}
	return out, nil
}

// all are the namespaces, with those that others are within.
func (s *Server) all() (out [][]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.empty)
	for _, t := range s.tables {
		list = append(list, t.Namespace)
	}
	seen := map[string]bool{}
	for _, n := range list {
		for depth := 1; depth <= len(n); depth++ {
			if k := key(n[:depth], ""); !seen[k] {
				seen[k] = true
				out = append(out, n[:depth])
			}
		}
	}
	slices.SortFunc(out, slices.Compare)
	return out
}

func (s *Server) hasNamespace(n []string) bool {
	return slices.ContainsFunc(s.all(), func(o []string) bool { return slices.Equal(o, n) })
}

// namespaces is listNamespaces: those right within one.
func (s *Server) namespaces(w http.ResponseWriter, r *http.Request) {
	var parent []string
	if text, ok := rawQuery(r, "parent"); ok && text != "" {
		var err error
		if parent, err = s.namespace(text); err != nil || !s.hasNamespace(parent) {
			fail(w, http.StatusNotFound, "NoSuchNamespaceException", "the namespace does not exist")
			return
		}
	}
	out := [][]string{}
	for _, n := range s.all() {
		if len(n) == len(parent)+1 && slices.Equal(n[:len(parent)], parent) {
			out = append(out, n)
		}
	}
	page(s, w, r, "namespaces", out)
}

// list is listTables.
func (s *Server) list(w http.ResponseWriter, r *http.Request, namespace []string) {
	out := []map[string]any{}
	s.mu.Lock()
	for _, t := range s.tables {
		if slices.Equal(t.Namespace, namespace) {
			out = append(out, map[string]any{"namespace": t.Namespace, "name": t.Name})
		}
	}
	s.mu.Unlock()
	page(s, w, r, "identifiers", out)
}

// page answers with a page, where one is asked for; a token is where the next begins.
func page[T any](s *Server, w http.ResponseWriter, r *http.Request, name string, list []T) {
	q := r.URL.Query()
	var next any
	if q.Has("pageToken") {
		from, size := 0, s.PageSize
		if token := q.Get("pageToken"); token != "" {
			var err error
			if from, err = strconv.Atoi(token); err != nil || from < 0 || from > len(list) {
				fail(w, http.StatusBadRequest, "BadRequestException", "the page token is none of this catalog")
				return
			}
		}
		if asked, err := strconv.Atoi(q.Get("pageSize")); err == nil && asked > 0 && (size == 0 || asked < size) {
			size = asked
		}
		list = list[from:]
		if size > 0 && len(list) > size {
			list, next = list[:size], strconv.Itoa(from+size)
		}
	}
	answer(w, r, map[string]any{name: list, "next-page-token": next})
}

// rawQuery is a value of the query as it is written.
func rawQuery(r *http.Request, name string) (string, bool) {
	for part := range strings.SplitSeq(r.URL.RawQuery, "&") {
		if k, v, ok := strings.Cut(part, "="); ok && k == name {
			return v, true
		}
	}
	return "", false
}

func (s *Server) config(w http.ResponseWriter, r *http.Request) {
	if asked := r.URL.Query().Get("warehouse"); s.Warehouse != "" && asked != s.Warehouse {
		fail(w, http.StatusNotFound, "NoSuchWarehouseException", "the warehouse does not exist")
		return
	}
	overrides := map[string]string{}
	for name, value := range s.Overrides {
		overrides[name] = value
	}
	if s.Prefix != "" {
		overrides["prefix"] = s.Prefix
	}
	if s.Separator != "" {
		overrides["namespace-separator"] = s.Separator
	}
	out := map[string]any{"defaults": s.Defaults, "overrides": overrides}
	if s.Defaults == nil {
		out["defaults"] = map[string]string{}
	}
	if s.Endpoints != nil {
		out["endpoints"] = s.Endpoints
	}
	answer(w, r, out)
}

func answer(w http.ResponseWriter, r *http.Request, what any) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	_ = json.NewEncoder(w).Encode(what) // who asked has gone
}

// fail answers with an ErrorModel.
func fail(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "type": kind, "code": status}})
}
