// Package keys finds the AES keys of encrypted files (Parquet's Encryption.md), from what
// the user of the driver gave. A key is looked for in this order:
//
//  1. the key itself: Config.Footer, and Config.Columns for columns with a key of their
//     own. No other column key is tried: a wrong key looks like damage.
//  2. Config.Retriever, with the key metadata that the file has for the key.
//  3. Config.KMS, if the key metadata is the key material of parquet-java's key tools,
//     see material.go.
//
// Encryption.md leaves key metadata to the applications.
//
// Keys that Retriever and KMS gave are kept as long as the Ring, see memory.go. No error
// shows a key, wrapped or not.
package keys

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/files"
)

// KMS unwraps keys. It is called by several goroutines at once.
type KMS interface {
	// UnwrapKey returns the key that the master key of a KMS instance has wrapped.
	UnwrapKey(ctx context.Context, instanceID, instanceURL, masterKeyID, wrappedKey string) ([]byte, error)
}

// Config is what the user gave. All of it may be empty.
type Config struct {
	Footer    []byte
	Columns   map[string][]byte // by dotted path in the schema; that of a group is one of all columns in it
	Retriever func(metadata []byte) ([]byte, error)
	KMS       KMS
	AADPrefix []byte
}

// Ring has the keys of all files of a connector.
type Ring struct {
	config    Config
	retrieved memory[string]  // by key metadata
	unwrapped memory[wrapped] // by what the KMS was asked for
}

// New returns a Ring, which keeps the Config.
func New(c Config) *Ring { return &Ring{config: c} }

// For returns the keys of a file.
func (r *Ring) For(f *files.File) fileformat.Keys {
	return &file{ring: r, name: f.Path, beside: f.ReadBeside}
}

// file implements fileformat.Keys.
type file struct {
	ring   *Ring
	name   string
	beside func(ctx context.Context, prefix, suffix string, limit int) ([]byte, error)

	mu       sync.Mutex
	kms      instance          // of the master keys, as the footer key's material has it
	external map[string]string // key material that is beside the file; nil: not read yet
}

var _ fileformat.Keys = (*file)(nil)

// AADPrefix implements fileformat.Keys.
func (f *file) AADPrefix() []byte { return f.ring.config.AADPrefix }

// FooterKey implements fileformat.Keys.
func (f *file) FooterKey(ctx context.Context, metadata []byte) ([]byte, error) {
	f.findKMS(ctx, metadata)
	if key := f.ring.config.Footer; len(key) > 0 {
		return key, nil
	}
	return f.look(ctx, metadata, "footer_key")
}

// ColumnKey implements fileformat.Keys.
func (f *file) ColumnKey(ctx context.Context, path []string, metadata []byte) ([]byte, error) {
	for n := len(path); n > 0; n-- {
		if key := f.ring.config.Columns[strings.Join(path[:n], ".")]; len(key) > 0 {
			return key, nil
		}
	}
	return f.look(ctx, metadata, "column_key."+strings.Join(path, "."))
}

// look asks Retriever and KMS for a key that the user did not give. option would give it.
func (f *file) look(ctx context.Context, metadata []byte, option string) ([]byte, error) {
	if len(metadata) == 0 {
		return nil, fmt.Errorf("%w: the option %s would give it; the file has no key metadata that a KeyRetriever or a KMS could use", errs.ErrKeyMissing, option)
	}
	var failed []error
	for _, ask := range f.asks() {
		key, err := ask(ctx, metadata)
		if err == nil {
			return key, nil
		}
		if cancelled := ctx.Err(); cancelled != nil {
			return nil, cancelled
		}
		failed = append(failed, err)
	}
	switch len(failed) {
	case 0:
		return nil, fmt.Errorf("%w: the option %s, Config.KeyRetriever or Config.KMS would give it", errs.ErrKeyMissing, option)
	case 1:
		return nil, fmt.Errorf("%w: %w", errs.ErrKeyMissing, failed[0])
	}
	return nil, fmt.Errorf("%w: %w; %w", errs.ErrKeyMissing, failed[0], failed[1])
}

// asks are Retriever and KMS, as far as the user gave them.
func (f *file) asks() (out []func(context.Context, []byte) ([]byte, error)) {
	if f.ring.config.Retriever != nil {
		out = append(out, f.ring.retrieve)
	}
	if f.ring.config.KMS != nil {
		out = append(out, f.unwrap)
	}
	return out
}

// retrieve asks Retriever.
func (r *Ring) retrieve(ctx context.Context, metadata []byte) ([]byte, error) {
	return r.retrieved.get(ctx, string(metadata), func() ([]byte, error) {
		key, err := r.config.Retriever(bytes.Clone(metadata))
		if err == nil {
			key, err = checked(key)
		}
		if err != nil {
			return nil, fmt.Errorf("KeyRetriever: %w", err)
		}
		return key, nil
	})
}

// checked returns a copy of a key that others gave, who may keep theirs.
func checked(key []byte) ([]byte, error) {
	switch len(key) {
	case 0:
		return nil, errors.New("it has no key")
	case 16, 24, 32:
		return bytes.Clone(key), nil
	}
	return nil, fmt.Errorf("an AES key has 16, 24 or 32 bytes, this one has %d", len(key))
}
