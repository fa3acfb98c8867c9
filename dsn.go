package parquetsql

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// optionStart finds where the options begin: "?" and a name with "=". The path
// before is taken as it is, so a glob may contain "?".
var optionStart = regexp.MustCompile(`\?[A-Za-z_][^?&=]*=`)

const columnKeyPrefix = "column_key."

// ParseDSN reads "path?option=value&…". Values are percent-decoded, "+" stays
// "+". The error names the option; it never shows a key.
func ParseDSN(dsn string) (*Config, error) {
	c := NewConfig()
	path, options := dsn, ""
	if at := optionStart.FindAllStringIndex(dsn, -1); len(at) > 0 {
		start := at[len(at)-1][0]
		path, options = dsn[:start], dsn[start+1:]
	}
	c.Path = path
	seen := map[string]bool{}
	for option := range strings.SplitSeq(options, "&") {
		if option == "" {
			continue
		}
		name, value, found := strings.Cut(option, "=")
		name, err := url.PathUnescape(name)
		if err != nil || !found {
			return nil, errors.New("parquet: DSN: an option is not name=value")
		}
		if value, err = url.PathUnescape(value); err != nil {
			return nil, fmt.Errorf("parquet: DSN option %s: the value is not percent-encoded text", name)
		}
		if seen[name] {
			return nil, fmt.Errorf("parquet: DSN option %s: given twice", name)
		}
		seen[name] = true
		if err := c.set(name, value); err != nil {
			return nil, fmt.Errorf("parquet: DSN option %s: %w", name, err)
		}
	}
	return c, nil
}

func (c *Config) set(name, value string) (err error) {
	switch name {
	case "parallelism":
		c.Parallelism, err = parseCount(value)
	case "memory_limit":
		c.MemoryLimit, err = parseSize(value)
	case "temp_dir":
		c.TempDir = value
	case "verify_checksums":
		c.VerifyChecksums, err = parseBool(value)
	case "on_corrupt":
		c.OnCorrupt, err = oneOf(value, "", OnCorruptFail, OnCorruptSkip)
	case "binary_as_string":
		c.BinaryAsString, err = parseBool(value)
	case "hive_partitioning":
		c.HivePartitioning, err = oneOf(value, "", "auto", "on", "off")
	case "footer_key":
		c.FooterKey, err = parseKey(value)
	case "aad_prefix":
		c.AADPrefix, err = parseBase64(value)
	case "pruning":
		c.Pruning, err = oneOf(value, "", "on", "off")
	default:
		column, ok := strings.CutPrefix(name, columnKeyPrefix)
		if !ok || column == "" {
			return errors.New("no such option")
		}
		if c.ColumnKeys == nil {
			c.ColumnKeys = map[string][]byte{}
		}
		c.ColumnKeys[column], err = parseKey(value)
	}
	return err
}

func parseCount(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a count", s)
	}
	return n, nil
}

func parseBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "true", "1", "on":
		return true, nil
	case "false", "0", "off":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", s)
}

func oneOf(s string, allowed ...string) (string, error) {
	if !slices.Contains(allowed, s) {
		return "", fmt.Errorf("%q is none of %s", s, strings.Join(allowed[1:], ", "))
	}
	return s, nil
}

// sizeUnits are the suffixes of memory_limit: powers of 1024 with an i, of 1000 without.
var sizeUnits = map[string]uint64{
	"": 1, "b": 1,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
}

func parseSize(s string) (int64, error) {
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit, ok := sizeUnits[strings.ToLower(strings.TrimSpace(s[len(digits):]))]
	n, err := strconv.ParseUint(digits, 10, 64)
	hi, size := bits.Mul64(n, unit)
	if err != nil || !ok || hi != 0 || size > math.MaxInt64 {
		return 0, fmt.Errorf("%q is not a size such as 512MiB", s)
	}
	return int64(size), nil
}

// parseBase64 takes the standard and the URL alphabet, padded or not.
func parseBase64(s string) ([]byte, error) {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return nil, errors.New("the value is not base64") // the value may be a key: not shown
	}
	return b, nil
}

func parseKey(s string) ([]byte, error) {
	key, err := parseBase64(s)
	if err != nil {
		return nil, err
	}
	switch len(key) {
	case 16, 24, 32:
		return key, nil
	}
	return nil, fmt.Errorf("an AES key has 16, 24 or 32 bytes, this one has %d", len(key))
}

// FormatDSN is the DSN that ParseDSN reads back as c: all fields that have an
// option, keys included, where they differ from the defaults.
func (c *Config) FormatDSN() string { return c.format(base64.RawURLEncoding.EncodeToString) }

func (c *Config) format(key func([]byte) string) string {
	var options []string
	add := func(name, value string) {
		options = append(options, escape(name)+"="+escape(value))
	}
	d := NewConfig()
	for _, o := range []struct {
		name             string
		value, byDefault any
	}{
		{"parallelism", c.Parallelism, d.Parallelism},
		{"memory_limit", c.MemoryLimit, d.MemoryLimit},
		{"temp_dir", c.TempDir, d.TempDir},
		{"verify_checksums", c.VerifyChecksums, d.VerifyChecksums},
		{"on_corrupt", c.OnCorrupt, d.OnCorrupt},
		{"binary_as_string", c.BinaryAsString, d.BinaryAsString},
		{"hive_partitioning", c.HivePartitioning, d.HivePartitioning},
		{"pruning", c.Pruning, d.Pruning},
	} {
		if o.value != o.byDefault {
			add(o.name, fmt.Sprint(o.value))
		}
	}
	if len(c.FooterKey) > 0 {
		add("footer_key", key(c.FooterKey))
	}
	for _, column := range slices.Sorted(maps.Keys(c.ColumnKeys)) {
		add(columnKeyPrefix+column, key(c.ColumnKeys[column]))
	}
	if len(c.AADPrefix) > 0 {
		add("aad_prefix", key(c.AADPrefix))
	}
	if len(options) == 0 && optionStart.MatchString(c.Path) {
		add("pruning", d.Pruning) // else the path's own "?" would begin the options
	}
	if len(options) == 0 {
		return c.Path
	}
	return c.Path + "?" + strings.Join(options, "&")
}

// escape percent-encodes all but what is surely taken as it is.
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
