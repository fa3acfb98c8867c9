package iceberg

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/metadata"
	"github.com/parquetsql/parquetsql/storage"
)

// Catalog says where a table is that a catalog has, and where its files are.
type Catalog struct {
	// Load asks the catalog for the table. known is the tag of what is known of it, "" for nothing.
	Load func(ctx context.Context, known string) (*storage.Loaded, error)
	// Place is where a file is by its address.
	Place func(file string) (storage.Place, error)
}

// pinLoaded is Pin for the table of a catalog. What is known is not parsed again: where a table was made
// anew, its metadata file may have the name of an older one, so that its text counts, or its version.
func (t *Table) pinLoaded(ctx context.Context) (*Pinned, error) {
	t.mu.Lock()
	last, tag, file := t.parsed, t.tag, t.entry.Name
	t.mu.Unlock()
	l, err := t.options.Catalog.Load(ctx, tag)
	if err != nil {
		return nil, err
	}
	if l.Same && tag != "" {
		return t.pinned(last, file), nil
	}
	e, where := storage.Entry{Name: l.File, Size: int64(len(l.Metadata))}, at{}
	if l.Metadata != nil {
		e.Version = fmt.Sprintf("%x", sha256.Sum256(l.Metadata))
	} else if e, where, err = t.statLoaded(ctx, l.File); err != nil {
		return nil, t.named(err)
	}
	t.mu.Lock()
	known := t.parsed
	if e != t.entry || e.Time.IsZero() && e.Version == "" {
		known = nil
	}
	t.mu.Unlock()
	if known == nil {
		b, data := quota.New(t.options.Memory), l.Metadata
		if data == nil {
			data, err = readAll(ctx, where.store, e, b)
		} else {
			err = b.Need(e.Size)
		}
		if err != nil {
			return nil, t.named(err)
		}
		if known, err = metadata.Parse(data, b); err != nil {
			return nil, t.corrupt(cmp.Or(l.File, "the metadata that the catalog has"), err)
		}
	}
	t.mu.Lock()
	t.parsed, t.entry, t.tag = known, e, l.Tag
	t.mu.Unlock()
	return t.pinned(known, l.File), nil
}

// statLoaded finds the metadata file that a catalog names.
func (t *Table) statLoaded(ctx context.Context, file string) (storage.Entry, at, error) {
	l := t.locator(&metadata.Table{})
	a, err := l.locate(ctx, file)
	if err != nil {
		return storage.Entry{}, a, err
	}
	e, err := statFile(ctx, a.store, a.name)
	return e, a, err
}

// pinned is a table at one moment, by its metadata file.
func (t *Table) pinned(m *metadata.Table, file string) *Pinned {
	return &Pinned{Table: m, of: t, file: file, locator: t.locator(m), variants: variantsOf(m)}
}

// whole is the address of a file of a catalog's table. One without a scheme is of the store that has the
// location of the table, or below that (Path Resolution).
func (l *locator) whole(file string) string {
	scheme, rest, ok := strings.Cut(l.base, "://")
	host, _, _ := strings.Cut(rest, "/")
	switch {
	case l.place == nil || !ok || strings.Contains(file, ":/"):
		return file
	case strings.HasPrefix(file, "/"):
		return scheme + "://" + host + file
	}
	return strings.TrimRight(l.base, "/") + "/" + strings.TrimPrefix(file, "./")
}

// ofCatalog is where a file of a catalog's table is, by its address.
func (l *locator) ofCatalog(file string) (at, error) {
	if !storage.IsAbsolute(file) {
		return at{}, fmt.Errorf("file %q: %w: it is no address", file, storage.ErrOutside)
	}
	p, err := l.place(file)
	if err != nil {
		return at{}, err
	}
	return within(at{p.Store, p.Folder, p.From}, file)
}
