package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/delta"
	"github.com/parquetsql/parquetsql/scan/delta/log"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/iceberg"
	"github.com/parquetsql/parquetsql/storage"
)

// A folder with a _delta_log, or with metadata of Iceberg, is a table of the files that these name,
// whatever else is in it. A folder above such a folder is no table: its files are those of several
// versions.

// lake is a folder whose files a log or metadata name.
type lake struct {
	folder  string
	iceberg bool   // else it is a Delta table
	file    string // the metadata file that is meant; "": the current one
}

// lakes are the tables of lakes of a catalog, which keep the state of their logs.
type lakes struct {
	mu       sync.Mutex
	deltas   map[string]*delta.Table // by folder
	kept     *delta.Cache
	icebergs map[lake]*iceberg.Table
}

// isLake reports whether the table is that of a log or of metadata.
func (t *tableSource) isLake() bool { return t.lake.folder != "" && t.lake.folder == t.folder }

// refuseLake fails where a folder further down has a log.
func (t *tableSource) refuseLake() error {
	l := t.lake
	if l.folder == "" {
		return nil
	}
	has, what := "a _delta_log", "log"
	if l.iceberg {
		has, what = "metadata of Iceberg", "metadata"
	}
	return fmt.Errorf("table %q: %w", t.name, errs.Unsupported("folder %q has %s: reading its files without the %s would return deleted rows too; `%s` is the table of the %s, and a path or glob names its files", l.folder, has, what, l.folder, what))
}

// addLakes adds the tables of logs and metadata, of which the listing may have no files.
func (l *listing) addLakes(folders map[string]*tableSource) {
	for _, o := range l.lakes {
		top, _, _ := strings.Cut(o.folder, "/")
		if o.folder != "." && folders[top] == nil {
			folders[top] = &tableSource{name: top, what: top + "/", folder: top, lake: l.lakeWithin(top)}
		}
	}
}

// hides reports whether the listing lacks files below a folder, or above it: those of Delta tables.
func (s *Snapshot) hides(folder string) bool {
	return s.listing.closed && slices.ContainsFunc(s.listing.lakes, func(l lake) bool {
		d := l.folder
		return !l.iceberg && (d == "." || folder == "." || d == folder || strings.HasPrefix(d, folder+"/") || strings.HasPrefix(folder, d+"/"))
	})
}

// addIceberg finds the folders that have metadata of Iceberg. One that has a log of Delta Lake, too,
// is a Delta table: the metadata are written after the log.
func (l *listing) addIceberg() {
	known := map[string]bool{}
	for _, o := range l.lakes {
		known[o.folder] = true
	}
	for _, e := range l.entries {
		if folder, ok := iceberg.FolderOf(e.Name); ok && !known[folder] {
			known[folder] = true
			l.lakes = append(l.lakes, lake{folder: folder, iceberg: true})
		}
	}
}

// lakeWithin is the lake of a folder or, where it has none, one of a folder further down.
func (l *listing) lakeWithin(dir string) lake {
	var found lake
	for _, o := range l.lakes {
		switch {
		case o.folder == dir:
			return o
		case found.folder == "" && (dir == "." || strings.HasPrefix(o.folder, dir+"/")):
			found = o
		}
	}
	return found
}

// metadataOf is the folder of the table that a file is the metadata of. A file that the user names
// need not be where metadata mostly are.
func metadataOf(name string) (folder string, ok bool) {
	if folder, ok = iceberg.FolderOf(name); ok {
		return folder, true
	}
	_, ok = iceberg.IsMetadata(path.Base(name))
	return path.Dir(name), ok
}

// metadataAt is the same with the path of the file below the folder.
func metadataAt(full string) (folder, file string, ok bool) {
	if folder, ok = metadataOf(full); !ok {
		return "", "", false
	}
	if path.Dir(full) == folder {
		return folder, path.Base(full), true
	}
	return folder, path.Join(iceberg.Folder, path.Base(full)), true
}

