package iceberg

import (
	"cmp"
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/metadata"
	"github.com/parquetsql/parquetsql/storage"
)

// Catalog says where a table is that a catalog has, and where its files are.
type Catalog struct {
	// Load asks the catalog for the table.
	Load func(ctx context.Context) (*storage.Loaded, error)
	// Place is where a file is by its address.
	Place func(file string) (storage.Place, error)
}

// pinLoaded is Pin for the table of a catalog. A metadata file is written once: one that is known
// is not parsed again.
func (t *Table) pinLoaded(ctx context.Context) (*Pinned, error) {
	l, err := t.options.Catalog.Load(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	known := t.parsed
	if l.File == "" || t.entry.Name != l.File {
		known = nil
	}
	t.mu.Unlock()
	if known == nil {
		b := quota.New(t.options.Memory)
		data := l.Metadata
		if data == nil {
			data, err = t.readLoaded(ctx, l.File, b)
		} else {
			err = b.Need(int64(len(data)))
		}
		if err != nil {
			return nil, t.named(err)
		}
		if known, err = metadata.Parse(data, b); err != nil {
			return nil, t.corrupt(cmp.Or(l.File, "the metadata that the catalog has"), err)
		}
		t.mu.Lock()
		t.parsed, t.entry = known, storage.Entry{Name: l.File}
		t.mu.Unlock()
	}
	return &Pinned{Table: known, of: t, file: l.File, locator: t.locator(known), variants: variantsOf(known)}, nil
}

// readLoaded reads the metadata file that a catalog names.
func (t *Table) readLoaded(ctx context.Context, file string, b *quota.Budget) ([]byte, error) {
	l := t.locator(&metadata.Table{})
	a, err := l.locate(ctx, file)
	if err != nil {
		return nil, err
	}
	e, err := statFile(ctx, a.store, a.name)
	if err != nil {
		return nil, err
	}
	return readAll(ctx, a.store, e, b)
}

// ofCatalog is where a file of a catalog's table is: only by its whole address.
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
