// Package catalog finds the tables of a location: which files make up which
// table, and what columns their union has.
//
// A Catalog is a location. A Snapshot is the list of the location's files at one
// moment; the names of the tables follow from the list. A files.Set is made on request:
// it reads the footers of its files (or finds them in the files.Cache) and unites
// their columns by name. It needs the footers of all files, because any file may have
// a column that no other file has, or one whose type does not unite with the others.
// Several footers are read at a time, each once. After that, a file that its folder
// or its name rules out is not opened (scan/files/schemas.go). Listed has what folders'
// names say before that, so that a query may do with some of the files.
package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/delta"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/iceberg"
	"github.com/parquetsql/parquetsql/storage"
)

// Config says where a catalog's files are and what their names and columns mean.
type Config struct {
	FS      fs.FS   // nil: the local disk
	TempDir string  // where files of FS are copied that cannot be read at any place
	Path    string  // a directory, a file or a glob; inside FS if that is set
	Remote  *Remote // instead of FS and Path; nil: none
	// Scheme is what is known of addresses that begin so: a Remote that is a catalog has tables there.
	Scheme           func(name string) (storage.Scheme, error)
	BinaryAsString   bool   // BYTE_ARRAY without annotation is VARCHAR
	VariantGroups    string // see nested.Options
	HivePartitioning string // "auto" (also ""), "on" or "off"
	VerifyChecksums  bool   // check the CRC-32 of pages that have one
	AnyExtension     bool   // files in folders are known by their first bytes, not by their names
	FollowSymlinks   bool   // symbolic links may lead out of the location
	FooterCacheBytes int64  // the limit of cached footers and indexes; 0: a default
	FooterMemory     int64  // bytes that a footer may take with what is made of it; 0: any
	LogCacheBytes    int64  // the limit of what is kept of logs of tables; 0: a default

	// Only, unless empty, are patterns of names: tables of other names do not exist, and nothing is
	// found by its path.
	Only []string

	// LocationMap says where files are that logs have absolute paths of: folders, absolute or
	// relative to the location, by what the paths begin with.
	LocationMap map[string]string
	// Mapped has the stores of those of LocationMap that are addresses, by what the paths begin with.
	Mapped map[string]*Remote

	// Kept is a store whose bytes are kept on the disk; nil: none are. It is for the stores of a catalog's
	// files, by their addresses.
	Kept func(s storage.Store, address string) (storage.Store, error)

	// Keys returns the keys of a file, should it be encrypted; nil: none are known. It
	// is called each time a footer is read.
	Keys func(*files.File) fileformat.Keys
	// KeysMayCome says that a key that was not found may be found later.
	KeysMayCome bool

	// Read makes of a file set what rows are read of: delete files of Iceberg are tables, too. nil:
	// tables that have such files cannot be read.
	Read func(*files.Set) scan.Source

	// Scan says how the tables are read; each Table has it. With OnCorruptSkip a
	// table has the columns of the files whose footers are not damaged, and a damaged
	// file is an error only when it is opened.
	Scan scan.Options
}

// DefaultFooterCacheBytes is what Config.FooterCacheBytes is when it is 0.
const DefaultFooterCacheBytes = files.DefaultFooterCacheBytes

// defaultLogCacheBytes is what Config.LogCacheBytes is when it is 0.
const defaultLogCacheBytes = 256 << 20

// Catalog is a location with a cache of its files' footers. It may be used by several
// goroutines.
type Catalog struct {
	config  Config
	path    string
	cache   *files.Cache
	handles *storage.Handles
	lakes   *lakes
	stores  *keeper // of the files of a Remote that is a catalog
}

// opening says how the files are opened.
func (x *Catalog) opening() files.Options {
	c := &x.config
	far := x.tables() != nil || c.Remote != nil && !c.Remote.Store.Cost().IsLocal() || c.Remote == nil && c.FS != nil && !x.given(".").Cost().IsLocal()
	return files.Options{
		Far:             far,
		Nested:          nested.Options{BinaryAsString: c.BinaryAsString, VariantGroups: c.VariantGroups},
		VerifyChecksums: c.VerifyChecksums, CacheBytes: c.FooterCacheBytes, FooterMemory: c.FooterMemory,
		Keys: c.Keys, KeysMayCome: c.KeysMayCome,
	}
}

// New checks only that the location exists, and of a remote one not even that.
func New(c Config) (*Catalog, error) {
	c.LogCacheBytes = cmp.Or(c.LogCacheBytes, defaultLogCacheBytes)
	out := &Catalog{config: c, handles: storage.NewHandles(storage.MaxHandles, c.TempDir), lakes: &lakes{deltas: map[string]*delta.Table{}, kept: delta.NewCache(c.LogCacheBytes), icebergs: map[lake]*iceberg.Table{}}, stores: &keeper{}}
	out.cache = files.NewCache(out.opening())
	if c.Remote != nil {
		return out, nil
	}
	if c.FS != nil {
		out.path = path.Clean(strings.TrimPrefix(c.Path, "./"))
	} else {
		full, err := filepath.Abs(c.Path)
		if err != nil {
			return nil, out.locationError(err)
		}
		out.path = full
	}
	if _, err := out.locate(context.Background()); err != nil {
		return nil, err
	}
	return out, nil
}