// metadataFile is the table of a metadata file.
func (s *Snapshot) metadataFile(ctx context.Context, folder, name string) (*tableSource, error) {
	if _, err := regular(s.location.store.Stat(ctx, name)); err != nil {
		return nil, fmt.Errorf("table %q: %w", name, err)
	}
	return &tableSource{folder: folder, lake: lake{folder: folder, iceberg: true, file: name}}, nil
}

// splitVersion is the name of a table and a version of it, as t@v3 has them.
func splitVersion(name string) (string, int64, bool) {
	at := strings.LastIndex(name, "@v")
	if at <= 0 {
		return "", 0, false
	}
	n, err := strconv.ParseUint(name[at+2:], 10, 63)
	return name[:at], int64(n), err == nil
}

// version says which version of a table is meant: by its number, by the name of a reference, or the
// newest that is not younger than a time.
type version struct {
	number *int64
	ref    string
	time   *time.Time
}

// Delta is the Delta table of a name and the version that it names, nil where the name is that of
// another table. All that a Snapshot reads of it are versions of one moment.
func (s *Snapshot) Delta(ctx context.Context, name string) (*delta.Pinned, delta.At, error) {
	p, number, err := s.pinnedOf(ctx, name)
	d, _ := p.(*delta.Pinned)
	return d, delta.At{Version: number}, err
}

// Iceberg is the same for Iceberg tables.
func (s *Snapshot) Iceberg(ctx context.Context, name string) (*iceberg.Pinned, iceberg.At, error) {
	p, number, err := s.pinnedOf(ctx, name)
	i, _ := p.(*iceberg.Pinned)
	return i, iceberg.At{Snapshot: number}, err
}

// pinnedOf is the lake of a name and the version that it names; nil: it is another table.
func (s *Snapshot) pinnedOf(ctx context.Context, name string) (any, *int64, error) {
	var at *int64
	found, err := s.find(ctx, name)
	if base, number, ok := splitVersion(name); ok && isMissing(err) {
		at = &number
		found, err = s.find(ctx, base)
	}
	if err != nil || !found.isLake() {
		return nil, at, err
	}
	p, err := s.pin(ctx, found)
	return p, at, err
}

func isMissing(err error) bool {
	var missing *errs.NotFoundError
	return errors.As(err, &missing)
}

// TableAt is a version of a table: by the name of a reference, by its number or the number of its
// snapshot, or the newest that is not younger than a time.
func (s *Snapshot) TableAt(ctx context.Context, name string, number *int64, ref string, at *time.Time) (*files.Set, error) {
	found, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	if !found.isLake() {
		return nil, fmt.Errorf("table %q: %w", found.name, errs.Unsupported("versions of a table that is no Delta table and no Iceberg table"))
	}
	return s.loadLake(ctx, found, version{number, ref, at})
}

func (s *Snapshot) loadLake(ctx context.Context, t *tableSource, at version) (*files.Set, error) {
	p, err := s.pin(ctx, t)
	if err != nil {
		return nil, err
	}
	set, err := s.pins.version(ctx, t.lake, at, func(ctx context.Context, at version) (*files.Set, *int64, error) {
		return s.versionOf(ctx, p, t.name, at)
	})
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", t.name, err)
	}
	if s.location.kind == atTables {
		set.Path = SplitName(t.name)
	}
	return set, nil
}

// versionOf is a version and its number, nil where it has none.
func (s *Snapshot) versionOf(ctx context.Context, pinned any, name string, at version) (*files.Set, *int64, error) {
	if p, ok := pinned.(*iceberg.Pinned); ok {
		v, err := p.Version(ctx, iceberg.At{Snapshot: at.number, Ref: at.ref, Time: at.time})
		if err != nil {
			return nil, nil, err
		}
		var number *int64
		if v.Of != nil {
			number = &v.Of.ID
		}
		return v.Set(name, s.catalog.config.Scan), number, nil
	}
	if at.ref != "" && at.number == nil {
		return nil, nil, fmt.Errorf("version %q: versions of Delta tables have numbers", at.ref)
	}
	v, err := pinned.(*delta.Pinned).Version(ctx, delta.At{Version: at.number, Time: at.time})
	if err != nil {
		return nil, nil, err
	}
	return v.Set(name, s.catalog.config.Scan), &v.Snapshot.Version, nil
}

