package parquetsql

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/machine"
	"github.com/parquetsql/parquetsql/scan/catalog"
)

// option is one row of the table of options: all that the driver knows of an
// option. ParseDSN, FormatDSN, NewConfig, the checks of a Config and the README's
// table are made from it.
type option struct {
	name      string // in the DSN; column_key. goes on with the column's path
	meaning   string // for the README
	values    string // that are allowed, for the README; "" where the meaning says it
	byDefault string // for the README

	reset  func(c *Config)                                    // to the default
	fill   func(c *Config)                                    // the default into an empty field
	parse  func(c *Config, name, value string) error          // a DSN's value
	check  func(c *Config) error                              // a field's value
	format func(c *Config, key func([]byte) string) []setting // what differs from the default
}

// setting is an option as a DSN has it, before it is escaped.
type setting struct{ name, value string }

const columnKeyPrefix = "column_key."

// options is the table.
var options = []option{
	countOption(option{name: "parallelism", meaning: "goroutines that may work on one query", byDefault: "`GOMAXPROCS`"},
		func(c *Config) *int { return &c.Parallelism }, func() int { return runtime.GOMAXPROCS(0) }),
	memoryOption(option{name: "memory_limit", meaning: "bytes that one query may hold, 1 MiB at least; past it operators spill to `temp_dir`; `0` is no limit",
		byDefault: "half of what the machine or the cgroup has, or of `GOMEMLIMIT`"}, func(c *Config) *int64 { return &c.MemoryLimit }),
	textOption(option{name: "temp_dir", meaning: "where spilled data goes", byDefault: "`os.TempDir()`"},
		func(c *Config) *string { return &c.TempDir }, os.TempDir),
	boolOption(option{name: "verify_checksums", meaning: "check page CRC-32 where the file has it"},
		func(c *Config) *bool { return &c.VerifyChecksums }, true),
	enumOption(option{name: "on_corrupt", meaning: "`fail`, or `skip`: leave out the rows of the smallest damaged unit and tell `OnSkip`, or the log"},
		func(c *Config) *string { return &c.OnCorrupt }, OnCorruptFail, OnCorruptSkip),
	enumOption(option{name: "log_skipped", meaning: "where there is no `OnSkip`, log a warning with `log/slog` for each unit that `on_corrupt=skip` leaves out"},
		func(c *Config) *string { return &c.LogSkipped }, "on", "off"),
	boolOption(option{name: "binary_as_string", meaning: "BYTE_ARRAY without annotation is VARCHAR"},
		func(c *Config) *bool { return &c.BinaryAsString }, false),
	textOption(option{name: "variant_groups", meaning: "names of groups that are VARIANTs though the file does not say so, divided by commas", byDefault: "none"},
		func(c *Config) *string { return &c.VariantGroups }, func() string { return "" }),
	enumOption(option{name: "hive_partitioning", meaning: "`key=value` folders become columns; `auto`: where all files of the table have the same keys"},
		func(c *Config) *string { return &c.HivePartitioning }, "auto", "on", "off"),
	enumOption(option{name: "extensions", meaning: "which files of folders are tables: `parquet`, those named `*.parquet`, `*.parq` and `*.pq`; `any`, all that begin as Parquet files do, whatever their names"},
		func(c *Config) *string { return &c.Extensions }, "parquet", "any"),
	boolOption(option{name: "distinct_names", meaning: "columns of a result that have the name of one before them get `_1`, `_2` … behind it"},
		func(c *Config) *bool { return &c.DistinctNames }, false),
	enumOption(option{name: "pruning", meaning: "`off` reads everything, for checking and measuring"},
		func(c *Config) *string { return &c.Pruning }, "on", "off"),
	boolOption(option{name: "follow_symlinks", meaning: "read symbolic links that lead out of the location, as in Hugging Face's cache"},
		func(c *Config) *bool { return &c.FollowSymlinks }, false),
	locationMapOption(option{name: "location_map", meaning: "`FROM=TO`, divided by commas: where files are whose absolute paths the log of a Delta Lake table or the metadata of an Iceberg table has. What begins with FROM is in the folder TO, which may be relative to the location or in a store, `s3://bucket/folder`", byDefault: "none"}),
	sizeOption(option{name: "footer_cache", meaning: "bytes that footers and indexes may occupy between queries", byDefault: "`64MiB`"},
		func(c *Config) *int64 { return &c.FooterCache }, func() int64 { return catalog.DefaultFooterCacheBytes }),
	sizeOption(option{name: "log_cache", meaning: "bytes that the states of the logs of tables may occupy between queries, with the statistics of their files", byDefault: "an eighth of what the machine or the cgroup has, `1GiB` at most"},
		func(c *Config) *int64 { return &c.LogCache }, defaultLogCache),
	textOption(option{name: "cache_dir", meaning: "folder in which bytes of buckets and web servers are kept; several processes may share it", byDefault: "none"},
		func(c *Config) *string { return &c.CacheDir }, func() string { return "" }),
	sizeOption(option{name: "cache_size", meaning: "bytes that `cache_dir` may have; what was not used for the longest time goes first", byDefault: "`1GiB`"},
		func(c *Config) *int64 { return &c.CacheSize }, func() int64 { return defaultCacheSize }),
	keyOption(option{name: "footer_key", meaning: "AES key of encrypted files: of the footer and of columns without a key of their own", byDefault: "none"},
		func(c *Config) *[]byte { return &c.FooterKey }, checkKey),
	columnKeysOption(option{name: columnKeyPrefix, meaning: "AES key of one column, or of all columns in a group, by the dotted path in the file", byDefault: "none"}),
	keyOption(option{name: "aad_prefix", meaning: "AAD prefix of encrypted files that do not store it", byDefault: "none"},
		func(c *Config) *[]byte { return &c.AADPrefix }, func([]byte) error { return nil }),
}

