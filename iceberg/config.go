package iceberg

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/storage/remote"
)

// settings are what the catalog has said of itself (getConfig). They are asked for once.
type settings struct {
	properties map[string]string // defaults, what the user says over them, overrides over that
	prefix     string            // "" or one that ends with a slash
	separator  string            // between parts of a namespace, as addresses have it
	endpoints  []string          // nil: the default ones
}

// groups are the properties of the user that are for the files and not for the catalog.
var groups = []string{"s3.", "gcs.", "adls.", "client."}

type configJSON struct {
	Defaults  map[string]*string `json:"defaults"`
	Overrides map[string]*string `json:"overrides"`
	Endpoints []string           `json:"endpoints"`
}

// settings asks for them, unless they are known. Who comes while somebody asks waits.
func (c *catalog) settings(ctx context.Context) (*settings, error) {
	select {
	case c.asked <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.asked }()
	if c.known != nil {
		return c.known, nil
	}
	address := c.base + "/v1/config"
	if c.warehouse != "" {
		address += "?warehouse=" + encoded(c.warehouse)
	}
	body, err := c.get(ctx, address, request{what: "its settings"})
	if err != nil {
		return nil, err
	}
	var in configJSON
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, c.wrong("its settings", err)
	}
	s, err := c.merged(&in)
	if err != nil {
		return nil, err
	}
	c.known = s
	return s, nil
}

func (c *catalog) merged(in *configJSON) (*settings, error) {
	s := &settings{properties: map[string]string{}, endpoints: in.Endpoints}
	set := func(from map[string]*string) {
		for name, value := range from {
			if delete(s.properties, name); value != nil {
				s.properties[name] = *value
			}
		}
	}
	set(in.Defaults)
	for name, value := range c.options {
		if name == "prefix" || slices.ContainsFunc(groups, func(g string) bool { return strings.HasPrefix(name, g) }) {
			s.properties[name] = value
		}
	}
	set(in.Overrides)
	if p := strings.Trim(s.properties["prefix"], "/"); p != "" {
		s.prefix = p + "/"
	}
	s.separator = cmp.Or(s.properties["namespace-separator"], unitSeparator)
	if _, err := url.PathUnescape(s.separator); err != nil || strings.ContainsAny(s.separator, "/?#") {
		return nil, c.wrong("its settings", fmt.Errorf("the namespace-separator is %q", s.separator))
	}
	// The catalog may not send what says who asks to another host.
	if uri := s.properties["uri"]; uri != "" && strings.TrimRight(uri, "/") != c.base {
		u, err := url.Parse(uri)
		if err != nil || u.Scheme != c.origin.Scheme || u.Host != c.origin.Host || u.RawQuery != "" {
			return nil, &remote.Error{Kind: remote.Denied, Object: c.name, Reason: "the catalog names another address for itself", Help: "set the option endpoint to that address, if it is right: " + withoutQuery(uri)}
		}
		s.properties["uri"] = strings.TrimRight(uri, "/")
	} else {
		s.properties["uri"] = c.base
	}
	return s, nil
}

// withoutQuery is an address without what may be secret in it.
func withoutQuery(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return "an address that cannot be read"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// address is one of the catalog's behind the prefix.
func (s *settings) address(path string) string {
	return s.properties["uri"] + "/v1/" + s.prefix + path
}

// has reports whether the catalog says that it has an endpoint which is none of the default ones.
func (s *settings) has(endpoint string) bool { return slices.Contains(s.endpoints, endpoint) }

// filesOf are the properties that are for the files.
func (s *settings) filesOf() map[string]string {
	out := maps.Clone(s.properties)
	maps.DeleteFunc(out, func(name, _ string) bool {
		return !slices.ContainsFunc(groups, func(g string) bool { return strings.HasPrefix(name, g) })
	})
	return out
}
