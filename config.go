package parquetsql

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/parquetsql/parquetsql/scan/keys"
	"github.com/parquetsql/parquetsql/storage"
)

// The values of Config.OnCorrupt.
const (
	OnCorruptFail = "fail"
	OnCorruptSkip = "skip"
)

// KMS is a key management service: it keeps master keys and unwraps keys that they have
// wrapped. Files that parquet-java, Arrow or Spark wrote with a KMS have the wrapped keys
// in their key material, or in files named _KEY_MATERIAL_FOR_… beside them.
type KMS interface {
	// UnwrapKey returns the key that the master key masterKeyID has wrapped. All
	// arguments are what the file says: check instanceURL before sending it anything.
	// A key is asked for once in the life of a connector, unless there was an error.
	// Several goroutines may ask at the same time.
	UnwrapKey(ctx context.Context, instanceID, instanceURL, masterKeyID, wrappedKey string) ([]byte, error)
}

// Config says where the files are and how to read them. NewConfig has the
// defaults; in a literal an empty field means the default, but for
// VerifyChecksums, where false is off. The DSN option of a field is the name in
// front of its meaning.
type Config struct {
	// Path is the DSN up to "?": a directory, a file, or a glob. It is taken as it
	// is and never decoded. It may be a URL of a store whose module is imported,
	// s3://bucket/prefix; in https://host/file.parquet?a=b what follows the "?" is the
	// server's, and options follow a "#".
	Path string
	// FS is a file system; Path is inside it. Nil is the local disk. A file that is neither
	// io.ReaderAt nor io.Seeker, as those of a zip archive, is copied to be read: to memory up
	// to 1 MiB, or to TempDir, where the copies of all files that are open have 16 GiB at most.
	FS fs.FS

	// StoreOptions are options of the store that Path names, such as region, under the
	// names that the DSN has for them; docs/stores.md lists them.
	StoreOptions map[string]string
	// Stores opens schemes of URLs in place of the modules that are imported. It is for tests.
	Stores map[string]storage.Scheme

	// Parallelism (parallelism) is how many goroutines may work on one query. The
	// default is GOMAXPROCS.
	Parallelism int
	// MemoryLimit (memory_limit) is how many bytes one query may hold. Past it
	// operators spill to TempDir, or fail with ErrMemoryLimit. The default is half of
	// what the machine, the cgroup or GOMEMLIMIT has, and no limit where that is not known
	// (systems other than Linux). Less than 1 MiB is an error; NoMemoryLimit is no limit.
	MemoryLimit int64
	// TempDir (temp_dir) is where spilled data goes. The default is os.TempDir().
	TempDir string
	// VerifyChecksums (verify_checksums) checks the CRC-32 of pages that have one.
	VerifyChecksums bool
	// OnCorrupt (on_corrupt) is OnCorruptFail, the default: damage ends the query
	// with a *CorruptError. OnCorruptSkip leaves out the rows of the smallest
	// damaged unit (page, rest of a column chunk, row group, file) instead.
	OnCorrupt string
	// OnSkip is called for each unit that OnCorruptSkip leaves out. Queries that
	// run at the same time call it at the same time.
	OnSkip func(*CorruptError)
	// LogSkipped (log_skipped) is on, the default, or off: whether, without OnSkip, the
	// default logger of log/slog gets a warning for each unit that is left out.
	LogSkipped string
	// OnQuery is called when a query has ended, its rows being closed, or when it could not
	// begin; not for a statement that is no SQL. Queries that run at the same time call it
	// at the same time.
	OnQuery func(QueryStats)
	// BinaryAsString (binary_as_string) reads BYTE_ARRAY without annotation as
	// VARCHAR, for files of Impala, Hive and old Spark.
	BinaryAsString bool
	// VariantGroups (variant_groups) names groups, by their dotted paths and divided by
	// commas, that are VARIANTs although the file does not say so: groups of metadata,
	// value and perhaps typed_value, as Iceberg and Spark have written them.
	VariantGroups string
	// HivePartitioning (hive_partitioning) says whether key=value folders become
	// columns: on, off, or auto, which is the default and means on where all files
	// of a table have the same keys, in any order.
	HivePartitioning string
	// Extensions (extensions) says which files of folders are tables: parquet, the default,
	// means those whose names end in .parquet, .parq or .pq; any means all that begin as
	// Parquet files do, whatever their names, as Hive, Impala and Athena write them. Each file
	// of another name is then opened once. Names that begin with _ or . are left out as ever,
	// and globs match files of any name.
	Extensions string
	// LocationMap (location_map) says where files are that the log of a Delta Lake table has
	// absolute paths of, as its shallow clones have: FROM=TO, divided by commas. FROM is what the
	// paths begin with, TO a folder: absolute, relative to the location, or the address of one in a
	// store, which has the options of Path's own store if its scheme is the same.
	LocationMap string
	// DistinctNames (distinct_names) puts _1, _2 … behind the name of a result's column that
	// one before it has, for programs that keep a row in a map.
	DistinctNames bool
	// Pruning (pruning) is on, the default, or off: read everything, for the same
	// rows, to check and to measure.
	Pruning string
	// FollowSymlinks (follow_symlinks) reads symbolic links that lead out of the
	// location; without it they are an error.
	FollowSymlinks bool
	// Tables, unless empty, are the names of the tables that there are, where * stands for any
	// letters and ? for one. No other table is found or listed, and none by its path.
	Tables []string
	// FooterCache (footer_cache) is how many bytes of footers and page indexes the
	// connector keeps between queries. The default is 64 MiB.
	FooterCache int64
	// LogCache (log_cache) is how many bytes the connector keeps between queries of the logs of
	// Delta Lake tables: their files, and the statistics of these. What was not used for the
	// longest time goes first, and is read again. The default is an eighth of what the machine or
	// the cgroup has, 1 GiB at most.
	LogCache int64
	// CacheDir (cache_dir) is a folder in which bytes of remote stores are kept, by the
	// versions of their files; several processes may share it. What it has is not encrypted,
	// unless the files are. The default is none.
	CacheDir string
	// CacheSize (cache_size) is how many bytes CacheDir may have. The default is 1 GiB.
	CacheSize int64

	// The keys of encrypted files. A key has 16, 24 or 32 bytes. FooterKey and
	// ColumnKeys are tried first, then KeyRetriever, then KMS. A query that needs a
	// key that is not found is ErrKeyMissing; columns without a key spoil no others.

	// FooterKey (footer_key, in base64) is the AES key of the footer and of columns
	// without a key of their own.
	FooterKey []byte
	// ColumnKeys (column_key.<dotted.path>, in base64) has the AES keys of columns, by
	// their path in the file's schema ("address.city", "tags.list.element"). The path
	// of a group stands for all columns in it ("tags").
	ColumnKeys map[string][]byte
	// KeyRetriever finds a key from the key metadata that the file has for it. It is
	// called once for each metadata in the life of a connector, unless there was an
	// error, and by several goroutines at the same time.
	KeyRetriever func(keyMetadata []byte) ([]byte, error)
	// KMS unwraps the keys of files with the standard key material.
	KMS KMS
	// AADPrefix (aad_prefix, in base64) is for files that do not store it.
	AADPrefix []byte
}

