package iceberg

import (
	"net/url"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/storage"
)

// unitSeparator stands between the parts of a namespace, unless the catalog says otherwise.
const unitSeparator = "%1F"

// encoded is a name as a part of a path. A "+" is written so that servers cannot read it as a
// space, and a space not as "+".
func encoded(name string) string {
	return strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}

// namespace is a namespace as a part of a path, or of a query.
func (s *settings) namespace(parts []string) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = encoded(p)
	}
	return strings.Join(out, s.separator)
}

// possible reports whether an address can have the names: servers take "." and ".." for others, and
// the separator for two.
func possible(names ...string) bool {
	return !slices.ContainsFunc(names, func(n string) bool {
		return n == "" || n == "." || n == ".." || strings.ContainsAny(n, "\x1f\x00")
	})
}

// shown is the name of a table for messages.
func shown(t storage.TableName) string {
	return strings.Join(append(slices.Clone(t.Schema), t.Name), ".")
}
