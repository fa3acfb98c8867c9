package http_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/storetest"
	_ "github.com/parquetsql/parquetsql/store/http"
)

const testdata = "../../testdata"

// fakeHub answers as the Hugging Face Hub does: huggingface_hub's HfApi asks it so. Each commit
// has its own files.
type fakeHub struct {
	mu      sync.Mutex
	head    string
	commits map[string]map[string][]byte
	token   string // that requests must have; "": none
	pageOf  int
	blobs   *httptest.Server // where files are redirected to
	log     []string
}

func newHub(t *testing.T, files map[string][]byte) (*fakeHub, string) {
	t.Helper()
	h := &fakeHub{head: "c1", commits: map[string]map[string][]byte{"c1": files}, pageOf: 500}
	h.blobs = httptest.NewServer(http.HandlerFunc(h.blob))
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	t.Cleanup(h.blobs.Close)
	return h, s.URL
}

func (h *fakeHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.log = append(h.log, r.URL.Path)
	if h.token != "" && r.Header.Get("Authorization") != "Bearer "+h.token {
		w.Header().Set("X-Error-Code", "GatedRepo")
		http.Error(w, "no access", http.StatusUnauthorized)
		return
	}
	const api, data = "/api/datasets/owner/name/", "/datasets/owner/name/resolve/"
	switch {
	case r.URL.Path == api+"revision/main":
		fmt.Fprintf(w, `{"id":"owner/name","sha":%q}`, h.head)
	case strings.HasPrefix(r.URL.Path, api+"tree/"):
		commit, folder, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, api+"tree/"), "/")
		h.tree(w, r, commit, folder)
	case strings.HasPrefix(r.URL.Path, data):
		http.Redirect(w, r, h.blobs.URL+"/"+strings.TrimPrefix(r.URL.EscapedPath(), data), http.StatusFound)
	default:
		http.NotFound(w, r)
	}
}

// blob is the host of the files, which must not get the token.
func (h *fakeHub) blob(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	commit, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	file, ok := h.commits[commit][name]
	h.mu.Unlock()
	if r.Header.Get("Authorization") != "" {
		http.Error(w, "the token came here", http.StatusTeapot)
		return
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(file))
}

func (h *fakeHub) tree(w http.ResponseWriter, r *http.Request, commit, folder string) {
	type entry struct {
		Type string `json:"type"`
		OID  string `json:"oid"`
		Size int    `json:"size"`
		Path string `json:"path"`
	}
	var all []entry
	for name, file := range h.commits[commit] {
		rest, below := strings.CutPrefix(name, folder+"/")
		if folder != "" && !below || r.URL.Query().Get("recursive") != "true" && strings.Contains(rest, "/") {
			continue
		}
		all = append(all, entry{"file", fmt.Sprintf("%x", len(file)), len(file), name})
	}
	if all == nil {
		http.NotFound(w, r)
		return
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.Path, b.Path) })
	from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	to := min(len(all), from+h.pageOf)
	if to < len(all) {
		next := *r.URL
		q := next.Query()
		q.Set("cursor", strconv.Itoa(to))
		next.Scheme, next.Host, next.RawQuery = "http", r.Host, q.Encode()
		w.Header().Set("Link", fmt.Sprintf(`<%s>; rel="next"`, next.String()))
	}
	json.NewEncoder(w).Encode(all[from:to])
}

// TestScriptsHub: all scripts over a dataset of the Hub.
func TestScriptsHub(t *testing.T) {
	_, url := newHub(t, storetest.Files(t, testdata))
	storetest.Scripts(t, testdata, storetest.Open(t, "hf://datasets/owner/name?endpoint="+url), 8)
	storetest.Delta(t, testdata, storetest.Open(t, "hf://datasets/owner/name/_delta?endpoint="+url))
}

// TestDelta: a Delta table is read by its log, as on disk.
func TestDelta(t *testing.T) {
	_, url := newHub(t, storetest.Files(t, testdata))
	remote, local := storetest.Open(t, "hf://datasets/owner/name/_delta?endpoint="+url), storetest.Open(t, testdata+"/delta")
	for _, table := range []string{"dat/basic_partitioned/delta", "delta-io-kernel/basic-dv-no-checkpoint", "kernel-rs-data/mixed-nulls"} {
		query := "SELECT * FROM `" + table + "` ORDER BY ALL"
		want, err := storetest.Rows(local, query)
		if err != nil || len(want) == 0 {
			t.Fatalf("%s: %d rows, %v", table, len(want), err)
		}
		if got, err := storetest.Rows(remote, query); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, want %d, %v", table, len(got), len(want), err)
		}
	}
	db := storetest.Open(t, "hf://datasets/owner/name/_delta/dat/basic_partitioned/delta?endpoint="+url)
	if got, err := storetest.Rows(db, "SELECT COUNT(*) FROM delta"); err != nil || len(got) != 1 || got[0] == "0" {
		t.Errorf("a table that is the location: %v, %v", got, err)
	}
}
