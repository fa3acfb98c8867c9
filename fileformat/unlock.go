package fileformat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat/internal/crypto"
	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// Encrypted reports whether the chunk's pages, page index and bloom filter are encrypted.
func (c *ColumnChunk) Encrypted() bool { return c.crypto != nil }

// Locked reports whether the chunk is encrypted and was not unlocked: see File.Unlock.
// Meta of a locked chunk may be empty.
func (c *ColumnChunk) Locked() bool { return c.crypto != nil && c.crypto.cipher == nil }

// Cipher decrypts the chunk's pages. It is nil where they are not encrypted.
func (c *ColumnChunk) Cipher() *crypto.Chunk {
	if c.crypto == nil {
		return nil
	}
	return c.crypto.cipher
}

// Encrypted reports whether a chunk of the file is encrypted, or the footer.
func (f *File) Encrypted() bool { return f.encryption != nil || f.locked }

// FooterKeyMissing reports whether the key of a plaintext footer was asked for and not
// found: its signature is not checked, and columns that have the footer's key are locked
// for good. Opening the file again asks again.
func (f *File) FooterKeyMissing() bool { return f.encryption != nil && f.encryption.footerErr != nil }

// linkEncryption gives chunks of files with an encrypted footer their cipher, where that
// needs no other key: their metadata is in the footer (section 5.4).
func (f *File) linkEncryption() error {
	if f.encryption != nil && !f.footerEncrypted {
		f.encryption.modules.MaybeCTR = !f.encryption.modules.CTR && f.Meta.Writer.namesGCM()
	}
	for _, g := range f.rowGroups {
		for _, c := range g.Columns {
			if c.crypto == nil && f.footerEncrypted && f.encryption.modules.NoAAD {
				c.crypto = &chunkCrypto{known: true} // DuckDB does not say that it encrypts all columns
			}
			if c.crypto == nil {
				continue
			}
			if !f.footerEncrypted || c.crypto.ownKey || c.crypto.metadata != nil {
				f.locked = true
				continue
			}
			var err error
			if c.crypto.cipher, err = c.newCipher(f.encryption.footerKey); err != nil {
				return err
			}
		}
	}
	return nil
}

// Unlock returns the file with the metadata of these leaves' chunks decrypted, so that
// their pages and indexes can be read. It asks for the keys that were not known before.
// The error of a missing key wraps errs.ErrKeyMissing and names the column. The other
// leaves stay as they are. A file without encrypted leaves is returned as it is.
func (f *File) Unlock(ctx context.Context, leaves []int) (*File, error) {
	return f.unlocked(ctx, leaves, func(err error) error { return err })
}

// UnlockKnown is Unlock of all leaves. Those whose keys are missing stay locked.
func (f *File) UnlockKnown(ctx context.Context) (*File, error) {
	leaves := make([]int, len(f.Schema.Leaves))
	for i := range leaves {
		leaves[i] = i
	}
	return f.unlocked(ctx, leaves, func(err error) error {
		if errors.Is(err, errs.ErrKeyMissing) {
			return nil
		}
		return err
	})
}

// unlocked is Unlock. A leaf that fails stays locked if check says that this is no error.
func (f *File) unlocked(ctx context.Context, leaves []int, check func(error) error) (*File, error) {
	if !f.locked || len(leaves) == 0 {
		return f, nil
	}
	out := *f
	out.rowGroups = make([]*RowGroup, len(f.rowGroups))
	for i, g := range f.rowGroups {
		group := *g
		group.Columns = slices.Clone(g.Columns)
		out.rowGroups[i] = &group
	}
	for _, leaf := range leaves {
		u := unlocking{file: f, keys: map[string]*crypto.Key{}}
		for i, g := range f.rowGroups {
			c, err := u.unlocked(ctx, g.Columns[leaf])
			if err = check(err); err != nil {
				return nil, err
			}
			if c == nil {
				break // the other chunks of the leaf have the same key
			}
			out.rowGroups[i].Columns[leaf] = c
		}
	}
	return &out, nil
}

