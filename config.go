package parquetsql

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
)

// The values of Config.OnCorrupt.
const (
	OnCorruptFail = "fail"
	OnCorruptSkip = "skip"
)

// KMS unwraps the keys of files that carry the standard key material.
type KMS interface {
	UnwrapKey(ctx context.Context, instanceID, instanceURL, masterKeyID, wrappedKey string) ([]byte, error)
}

// Config says where the files are and how to read them. NewConfig has the
// defaults; in a literal an empty field means the default, but for
// VerifyChecksums, where false is off. The DSN option of a field stands beside it.
type Config struct {
	Path string // the DSN up to "?": a directory, a file, or a glob
	FS   fs.FS  // nil: the local disk. Its files must be io.ReaderAt; Path is inside it

	Parallelism      int                 // parallelism: goroutines that may work on one query; default GOMAXPROCS
	MemoryLimit      int64               // memory_limit: bytes that one query may hold; 0 is no limit
	TempDir          string              // temp_dir: where spilled data goes; default os.TempDir()
	VerifyChecksums  bool                // verify_checksums: check page CRC-32 where the file has it
	OnCorrupt        string              // on_corrupt: fail or skip
	OnSkip           func(*CorruptError) // told of each unit that skip gives up; must be safe for concurrent use
	BinaryAsString   bool                // binary_as_string: BYTE_ARRAY without annotation is VARCHAR
	HivePartitioning string              // hive_partitioning: auto, on or off
	FooterKey        []byte              // footer_key: AES key
	ColumnKeys       map[string][]byte   // column_key.<dotted.path>: AES key of one column
	KeyRetriever     func(keyMetadata []byte) ([]byte, error)
	KMS              KMS
	AADPrefix        []byte // aad_prefix
	Pruning          string // pruning: on or off; off reads everything, for checking and measuring
}

// NewConfig is a Config with the defaults.
func NewConfig() *Config {
	return &Config{
		Parallelism:      runtime.GOMAXPROCS(0),
		TempDir:          os.TempDir(),
		VerifyChecksums:  true,
		OnCorrupt:        OnCorruptFail,
		HivePartitioning: "auto",
		Pruning:          "on",
	}
}

// Clone is a deep copy.
func (c *Config) Clone() *Config {
	out := *c
	out.FooterKey = bytes.Clone(c.FooterKey)
	out.AADPrefix = bytes.Clone(c.AADPrefix)
	out.ColumnKeys = maps.Clone(c.ColumnKeys)
	for name, key := range out.ColumnKeys {
		out.ColumnKeys[name] = bytes.Clone(key)
	}
	return &out
}

// normalized is a copy with the defaults filled in, or an error that names the
// field that cannot be.
func (c *Config) normalized() (*Config, error) {
	out, d := c.Clone(), NewConfig()
	if out.Path == "" {
		if out.FS == nil {
			return nil, errors.New("parquet: the DSN has no path: give a directory, a file or a glob")
		}
		out.Path = "."
	}
	if out.Parallelism == 0 {
		out.Parallelism = d.Parallelism
	}
	for _, f := range []struct {
		field   *string
		byEmpty string
	}{{&out.TempDir, d.TempDir}, {&out.OnCorrupt, d.OnCorrupt}, {&out.HivePartitioning, d.HivePartitioning}, {&out.Pruning, d.Pruning}} {
		if *f.field == "" {
			*f.field = f.byEmpty
		}
	}
	switch {
	case out.Parallelism < 0:
		return nil, fmt.Errorf("parquet: option parallelism: %d is negative", out.Parallelism)
	case out.MemoryLimit < 0:
		return nil, fmt.Errorf("parquet: option memory_limit: %d is negative", out.MemoryLimit)
	}
	for _, f := range []struct {
		option, value string
		allowed       []string
	}{
		{"on_corrupt", out.OnCorrupt, []string{OnCorruptFail, OnCorruptSkip}},
		{"hive_partitioning", out.HivePartitioning, []string{"auto", "on", "off"}},
		{"pruning", out.Pruning, []string{"on", "off"}},
	} {
		if !slices.Contains(f.allowed, f.value) {
			return nil, fmt.Errorf("parquet: option %s: %q is none of %v", f.option, f.value, f.allowed)
		}
	}
	return out, nil
}

// Format writes the Config for every verb of fmt, with its keys redacted.
func (c Config) Format(s fmt.State, _ rune) { fmt.Fprint(s, c.redactedDSN()) }

func (c Config) redactedDSN() string {
	out := c.Clone()
	redact := func(key []byte) []byte {
		if key == nil {
			return nil
		}
		return []byte("redacted")
	}
	out.FooterKey, out.AADPrefix = redact(out.FooterKey), redact(out.AADPrefix)
	for name, key := range out.ColumnKeys {
		out.ColumnKeys[name] = redact(key)
	}
	return out.format(func(key []byte) string { return string(key) })
}