const defaultCacheSize = 1 << 30

// optionNamed finds the option of a name in a DSN.
func optionNamed(name string) (option, bool) {
	for _, o := range options {
		if o.name == name && name != columnKeyPrefix || o.name == columnKeyPrefix && strings.HasPrefix(name, columnKeyPrefix) && name != columnKeyPrefix {
			return o, true
		}
	}
	return option{}, false
}

// fieldOption completes an option whose default is in values of one type. Zero is an
// empty field.
func fieldOption[T comparable](o option, at func(*Config) *T, byDefault func() T, parse func(string) (T, error), show func(T) string) option {
	var zero T
	o.reset = func(c *Config) { *at(c) = byDefault() }
	o.fill = func(c *Config) {
		if *at(c) == zero {
			*at(c) = byDefault()
		}
	}
	o.parse = func(c *Config, _, value string) (err error) {
		*at(c), err = parse(value)
		return err
	}
	o.check = func(*Config) error { return nil }
	o.format = func(c *Config, _ func([]byte) string) []setting {
		if v := *at(c); v != byDefault() {
			return []setting{{o.name, show(v)}}
		}
		return nil
	}
	return o
}

func countOption(o option, at func(*Config) *int, byDefault func() int) option {
	o.values = "a number"
	o = fieldOption(o, at, byDefault, parseCount, strconv.Itoa)
	o.check = notNegative(o.name, at)
	return o
}

// defaultLogCache holds the state of a log of a million files where there is memory for it.
func defaultLogCache() int64 {
	return min(max(machine.Memory(os.DirFS("/"))/8, 64<<20), 1<<30)
}

func sizeOption(o option, at func(*Config) *int64, byDefault func() int64) option {
	o.values = "`512MiB`, `2GB`, a number"
	show := func(n int64) string { return strconv.FormatInt(n, 10) }
	o = fieldOption(o, at, byDefault, parseSize, show)
	o.check = notNegative(o.name, at)
	return o
}

// leastMemory is the smallest memory limit: what queries hold that is not charged, such
// as batches and small pages, is more than that.
const leastMemory = 1 << 20

// memoryOption is a size of which 0 is NoMemoryLimit, and an empty text the default.
func memoryOption(o option, at func(*Config) *int64) option {
	o.values = "`512MiB`, `2GB`, a number"
	parse := func(s string) (int64, error) {
		if s == "" {
			return 0, nil
		}
		n, err := parseSize(s)
		if err == nil && n == 0 {
			n = NoMemoryLimit
		}
		return n, err
	}
	show := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(max(n, 0), 10)
	}
	o = fieldOption(o, at, defaultMemory, parse, show)
	o.check = func(c *Config) error {
		if n := *at(c); n < leastMemory && n != NoMemoryLimit {
			return fmt.Errorf("option %s: %d is too little, the least is 1MiB (0 in a DSN, NoMemoryLimit in Go, is no limit)", o.name, n)
		}
		return nil
	}
	return o
}

// defaultMemory is half of the memory that the process may use: the program, other
// queries and the system's file cache need the rest.
func defaultMemory() int64 {
	if n := machine.Memory(os.DirFS("/")); n > 0 {
		return max(n/2, leastMemory)
	}
	return NoMemoryLimit
}

func notNegative[T int | int64](name string, at func(*Config) *T) func(*Config) error {
	return func(c *Config) error {
		if *at(c) < 0 {
			return fmt.Errorf("option %s: %d is negative", name, *at(c))
		}
		return nil
	}
}