// pin lists the log or reads the metadata, once for the Snapshot.
func (s *Snapshot) pin(ctx context.Context, t *tableSource) (any, error) {
	s.mu.Lock()
	known := s.pinned[t.lake]
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	p, err := s.pinLake(ctx, t.lake)
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", t.name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.pinned[t.lake]; first != nil {
		return first, nil
	}
	if s.pinned == nil {
		s.pinned = map[lake]any{}
	}
	s.pinned[t.lake] = p
	return p, nil
}

func (s *Snapshot) pinLake(ctx context.Context, l lake) (any, error) {
	if !l.iceberg {
		return s.deltaTable(l.folder).Pin(ctx)
	}
	p, err := s.icebergTable(l).Pin(ctx)
	if errors.Is(err, storage.ErrNoTable) { // nothing is kept of names that anybody may ask for
		c := s.catalog
		c.lakes.mu.Lock()
		delete(c.lakes.icebergs, l)
		c.lakes.mu.Unlock()
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// icebergTable is the table of a folder with what the catalog keeps of it.
func (s *Snapshot) icebergTable(l lake) *iceberg.Table {
	c := s.catalog
	c.lakes.mu.Lock()
	defer c.lakes.mu.Unlock()
	t := c.lakes.icebergs[l]
	if t == nil && s.location.kind == atTables {
		t = s.loadedTable(l)
		c.lakes.icebergs[l] = t
	}
	if t == nil {
		places := c.places(s.location)
		t = iceberg.New(s.location.store, l.folder, l.file, c.cache, iceberg.Options{Memory: c.config.FooterMemory, Own: places[0], Mapped: places[1:], Read: c.config.Read, Pruning: c.config.Scan.Pruning})
		c.lakes.icebergs[l] = t
	}
	return t
}

// deltaTable is the table of a folder with what the catalog keeps of it.
func (s *Snapshot) deltaTable(folder string) *delta.Table {
	c := s.catalog
	c.lakes.mu.Lock()
	defer c.lakes.mu.Unlock()
	t := c.lakes.deltas[folder]
	if t == nil {
		t = delta.New(s.location.store, folder, c.cache, c.lakes.kept, log.Options{Memory: c.config.FooterMemory, Statistics: c.config.LogCacheBytes / 2, Places: c.places(s.location)})
		c.lakes.deltas[folder] = t
	}
	return t
}

// places are where files are that logs have absolute paths of: the location itself, and what the
// option location_map names.
func (c *Catalog) places(l *location) []storage.Place {
	own := storage.Place{From: strings.TrimSuffix(filepath.ToSlash(c.path), "/"), Store: l.store, Folder: "."}
	if l.metadata { // the folder of the file is that of the store
		own.From, _, _ = metadataAt(own.From)
	}
	if c.config.Remote != nil && c.tables() == nil {
		own.From = strings.TrimSuffix(c.config.Remote.Address, "/")
	}
	out := []storage.Place{own}
	for from, to := range c.config.LocationMap {
		out = append(out, c.place(l, from, to))
	}
	return out
}

// place is a folder that the user has named: of the location, of another store, or anywhere else on
// the disk and in a file system that was given.
func (c *Catalog) place(l *location, from, to string) storage.Place {
	if r := c.config.Mapped[from]; r != nil {
		return storage.Place{From: strings.TrimSuffix(from, "/"), Store: r.Store, Folder: cmp.Or(strings.Trim(r.Name, "/"), ".")}
	}
	from = strings.TrimSuffix(from, "/")
	switch onDisk := c.config.FS == nil && (c.config.Remote == nil || c.tables() != nil); {
	case onDisk && filepath.IsAbs(to):
		return storage.Place{From: from, Store: c.local(to), Folder: "."}
	case onDisk && !filepath.IsLocal(to):
		return storage.Place{From: from, Store: c.local(filepath.Join(c.path, to)), Folder: "."}
	case c.config.FS != nil:
		return storage.Place{From: from, Store: c.given(path.Join(c.path, to)), Folder: "."}
	}
	return storage.Place{From: from, Store: l.store, Folder: path.Clean(to)}
}
