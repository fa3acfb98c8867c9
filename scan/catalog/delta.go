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
)

// A folder with a _delta_log is a table of the files that the log names, whatever else is in it.
// A folder above such a folder is no table: its files are those of several versions.

// deltas are the Delta tables of a catalog, which keep the state of their logs.
type deltas struct {
	mu     sync.Mutex
	tables map[string]*delta.Table // by folder
	kept   *delta.Cache
}

// isDelta reports whether the table is that of a log.
func (t *tableSource) isDelta() bool { return t.delta != "" && t.delta == t.folder }

// refuseDelta fails where a folder further down has a log.
func (t *tableSource) refuseDelta() error {
	if t.delta == "" {
		return nil
	}
	return fmt.Errorf("table %q: %w", t.name, errs.Unsupported("folder %q has a _delta_log: reading its files without the log would return deleted rows too; `%s` is the table of the log, and a path or glob names its files", t.delta, t.delta))
}

// addDeltas adds the tables of logs, of which the listing has no files.
func (l *listing) addDeltas(folders map[string]*tableSource) {
	for _, d := range l.delta {
		top, _, _ := strings.Cut(d, "/")
		if d != "." && folders[top] == nil {
			folders[top] = &tableSource{name: top, what: top + "/", folder: top, delta: l.deltaWithin(top)}
		}
	}
}

// hides reports whether the listing lacks files below a folder, or above it: those of Delta tables.
func (s *Snapshot) hides(folder string) bool {
	return s.listing.closed && slices.ContainsFunc(s.listing.delta, func(d string) bool {
		return d == "." || folder == "." || d == folder || strings.HasPrefix(d, folder+"/") || strings.HasPrefix(folder, d+"/")
	})
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

// hasLog reports whether a folder has a _delta_log itself.
func (l *listing) hasLog(dir string) bool { return slices.Contains(l.delta, dir) }

// Delta is the Delta table of a name and the version that it names, nil where the name is that of
// another table. All that a Snapshot reads of it are versions of one moment.
func (s *Snapshot) Delta(ctx context.Context, name string) (*delta.Pinned, delta.At, error) {
	var at delta.At
	found, err := s.find(ctx, name)
	if base, version, ok := splitVersion(name); ok && isMissing(err) {
		at.Version = &version
		found, err = s.find(ctx, base)
	}
	if err != nil || !found.isDelta() {
		return nil, at, err
	}
	p, err := s.pin(ctx, found)
	return p, at, err
}

func isMissing(err error) bool {
	var missing *errs.NotFoundError
	return errors.As(err, &missing)
}

// TableAt is a version of a Delta table: by its number or, where that is nil, the newest that is
// not younger than a time.
func (s *Snapshot) TableAt(ctx context.Context, name string, version *int64, at *time.Time) (*files.Set, error) {
	found, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	if !found.isDelta() {
		return nil, fmt.Errorf("table %q: %w", name, errs.Unsupported("versions of a table that is no Delta table"))
	}
	return s.loadDelta(ctx, found, delta.At{Version: version, Time: at})
}

func (s *Snapshot) loadDelta(ctx context.Context, t *tableSource, at delta.At) (*files.Set, error) {
	p, err := s.pin(ctx, t)
	if err != nil {
		return nil, err
	}
	v, err := p.Version(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", t.name, err)
	}
	return v.Set(t.name, s.catalog.config.Scan), nil
}

// pin lists the log, once for the Snapshot.
func (s *Snapshot) pin(ctx context.Context, t *tableSource) (*delta.Pinned, error) {
	s.mu.Lock()
	known := s.pinned[t.folder]
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	p, err := s.deltaTable(t.folder).Pin(ctx)
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", t.name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.pinned[t.folder]; first != nil {
		return first, nil
	}
	if s.pinned == nil {
		s.pinned = map[string]*delta.Pinned{}
	}
	s.pinned[t.folder] = p
	return p, nil
}

// deltaTable is the table of a folder with what the catalog keeps of it.
func (s *Snapshot) deltaTable(folder string) *delta.Table {
	c := s.catalog
	c.deltas.mu.Lock()
	defer c.deltas.mu.Unlock()
	t := c.deltas.tables[folder]
	if t == nil {
		t = delta.New(s.location.store, folder, c.cache, c.deltas.kept, log.Options{Memory: c.config.FooterMemory, Statistics: c.config.LogCacheBytes / 2, Places: c.places(s.location)})
		c.deltas.tables[folder] = t
	}
	return t
}

// places are where files are that logs have absolute paths of: the location itself, and what the
// option location_map names.
func (c *Catalog) places(l *location) []log.Place {
	own := log.Place{From: strings.TrimSuffix(filepath.ToSlash(c.path), "/"), Store: l.store, Folder: "."}
	if c.config.Remote != nil {
		own.From = strings.TrimSuffix(c.config.Remote.Address, "/")
	}
	out := []log.Place{own}
	for from, to := range c.config.LocationMap {
		out = append(out, c.place(l, from, to))
	}
	return out
}

// place is a folder that the user has named: of the location, of another store, or anywhere else on
// the disk and in a file system that was given.
func (c *Catalog) place(l *location, from, to string) log.Place {
	if r := c.config.Mapped[from]; r != nil {
		return log.Place{From: strings.TrimSuffix(from, "/"), Store: r.Store, Folder: cmp.Or(strings.Trim(r.Name, "/"), ".")}
	}
	from = strings.TrimSuffix(from, "/")
	switch onDisk := c.config.FS == nil && c.config.Remote == nil; {
	case onDisk && filepath.IsAbs(to):
		return log.Place{From: from, Store: c.local(to), Folder: "."}
	case onDisk && !filepath.IsLocal(to):
		return log.Place{From: from, Store: c.local(filepath.Join(c.path, to)), Folder: "."}
	case c.config.FS != nil:
		return log.Place{From: from, Store: c.given(path.Join(c.path, to)), Folder: "."}
	}
	return log.Place{From: from, Store: l.store, Folder: path.Clean(to)}
}