func textOption(o option, at func(*Config) *string, byDefault func() string) option {
	o.values = "text"
	asItIs := func(s string) (string, error) { return s, nil }
	return fieldOption(o, at, byDefault, asItIs, func(s string) string { return s })
}

// locationMapOption is a text that has the form of a location map.
func locationMapOption(o option) option {
	o.values = "text"
	parse := func(s string) (string, error) {
		_, err := locations(s)
		return s, err
	}
	return fieldOption(o, func(c *Config) *string { return &c.LocationMap }, func() string { return "" }, parse, func(s string) string { return s })
}

// locations are the pairs of a location map.
func locations(text string) (map[string]string, error) {
	out := map[string]string{}
	if text == "" {
		return out, nil
	}
	for pair := range strings.SplitSeq(text, ",") {
		from, to, ok := strings.Cut(pair, "=")
		if !ok || from == "" || to == "" {
			return nil, fmt.Errorf("%q is not FROM=TO", pair)
		}
		out[from] = to
	}
	return out, nil
}

// boolOption is true or false. An empty field of a literal is false: nothing is filled in.
func boolOption(o option, at func(*Config) *bool, byDefault bool) option {
	o.byDefault = fmt.Sprintf("`%v`", byDefault)
	o.values = "`true`, `false`"
	o = fieldOption(o, at, func() bool { return byDefault }, parseBool, strconv.FormatBool)
	o.fill = func(*Config) {}
	return o
}

// enumOption is one of the allowed texts, the first of which is the default.
func enumOption(o option, at func(*Config) *string, allowed ...string) option {
	o.byDefault = "`" + allowed[0] + "`"
	o.values = "`" + strings.Join(allowed, "`, `") + "`"
	parse := func(s string) (string, error) {
		if s != "" && !slices.Contains(allowed, s) {
			return "", fmt.Errorf("%q is not one of %s", s, strings.Join(allowed, ", "))
		}
		return s, nil
	}
	o = fieldOption(o, at, func() string { return allowed[0] }, parse, func(s string) string { return s })
	o.check = func(c *Config) error {
		if !slices.Contains(allowed, *at(c)) {
			return fmt.Errorf("option %s: %q is not one of %v", o.name, *at(c), allowed)
		}
		return nil
	}
	return o
}

// keyOption is bytes that no message shows. Empty ones are none.
func keyOption(o option, at func(*Config) *[]byte, check func([]byte) error) option {
	o.values = "base64"
	o.reset = func(c *Config) { *at(c) = nil }
	o.fill = func(*Config) {}
	o.check = func(c *Config) error {
		if len(*at(c)) == 0 {
			return nil
		}
		if err := check(*at(c)); err != nil {
			return fmt.Errorf("option %s: %w", o.name, err)
		}
		return nil
	}
	o.parse = func(c *Config, _, value string) (err error) {
		if *at(c), err = parseBase64(value); err != nil {
			return err
		}
		return check(*at(c))
	}
	o.format = func(c *Config, key func([]byte) string) []setting {
		if len(*at(c)) == 0 {
			return nil
		}
		return []setting{{o.name, key(*at(c))}}
	}
	return o
}

func columnKeysOption(o option) option {
	o.values = "base64"
	o.reset = func(c *Config) { c.ColumnKeys = nil }
	o.fill = func(*Config) {}
	o.check = func(c *Config) error {
		for _, column := range slices.Sorted(maps.Keys(c.ColumnKeys)) {
			err := checkKey(c.ColumnKeys[column])
			if column == "" {
				err = errors.New("the key of a column without a name")
			}
			if err != nil {
				return fmt.Errorf("option %s%s: %w", columnKeyPrefix, column, err)
			}
		}
		return nil
	}
	o.parse = func(c *Config, name, value string) error {
		key, err := parseBase64(value)
		if err == nil {
			err = checkKey(key)
		}
		if err != nil {
			return err
		}
		if c.ColumnKeys == nil {
			c.ColumnKeys = map[string][]byte{}
		}
		c.ColumnKeys[strings.TrimPrefix(name, columnKeyPrefix)] = key
		return nil
	}
	o.format = func(c *Config, key func([]byte) string) (out []setting) {
		for _, column := range slices.Sorted(maps.Keys(c.ColumnKeys)) {
			out = append(out, setting{columnKeyPrefix + column, key(c.ColumnKeys[column])})
		}
		return out
	}
	return o
}

// shownKey and hiddenKey write a key into a DSN: as it is, and for messages.
func shownKey(key []byte) string { return base64.RawURLEncoding.EncodeToString(key) }

func hiddenKey([]byte) string { return "redacted" }