// unlocking unlocks the chunks of a leaf.
type unlocking struct {
	file *File
	keys map[string]*crypto.Key // by key metadata
}

// unlocked is the unlocked chunk.
func (u *unlocking) unlocked(ctx context.Context, c *ColumnChunk) (*ColumnChunk, error) {
	if !c.Locked() {
		return c, nil
	}
	e := u.file.encryption
	if e == nil {
		return nil, c.lockedError()
	}
	at := unlockedKey{c.RowGroup.Index, c.Leaf.Leaf}
	e.mu.Lock()
	known := e.unlocked[at]
	e.mu.Unlock()
	if known != nil {
		return known, nil
	}
	key, err := u.key(ctx, c)
	if err != nil {
		return nil, c.missing(err)
	}
	out, err := c.unlock(key)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.unlocked[at] = out
	return out, nil
}

// key is the key of a chunk.
func (u *unlocking) key(ctx context.Context, c *ColumnChunk) (*crypto.Key, error) {
	e := u.file.encryption
	switch {
	case e.err != nil:
		return nil, e.err
	case !c.crypto.ownKey && e.footerKey == nil:
		return nil, e.footerErr
	case !c.crypto.ownKey:
		return e.footerKey, nil
	case e.keys == nil:
		return nil, errNoKeys
	}
	if known := u.keys[string(c.crypto.keyMetadata)]; known != nil {
		return known, nil
	}
	raw, err := e.keys.ColumnKey(ctx, c.Leaf.Path, c.crypto.keyMetadata)
	if err != nil {
		return nil, err
	}
	key, err := crypto.NewKey(raw)
	if err != nil {
		return nil, err
	}
	u.keys[string(c.crypto.keyMetadata)] = key
	return key, nil
}

// lockedError is the error of using a locked chunk.
func (c *ColumnChunk) lockedError() error {
	if c.file.encryption == nil {
		return c.Corrupt(-1, errHow)
	}
	return c.missing(cmp.Or(c.file.encryption.err, errNoKeys))
}

// missing adds the place to the error of a key.
func (c *ColumnChunk) missing(err error) error {
	return fmt.Errorf("file %q: column %q is encrypted: %w", c.file.options.Name, c.Leaf.Dotted(), err)
}

// unlock makes the chunk readable with its key.
func (c *ColumnChunk) unlock(key *crypto.Key) (*ColumnChunk, error) {
	if !c.crypto.known {
		return nil, c.missing(errs.Unsupported("an unknown kind of column encryption"))
	}
	out, how := *c, *c.crypto
	out.crypto = &how
	var err error
	if how.cipher, err = c.newCipher(key); err != nil || how.metadata == nil {
		return &out, err
	}
	fail := func(err error) error {
		return c.Corrupt(c.file.dataEnd, fmt.Errorf("encrypted column metadata: %w", err))
	}
	plain, err := how.cipher.Structure(crypto.ColumnMetaData, c.crypto.metadata)
	if err != nil {
		return nil, fail(err)
	}
	r := &footerReader{Reader: thrift.NewReader(plain)}
	out.Meta = noMetaData()
	path, _ := r.columnMetaData(thrift.Field{Type: thrift.Struct}, &out.Meta)
	switch {
	case r.Err() != nil:
		return nil, fail(r.Err())
	case path != nil && !pathEquals(path, c.Leaf.Path):
		return nil, fail(errPaths)
	}
	out.adopt()
	return &out, nil
}

// newCipher makes the chunk's cipher. Row groups have their ordinals in the order of the
// footer: where they say it, it must be so.
func (c *ColumnChunk) newCipher(key *crypto.Key) (*crypto.Chunk, error) {
	g := c.RowGroup
	if g.ordinal >= 0 && g.ordinal != g.Index {
		return nil, c.Corrupt(-1, fmt.Errorf("a row group of ordinal %d is the file's row group %d", g.ordinal, g.Index))
	}
	cipher, err := c.file.encryption.modules.Chunk(key, g.Index, int(c.ordinal))
	if err != nil {
		return nil, c.Corrupt(-1, err)
	}
	return cipher, nil
}