// WithPruners returns the same catalog, with the same cache, whose tables are read
// with other pruners.
func (c *Catalog) WithPruners(p scan.Pruners) *Catalog {
	out := *c
	out.config.Scan.Pruning = p
	return &out
}

// Ping fails if the location no longer exists or if no file matches its glob.
func (c *Catalog) Ping(ctx context.Context) error {
	if t := c.tables(); t != nil {
		return t.Ping(ctx)
	}
	if c.config.Remote == nil {
		l, err := c.locate(ctx)
		if err != nil || l.kind != atGlob {
			return err
		}
	}
	_, err := c.Snapshot(ctx)
	return err
}

// Connect is Ping where that takes no request.
func (c *Catalog) Connect(ctx context.Context) error {
	if c.config.Remote != nil {
		return ctx.Err()
	}
	return c.Ping(ctx)
}

// Close closes remote stores, if they can be closed.
func (c *Catalog) Close() (err error) {
	for _, r := range append(slices.Collect(maps.Values(c.config.Mapped)), c.config.Remote) {
		if r != nil {
			err = cmp.Or(err, closed(r.Store), closed(r.Tables))
		}
	}
	return cmp.Or(err, c.stores.close())
}

// Snapshot lists the files as they are now. It opens none of them. Of a catalog it lists nothing.
func (c *Catalog) Snapshot(ctx context.Context) (*Snapshot, error) {
	s, err := c.Later(ctx)
	if err != nil || s.location.kind == atTables { // a table is what it is when it is looked at first
		return s, err
	}
	return s, s.ready(ctx)
}

// Later is a Snapshot for one statement: a folder is listed when it is asked for what it has, so that
// a statement may do with few folders (see Listed), or names (see early), or nothing.
func (c *Catalog) Later(ctx context.Context) (*Snapshot, error) {
	l, err := c.locate(ctx)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{catalog: c, location: l, footers: c.cache.Footers(), tables: map[string][]*tableSource{}, named: map[string]*tableSource{}}
	s.unready = true
	if l.kind == atDirectory || l.kind == atTables {
		return s, nil
	}
	return s, s.ready(ctx)
}

// SkipsDamage reports whether scans leave out damaged rows.
func (s *Snapshot) SkipsDamage() bool { return s.catalog.config.Scan.OnCorruptSkip }

// ready lists the files, unless they are listed.
func (s *Snapshot) ready(ctx context.Context) (err error) {
	s.listMu.Lock()
	defer s.listMu.Unlock()
	if !s.unready {
		return nil
	}
	switch l := s.location; {
	case l.kind == atFile:
		err = s.fromFile(ctx)
	case l.kind == atGlob:
		err = s.fromGlob(ctx)
	case l.flat:
		err = s.fromFlat(ctx)
	default:
		err = s.fromDirectory(ctx)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		clear(s.tables)
		return s.catalog.locationError(err)
	}
	maps.DeleteFunc(s.tables, func(name string, _ []*tableSource) bool { return !s.catalog.config.shows(name) })
	s.unready = false
	return nil
}

// shows reports whether a table may be seen.
func (c *Config) shows(name string) bool {
	return len(c.Only) == 0 || slices.ContainsFunc(c.Only, func(pattern string) bool {
		match, err := path.Match(pattern, name)
		return match && err == nil
	})
}

func (s *Snapshot) fromFile(ctx context.Context) (err error) {
	if l := s.location; l.metadata {
		s.listing = &listing{}
		s.add(&tableSource{name: l.name, what: l.base, folder: ".", lake: lake{folder: ".", iceberg: true, file: l.file}})
		return nil
	}
	var e storage.Entry
	if known := s.location.entry; known != nil {
		e = *known
	} else if e, err = regular(s.location.store.Stat(ctx, s.location.file)); err != nil {
		return err
	}
	e.Name = s.location.base
	s.listing = &listing{entries: []storage.Entry{e}}
	s.add(&tableSource{name: s.location.name, what: e.Name, entries: s.listing.entries})
	return nil
}

// regular is an entry that has to be a file.
func regular(e storage.Entry, err error) (storage.Entry, error) {
	if err == nil && e.Folder {
		err = storage.ErrNotRegular
	}
	return e, cmp.Or(err, e.Err)
}

