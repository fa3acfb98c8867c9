package http

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

// hub is a remote.Service of one dataset of the Hugging Face Hub. Everything is read of one
// commit, which is looked up for each listing and each file that is described without one: what a commit has never changes. The version of a
// file is the commit and its object's id, so that a file keeps its name in caches as long as the
// branch stays where it is. The API is that of huggingface_hub's HfApi (list_repo_tree,
// repo_info, hf_hub_url).
type hub struct {
	endpoint   string // without a slash at its end
	repository string // OWNER/NAME
	revision   string
	client     *http.Client
	token      func() string
}

const defaultHub = "https://huggingface.co"

func openHub(a storage.Address, options map[string]string) (storage.Root, error) {
	parts := strings.SplitN(a.Path, "/", 3)
	if a.Authority != "datasets" || len(parts) < 2 || parts[0] == "" || parts[1] == "" {
		return storage.Root{}, errors.New("an address of the Hub is hf://datasets/OWNER/NAME[@REVISION][/PATH]")
	}
	name, revision, _ := strings.Cut(parts[1], "@")
	h := &hub{
		endpoint:   strings.TrimSuffix(cmp.Or(options["endpoint"], os.Getenv("HF_ENDPOINT"), defaultHub), "/"),
		repository: parts[0] + "/" + name,
		revision:   cmp.Or(strings.ReplaceAll(revision, "~", "/"), "main"), // refs~convert~parquet, as in other tools
		client:     remote.Client(),
		token:      hubToken,
	}
	root := storage.Root{Store: remote.New(h, storage.Remote)}
	if len(parts) == 3 {
		root.Name = parts[2]
	}
	return root, nil
}

// hubToken is the user's token, "" if there is none. It is read for each request: it may be
// replaced while the program runs.
func hubToken() string {
	if t := os.Getenv("HF_TOKEN"); t != "" {
		return strings.TrimSpace(t)
	}
	path := os.Getenv("HF_TOKEN_PATH")
	if path == "" {
		home := os.Getenv("HF_HOME")
		if home == "" {
			user, err := os.UserHomeDir()
			if err != nil {
				return ""
			}
			home = filepath.Join(user, ".cache", "huggingface")
		}
		path = filepath.Join(home, "token")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "" // most datasets need none
	}
	return strings.TrimSpace(string(text))
}

// Address implements remote.Service.
func (h *hub) Address(name string) string {
	return "hf://datasets/" + h.repository + "@" + h.revision + "/" + name
}

func (h *hub) request(ctx context.Context, address string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &remote.Error{Reason: "it is no address", Err: err}
	}
	if t := h.token(); t != "" {
		req.Header.Set("Authorization", "Bearer "+t) // a redirect to another host goes without it
	}
	return req, nil
}

// Get implements remote.Service.
func (h *hub) Get(ctx context.Context, r remote.Range) (*remote.Answer, error) {
	commit, _, _ := strings.Cut(r.Version, " ")
	if commit == "" {
		var err error
		if commit, err = h.look(ctx); err != nil {
			return nil, err
		}
	}
	req, err := h.request(ctx, h.endpoint+"/datasets/"+h.repository+"/resolve/"+url.PathEscape(commit)+"/"+escaped(r.Name))
	if err != nil {
		return nil, err
	}
	// What a commit has never changes: the answer is of the version that was asked for.
	asked := func(http.Header) string { return cmp.Or(r.Version, commit) }
	return remote.Fetch(h.client, req, r, asked, hubRefused)
}

// hubRefused explains what the Hub answers about datasets that are not open to all.
func hubRefused(resp *http.Response, e *remote.Error) {
	if code := resp.Header.Get("X-Error-Code"); code != "" {
		e.Reason += " " + code
	}
	if e.Kind == remote.Denied {
		e.Help = "the dataset does not exist or needs a token that may read it: HF_TOKEN, or the file of `hf auth login`"
	}
}

// look asks for the commit at which the revision is now.
func (h *hub) look(ctx context.Context) (string, error) {
	req, err := h.request(ctx, h.endpoint+"/api/datasets/"+h.repository+"/revision/"+url.PathEscape(h.revision))
	if err != nil {
		return "", err
	}
	body, _, err := remote.FetchPage(ctx, h.client, req, hubRefused)
	if err != nil {
		return "", err
	}
	var found struct {
		SHA string `json:"sha"`
	}
	if err := json.Unmarshal(body, &found); err != nil || found.SHA == "" {
		return "", &remote.Error{Reason: "the Hub's answer has no commit"}
	}
	return found.SHA, nil
}

// entry is a file or folder of a listing.
type entry struct {
	Type string `json:"type"`
	OID  string `json:"oid"`
	Size int64  `json:"size"`
	Path string `json:"path"`
}

// List implements remote.Service. The Hub lists folders and no prefixes.
func (h *hub) List(ctx context.Context, l remote.Listing) (*remote.Page, error) {
	address, commit, ok := strings.Cut(l.After, " ")
	if !ok {
		var err error
		if commit, err = h.look(ctx); err != nil {
			return nil, err
		}
		folder, _ := splitLast(l.Prefix)
		address = h.endpoint + "/api/datasets/" + h.repository + "/tree/" + url.PathEscape(commit) + "/" + escaped(folder)
		if l.Flat {
			address += "?recursive=true"
		}
	}
	req, err := h.request(ctx, address)
	if err != nil {
		return nil, err
	}
	body, header, err := remote.FetchPage(ctx, h.client, req, hubRefused)
	var e *remote.Error
	if errors.As(err, &e) && e.Kind == remote.NotFound {
		return &remote.Page{}, nil // a folder that is not there has nothing
	}
	if err != nil {
		return nil, err
	}
	page, err := hubPage(body, l.Prefix, commit)
	if next := nextLink(header.Get("Link")); err == nil && next != "" {
		if !strings.HasPrefix(next, h.endpoint+"/") {
			return nil, &remote.Error{Reason: "the next page of the listing is on another host"} // it would get the token
		}
		page.Next = next + " " + commit
	}
	return page, err
}

func hubPage(body []byte, prefix, commit string) (*remote.Page, error) {
	var entries []entry
	if err := json.Unmarshal(body, &entries); err != nil {
		return nil, &remote.Error{Reason: "the Hub's answer is no listing", Err: err}
	}
	page := &remote.Page{}
	for _, e := range entries {
		if e.Type == "file" && e.Size >= 0 && strings.HasPrefix(e.Path, prefix) {
			page.Objects = append(page.Objects, remote.Object{Name: e.Path, Size: e.Size, Version: commit + " " + e.OID})
		}
	}
	return page, nil
}

// splitLast divides a prefix into its folder and what is behind the last slash.
func splitLast(prefix string) (folder, rest string) {
	at := strings.LastIndexByte(prefix, '/')
	return prefix[:max(at, 0)], prefix[at+1:]
}

// nextLink is the address of rel="next" in a Link header (RFC 8288).
func nextLink(header string) string {
	for link := range strings.SplitSeq(header, ",") {
		target, rel, _ := strings.Cut(link, ";")
		if strings.Contains(rel, `rel="next"`) {
			return strings.Trim(strings.TrimSpace(target), "<>")
		}
	}
	return ""
}

// Close lets go of idle connections.
func (h *hub) Close() error {
	h.client.CloseIdleConnections()
	return nil
}
