// Package iceberg makes file sets of the snapshots of Iceberg tables. The packages below it read
// what is stored; here the files of a snapshot become those of a table: with the columns of its
// schema, the values and bounds that partitions and metrics give, and the rows that are deleted.
//
//	metadata    the metadata file: schemas, specs, snapshots, references
//	schema      types, defaults, values as bytes
//	partition   transforms: what a partition value says of the values
//	manifest    the files of a snapshot
//	avro        the format of manifests
//
// discover.go finds the metadata file, loaded.go asks a catalog for it, places.go finds the files that
// it names; snapshot.go reads the manifests, planning.go those that a condition leaves; version.go makes the file set, bounds.go what is
// known of a file before it is opened, and deletes.go, positions.go and equality.go find the deleted rows
// of a file.
package iceberg

import (
	"context"
	"fmt"
	"path"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/iceberg/metadata"
	"github.com/parquetsql/parquetsql/scan/iceberg/schema"
	"github.com/parquetsql/parquetsql/storage"
)

// Table is a folder with metadata. It keeps the snapshot that was read last. It may be used by
// several goroutines.
type Table struct {
	store   storage.Store
	folder  string
	file    string // the metadata file; "": the current one
	options Options
	footers *files.Footers // of all snapshots: data files are never overwritten

	mu       sync.Mutex
	parsed   *metadata.Table
	entry    storage.Entry // of parsed
	tag      string        // of parsed, in a catalog; "": it has none
	snapshot *Snapshot
	version  *Version // of snapshot
}

// Options says how a table is read.
type Options struct {
	Memory int64           // bytes that what is known of the files of a snapshot may take; 0: any
	Own    storage.Place   // the location itself
	Mapped []storage.Place // where files are besides
	// Catalog has the table: then it has neither a store nor a folder. nil: none has it.
	Catalog *Catalog

	// Read makes a table of a file set, of which delete files are read, with these pruners: this
	// package makes file sets for those who read them, and does not import them.
	Read    func(*files.Set) scan.Source
	Pruning scan.Pruners
}

// New is the table of a folder of a store, whose files are opened with a cache. file is the metadata
// file that is meant; "" is the current one.
func New(store storage.Store, folder, file string, cache *files.Cache, o Options) *Table {
	return &Table{store: store, folder: folder, file: file, options: o, footers: cache.Footers()}
}

// named says which table an error is about.
func (t *Table) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the Iceberg table %q: %w", t.folder, err)
}

// corrupt is the damage of a file of metadata; what is not supported, or ended, is no damage.
func (t *Table) corrupt(file string, err error) error {
	if err == nil || isOther(err) {
		return t.named(err)
	}
	return t.named(&errs.CorruptError{File: file, RowGroup: -1, Offset: -1, Err: err})
}

// Pin reads the metadata file: all that is read by the result is the table of this moment.
func (t *Table) Pin(ctx context.Context) (*Pinned, error) {
	if t.options.Catalog != nil {
		return t.pinLoaded(ctx)
	}
	var e storage.Entry
	var err error
	if t.file != "" {
		e, err = statFile(ctx, t.store, t.file)
		err = t.named(err)
	} else {
		e, err = t.current(ctx)
	}
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	known := t.parsed
	if e != t.entry || e.Time.IsZero() && e.Version == "" {
		known = nil
	}
	t.mu.Unlock()
	if known == nil {
		if known, err = t.parse(ctx, e); err != nil {
			return nil, err
		}
		t.mu.Lock()
		t.parsed, t.entry = known, e
		t.mu.Unlock()
	}
	return t.pinned(known, e.Name), nil
}

// parse reads a metadata file.
func (t *Table) parse(ctx context.Context, e storage.Entry) (*metadata.Table, error) {
	b := quota.New(t.options.Memory)
	data, err := readAll(ctx, t.store, e, b)
	if err != nil {
		return nil, t.named(err)
	}
	m, err := metadata.Parse(data, b)
	return m, t.corrupt(e.Name, err)
}

func (t *Table) locator(m *metadata.Table) locator {
	l := locator{store: t.store, folder: path.Clean(t.folder), base: m.Location, own: t.options.Own, mapped: t.options.Mapped}
	if t.options.Catalog != nil {
		l.place = t.options.Catalog.Place
	}
	return l
}

// Pinned is a table at one moment. It may be used by several goroutines.
type Pinned struct {
	*metadata.Table
	of      *Table
	file    string
	locator locator

	variants string // see variantsOf

	pathsOnce sync.Once
	paths     map[int32][]*schema.Field // see now
}

// At says which snapshot is meant: by default the current one.
type At struct {
	Snapshot *int64     // nil: not by its id
	Ref      string     // a branch or a tag, before Snapshot; "": none
	Time     *time.Time // the current one at that time; nil: not by time
}

// Version reads a snapshot.
func (p *Pinned) Version(ctx context.Context, at At) (*Version, error) {
	s, own, err := p.find(at)
	if err != nil {
		return nil, p.of.named(err)
	}
	columns := p.Schema
	if own {
		columns = p.SchemaOf(s)
	}
	snapshot, err := p.snapshot(ctx, s)
	if err != nil {
		return nil, err
	}
	return p.version(snapshot, columns), nil
}

// version is a snapshot with the columns of a schema: the one that was made last, if it is that.
func (p *Pinned) version(s *Snapshot, columns *schema.Schema) *Version {
	t := p.of
	t.mu.Lock()
	known := t.version
	t.mu.Unlock()
	if known != nil && known.Snapshot == s && known.schema == columns {
		return known
	}
	v := newVersion(p, s, columns)
	t.mu.Lock()
	t.version = v
	t.mu.Unlock()
	return v
}

// find is the snapshot that is meant, nil if the table has no rows. own says that it has the schema
// of its time: a branch has that of the table.
func (p *Pinned) find(at At) (s *metadata.Snapshot, own bool, err error) {
	if r, ok := p.Refs[at.Ref]; ok && at.Ref != "" {
		if s = p.Snapshot(r.Snapshot); s == nil {
			return nil, false, fmt.Errorf("the reference %q is of snapshot %d, which is expired", at.Ref, r.Snapshot)
		}
		return s, r.Tag, nil
	}
	switch {
	case at.Snapshot != nil:
		if s = p.Snapshot(*at.Snapshot); s == nil {
			return nil, false, fmt.Errorf("it has no snapshot %d; `%s$snapshots` lists those that there are", *at.Snapshot, path.Base(p.of.folder))
		}
		return s, true, nil
	case at.Ref != "":
		return nil, false, fmt.Errorf("it has no branch or tag %q; `%s$refs` lists those that there are", at.Ref, path.Base(p.of.folder))
	case at.Time != nil:
		s, err = p.At(*at.Time)
		return s, true, err
	}
	return p.Current, false, nil
}
