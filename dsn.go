package parquetsql

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/storage"
)

// optionStart matches the beginning of the options: "?", a name and "=". The path
// before it is taken as it is, so that a glob may contain "?".
var optionStart = regexp.MustCompile(`\?[A-Za-z_][^?&=]*=`)

// lostKey matches a key that would be part of the path, so that errors would show it.
var lostKey = regexp.MustCompile(`(?i)[?&;,](footer_key|column_key\.[^=?&;,]*|aad_prefix)=`)

// lostSecret is the same of a secret of a catalog.
var lostSecret = regexp.MustCompile(`(?i)^iceberg[a-z+]*://.*[?&;,](token|credential)=`)

// unknownName matches what an error shows of the name of an option that does not exist:
// behind a name that is almost that of a key there may be the key.
var unknownName = regexp.MustCompile(`(?i)^(footer_key|column_key\.?|aad_prefix|[a-z0-9_.-]*)`)

// ParseDSN reads "path?option=value&…". The path may be a URL, file:///data/sales, or the name of
// a Config, config:name, see RegisterConfig. Values are percent-decoded, "+" stays
// "+". The error names the option; it never shows a key.
func ParseDSN(dsn string) (config *Config, err error) {
	defer prefix(&err)
	path, options := cutOptions(dsn)
	at := lostKey.FindStringSubmatch(path)
	if at == nil {
		at = lostSecret.FindStringSubmatch(path)
	}
	if at != nil {
		return nil, fmt.Errorf("DSN option %s: the first option follows a ?, the others follow a &", at[1])
	}
	c, err := located(path)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for option := range strings.SplitSeq(options, "&") {
		if option == "" {
			continue
		}
		name, value, found := strings.Cut(option, "=")
		name, err := url.PathUnescape(name)
		if err != nil || !found {
			return nil, errors.New("DSN: options have the form name=value, joined by &")
		}
		if value, err = url.PathUnescape(value); err != nil {
			return nil, fmt.Errorf("DSN option %s: the value is not percent-encoded text", name)
		}
		if seen[name] {
			return nil, fmt.Errorf("DSN option %s: it is given twice", name)
		}
		seen[name] = true
		o, ok := optionNamed(name)
		if !ok {
			if err := c.setStoreOption(name, value); err != nil {
				return nil, err
			}
			continue
		}
		if err := o.parse(c, name, value); err != nil {
			return nil, fmt.Errorf("DSN option %s: %w", name, err)
		}
	}
	return c, nil
}

// cutOptions divides a DSN. Of a web server's address the options follow a "#".
func cutOptions(dsn string) (path, options string) {
	if a, ok := storage.ParseAddress(dsn); ok && a.IsHTTP() {
		path, options, _ = strings.Cut(dsn, "#")
		return path, options
	}
	if at := optionStart.FindAllStringIndex(dsn, -1); len(at) > 0 {
		start := at[len(at)-1][0]
		return dsn[:start], dsn[start+1:]
	}
	return dsn, ""
}

// located is the Config that the part of a DSN before the options stands for.
func located(path string) (*Config, error) {
	if name, ok := strings.CutPrefix(path, configPrefix); ok {
		return registered(name)
	}
	c := NewConfig()
	c.Path = path
	if !strings.HasPrefix(path, "file://") {
		return c, nil
	}
	u, err := url.Parse(path)
	if err != nil || u.Host != "" && u.Host != "localhost" || u.Path == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("DSN: %s is no URL of a file on this machine, like file:///data/sales, with ? and # as %%3F and %%23", path)
	}
	if c.Path = u.Path; len(c.Path) > 2 && c.Path[2] == ':' { // file:///C:/data
		c.Path = c.Path[1:]
	}
	return c, nil
}

// FormatDSN is the DSN that ParseDSN reads back as c: all fields that have an
// option, keys included, where they differ from the defaults.
func (c *Config) FormatDSN() string { return c.format(shownKey, escape) }

// WithoutSecrets is a copy without keys and without the secret options of the store, for another process
// that has them of its own. It is an error where the Path itself has credentials.
func (c *Config) WithoutSecrets() (_ *Config, err error) {
	defer prefix(&err)
	if a, ok := storage.ParseAddress(c.Path); ok && a.String() != c.Path {
		return nil, fmt.Errorf("location %q: its address has credentials; give them in the environment or as options", a)
	}
	out := c.Clone()
	out.FooterKey, out.ColumnKeys, out.AADPrefix = nil, nil, nil
	maps.DeleteFunc(out.StoreOptions, func(name, _ string) bool { return c.isSecret(name) })
	return out, nil
}

// format is a DSN in which keys and secret options of the store are shown as the functions do.
func (c *Config) format(key func([]byte) string, secret func(string) string) string {
	var parts []string
	for _, o := range options {
		for _, s := range o.format(c, key) {
			parts = append(parts, escape(s.name)+"="+escape(s.value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.StoreOptions)) {
		value := escape(c.StoreOptions[name])
		if c.isSecret(name) {
			value = secret(c.StoreOptions[name])
		}
		parts = append(parts, escape(name)+"="+value)
	}
	if a, ok := storage.ParseAddress(c.Path); ok && a.IsHTTP() {
		return strings.TrimSuffix(c.Path+"#"+strings.Join(parts, "&"), "#")
	}
	if len(parts) == 0 {
		if !optionStart.MatchString(c.Path) {
			return c.Path
		}
		parts = []string{"pruning=on"} // the default; else the path's own "?" would begin the options
	}
	return c.Path + "?" + strings.Join(parts, "&")
}

// escape percent-encodes all characters but those that no part of a DSN treats
// specially.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case 'a' <= ch && ch <= 'z', 'A' <= ch && ch <= 'Z', '0' <= ch && ch <= '9', strings.IndexByte("._-/:", ch) >= 0:
			b.WriteByte(ch)
		default:
			b.WriteString("%" + string(hex[ch>>4]) + string(hex[ch&15]))
		}
	}
	return b.String()
}