func (s *Snapshot) fromGlob(ctx context.Context) (err error) {
	g := s.location.glob
	if s.listing, err = listFiles(ctx, s.location.store, ".", g.depth(), g.literal()); err != nil {
		return err
	}
	matches, err := s.matching(ctx, g)
	if err != nil {
		return err
	}
	if len(matches) == 0 {
		return errors.New("no file matches")
	}
	s.add(&tableSource{name: s.location.name, what: s.catalog.shownPath(), entries: matches})
	return nil
}

// fromDirectory finds the tables of a directory: its files, its folders with
// files at any depth, and all its key=value folders together.
func (s *Snapshot) fromDirectory(ctx context.Context) (err error) {
	if s.listing, err = listTables(ctx, s.location.store, "."); err != nil {
		return err
	}
	s.tables, err = s.tablesIn(ctx, s.listing)
	return err
}

// tablesIn are the tables of a listing of the location, by name.
func (s *Snapshot) tablesIn(ctx context.Context, l *listing) (map[string][]*tableSource, error) {
	out := map[string][]*tableSource{}
	add := func(t *tableSource) { out[t.name] = append(out[t.name], t) }
	own := &tableSource{name: s.location.name, what: ".", folder: "."}
	entries, err := s.parquet(ctx, l)
	if err != nil {
		return nil, err
	}
	if own.lake = l.lakeWithin("."); own.isLake() {
		own.entries = entries
		add(own)
		return out, nil
	}
	own.lake = lake{}
	folders := map[string]*tableSource{}
	for at, end := 0, 0; at < len(entries); at = end {
		e := entries[at]
		end = at + 1
		folder, _, nested := strings.Cut(e.Name, "/")
		if !nested && !e.Folder {
			add(&tableSource{name: stem(e.Name), what: e.Name, entries: []storage.Entry{e}})
			continue
		}
		for end < len(entries) && nested && strings.HasPrefix(entries[end].Name, e.Name[:len(folder)+1]) {
			end++ // they are sorted: so those of a folder are behind each other
		}
		table := folders[folder]
		if _, keyed := splitPartition(folder); keyed {
			table = own
		} else if table == nil {
			table = &tableSource{name: folder, what: folder + "/", folder: folder}
			folders[folder] = table
		}
		table.entries = append(table.entries, entries[at:end]...)
		if d := l.lakeWithin(folder); d.folder != "" {
			table.lake = d
		}
	}
	l.addLakes(folders)
	for _, table := range folders {
		add(table)
	}
	if len(own.entries) > 0 {
		add(own)
	}
	return out, nil
}

func (s *Snapshot) add(t *tableSource) { s.tables[t.name] = append(s.tables[t.name], t) }

// matching returns the entries that a glob matches, and the folders that could not be read
// and may have some: without them rows would be missing, and nobody would know. Hidden folders are listed only if
// the glob names them before its first wildcard.
func (s *Snapshot) matching(ctx context.Context, g glob) ([]storage.Entry, error) {
	from := s.listing
	if !strings.HasPrefix(g.literal(), from.prefix) && s.location.flat {
		var err error
		if from, err = listFiles(ctx, s.location.store, ".", g.depth(), g.literal()); err != nil {
			return nil, err
		}
	}
	if s.hides(g.prefix()) || strings.HasPrefix(g.prefix(), "_") || strings.HasPrefix(g.prefix(), ".") && g.prefix() != "." || strings.Contains(g.prefix(), "/_") || strings.Contains(g.prefix(), "/.") {
		var err error
		if from, err = listFiles(ctx, s.location.store, g.prefix(), -1, ""); err != nil {
			return nil, fmt.Errorf("folder %q: %w", g.prefix(), err)
		}
	}
	out := g.matching(from.entries)
	if len(out) > 0 || s.location.flat || g.prefix() == "." {
		return out, nil
	}
	return s.throughLink(ctx, g)
}

// throughLink is what a glob matches in a folder that it names by a symbolic link. Listings do not follow
// those, as a glob does not that has a wildcard in place of the link's name.
func (s *Snapshot) throughLink(ctx context.Context, g glob) ([]storage.Entry, error) {
	from := g.prefix()
	e, err := s.location.store.Stat(ctx, from)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || err == nil && !e.Folder {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("folder %q: %w", from, err)
	}
	l, err := listFiles(ctx, s.location.store, from, g.depthBelow(from), "")
	if err != nil {
		return nil, fmt.Errorf("folder %q: %w", from, err)
	}
	return g.matching(l.entries), nil
}

// matching is the entries that a glob matches, and folders that may have some.
func (g glob) matching(entries []storage.Entry) (out []storage.Entry) {
	for _, e := range entries {
		if e.Folder && g.matchesBelow(e.Name) || !e.Folder && g.match(e.Name) {
			out = append(out, e)
		}
	}
	return out
}