// NoMemoryLimit, as Config.MemoryLimit, lets queries hold as much as they need. In a DSN
// it is memory_limit=0.
const NoMemoryLimit = -1

// NewConfig returns a Config with the defaults.
func NewConfig() *Config {
	out := &Config{}
	for _, o := range options {
		o.reset(out)
	}
	return out
}

// Clone returns a deep copy.
func (c *Config) Clone() *Config {
	out := *c
	out.StoreOptions, out.Stores = maps.Clone(c.StoreOptions), maps.Clone(c.Stores)
	out.Tables = slices.Clone(c.Tables)
	out.FooterKey = bytes.Clone(c.FooterKey)
	out.AADPrefix = bytes.Clone(c.AADPrefix)
	out.ColumnKeys = maps.Clone(c.ColumnKeys)
	for name, key := range out.ColumnKeys {
		out.ColumnKeys[name] = bytes.Clone(key)
	}
	return &out
}

// normalized is a copy with the defaults filled in, or an error that names the
// option whose value is not valid.
func (c *Config) normalized() (*Config, error) {
	out := c.Clone()
	if out.Path == "" {
		if out.FS == nil {
			return nil, errors.New("the DSN has no path: give a directory, a file or a glob")
		}
		out.Path = "."
	}
	for _, pattern := range out.Tables {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("the pattern %q in Tables: %w", pattern, err)
		}
	}
	if err := out.checkStore(); err != nil {
		return nil, err
	}
	for _, o := range options {
		o.fill(out)
		if err := o.check(out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// lostOption finds the name of an option in a path, and whether it has a value.
var lostOption = regexp.MustCompile(`\?([a-z_]+)(=|$)`)

// checkPath fails if an option has become a part of the path, and there is nothing there that has this name or
// matches it. Addresses may have a ? of their own.
func (c *Config) checkPath() error {
	found := lostOption.FindStringSubmatch(c.Path)
	if _, remote := c.address(); remote || found == nil {
		return nil
	}
	if _, ok := optionNamed(found[1]); !ok {
		return nil
	}
	glob := filepath.Glob
	if c.FS != nil {
		glob = func(pattern string) ([]string, error) { return fs.Glob(c.FS, pattern) }
	}
	if matches, err := glob(c.Path); err != nil || len(matches) > 0 {
		return nil
	}
	if found[2] == "" {
		return fmt.Errorf("location %q: the option %s has no value: write ?%[2]s=…", c.Path, found[1])
	}
	return fmt.Errorf("location %q: the option %s is part of the path; ParseDSN reads options, in a Config they are fields", c.Path, found[1])
}

// checkTempDir fails if TempDir is no folder. The default is not looked at: a query that spills
// nothing needs none.
func (c *Config) checkTempDir() error {
	if c.TempDir == os.TempDir() {
		return nil
	}
	info, err := os.Stat(c.TempDir)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err != nil {
		return fmt.Errorf("option temp_dir: %q: %w", c.TempDir, err)
	}
	return nil
}

// keys finds the keys of the files.
func (c *Config) keys() *keys.Ring {
	return keys.New(keys.Config{Footer: c.FooterKey, Columns: c.ColumnKeys, Retriever: c.KeyRetriever, KMS: c.KMS, AADPrefix: c.AADPrefix})
}

// Format writes the Config for every verb of fmt, with its keys redacted, and what of its Path
// may be credentials.
func (c Config) Format(s fmt.State, _ rune) {
	if a, ok := storage.ParseAddress(c.Path); ok {
		c.Path = a.String()
	}
	fmt.Fprint(s, c.format(hiddenKey, func(string) string { return hiddenKey(nil) }))
}
