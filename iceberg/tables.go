package iceberg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/storage"
)

// loadJSON is a LoadTableResult.
type loadJSON struct {
	File        *string            `json:"metadata-location"`
	Metadata    json.RawMessage    `json:"metadata"`
	Config      map[string]*string `json:"config"`
	Credentials []credentialJSON   `json:"storage-credentials"`

	tag string // of the answer
}

// credentialJSON is a StorageCredential.
type credentialJSON struct {
	Prefix string             `json:"prefix"`
	Config map[string]*string `json:"config"`
}

// Load implements storage.Tables (loadTable): one request, and before the first one for the settings.
func (c *catalog) Load(ctx context.Context, t storage.TableName, known string, most int64) (*storage.Loaded, error) {
	if !possible(t.Name) || !possible(t.Schema...) {
		return nil, fmt.Errorf("%s: table %s: %w", c.name, shown(t), storage.ErrNoTable)
	}
	s, err := c.settings(ctx)
	if err != nil {
		return nil, err
	}
	in, err := c.load(ctx, s, t, known, most)
	if isSame(err) {
		return &storage.Loaded{Tag: known, Same: true, Grant: c.accessOf(s, t).grantFor}, nil
	}
	if err != nil {
		return nil, err
	}
	out := &storage.Loaded{Tag: in.tag}
	if in.File != nil {
		out.File = *in.File
	}
	if text := bytes.TrimSpace(in.Metadata); len(text) > 0 && !bytes.Equal(text, []byte("null")) {
		out.Metadata = text
	}
	if out.File == "" && out.Metadata == nil {
		return nil, c.wrong("table "+shown(t), errors.New("it has neither metadata nor metadata-location"))
	}
	if mode := in.Config["scan-planning-mode"]; mode != nil && *mode == "server" {
		return nil, fmt.Errorf("%s: table %s: %w: the catalog wants to plan scans itself", c.name, shown(t), parquetsql.ErrUnsupported)
	}
	a := c.accessOf(s, t)
	a.update(in)
	out.Grant = a.grantFor
	return out, nil
}

// load sends the request of Load. Where the table is what is known, the error says so.
func (c *catalog) load(ctx context.Context, s *settings, t storage.TableName, known string, most int64) (*loadJSON, error) {
	what := "table " + shown(t)
	in := &loadJSON{}
	r := request{what: what, most: most, header: map[string]string{}, tag: &in.tag}
	if known != "" {
		r.header["If-None-Match"] = known
	}
	if c.options["vended"] != "off" {
		r.header["X-Iceberg-Access-Delegation"] = "vended-credentials"
	}
	address := s.address("namespaces/" + s.namespace(t.Schema) + "/tables/" + encoded(t.Name))
	if c.options["snapshots"] == "refs" {
		address += "?snapshots=refs"
	}
	body, err := c.get(ctx, address, r)
	if isMissing(err) {
		return nil, c.absent(ctx, s, t)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, in); err != nil {
		return nil, c.wrong(what, err)
	}
	return in, nil
}

// absent is the error of a table that is not there. What is a view is said where the catalog tells.
func (c *catalog) absent(ctx context.Context, s *settings, t storage.TableName) error {
	if s.has("HEAD /v1/{prefix}/namespaces/{namespace}/views/{view}") {
		address := s.address("namespaces/" + s.namespace(t.Schema) + "/views/" + encoded(t.Name))
		if _, err := c.get(ctx, address, request{what: "view " + shown(t), exists: true}); err == nil {
			return fmt.Errorf("%s: %s: %w", c.name, shown(t), errView)
		}
	}
	return fmt.Errorf("%s: table %s: %w", c.name, shown(t), storage.ErrNoTable)
}

var errView = fmt.Errorf("views of Iceberg: %w", parquetsql.ErrUnsupported)

type namespacesJSON struct {
	Next       *string    `json:"next-page-token"`
	Namespaces [][]string `json:"namespaces"`
}

// mostNames bounds lists: more names than that are no catalog for people.
const mostNames = 1_000_000

var errNames = fmt.Errorf("it has more than %d names", mostNames)

// Schemas implements storage.Tables: those of the top, then those within each.
func (c *catalog) Schemas(ctx context.Context) ([][]string, error) {
	s, err := c.settings(ctx)
	if err != nil {
		return nil, err
	}
	var out [][]string
	for next := [][]string{nil}; len(next) > 0; {
		parent := next[0]
		next = next[1:]
		found, err := c.within(ctx, s, parent)
		if parent != nil && (isMissing(err) || isUnknown(err) || isForbidden(err)) {
			continue // it went meanwhile, who asks may not see it, or the catalog has no schemas within others
		}
		if err != nil {
			return nil, err
		}
		if out, next = append(out, found...), append(next, found...); len(out) > mostNames {
			return nil, c.wrong("its schemas", errNames)
		}
	}
	return out, nil
}

// within are the schemas within one (listNamespaces). Some catalogs answer with all that are below.
func (c *catalog) within(ctx context.Context, s *settings, parent []string) ([][]string, error) {
	address := s.address("namespaces")
	if parent != nil {
		address += "?parent=" + s.namespace(parent)
	}
	var out [][]string
	err := c.pages(ctx, address, "its schemas", func(page []byte) (string, error) {
		var in namespacesJSON
		if err := json.Unmarshal(page, &in); err != nil {
			return "", err
		}
		for _, n := range in.Namespaces {
			if len(n) == len(parent)+1 && slices.Equal(n[:len(parent)], parent) && possible(n...) {
				out = append(out, n)
			}
		}
		if len(out) > mostNames {
			return "", errNames
		}
		return text(in.Next), nil
	})
	return out, err
}

type tablesJSON struct {
	Next        *string `json:"next-page-token"`
	Identifiers []struct {
		Namespace []string `json:"namespace"`
		Name      string   `json:"name"`
	} `json:"identifiers"`
}

// Names implements storage.Tables (listTables).
func (c *catalog) Names(ctx context.Context, schema []string) ([]string, error) {
	if !possible(schema...) {
		return nil, fmt.Errorf("%s: schema %q: %w", c.name, schema, storage.ErrNoTable)
	}
	s, err := c.settings(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	err = c.pages(ctx, s.address("namespaces/"+s.namespace(schema)+"/tables"), "the tables of a schema", func(page []byte) (string, error) {
		var in tablesJSON
		if err := json.Unmarshal(page, &in); err != nil {
			return "", err
		}
		for _, t := range in.Identifiers {
			if possible(t.Name) {
				out = append(out, t.Name)
			}
		}
		if len(out) > mostNames {
			return "", errNames
		}
		return text(in.Next), nil
	})
	switch {
	case isMissing(err):
		err = fmt.Errorf("%w: %w", err, storage.ErrNoTable)
	case isForbidden(err):
		err = fmt.Errorf("%w: %w", err, storage.ErrForbidden)
	}
	return out, err
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
