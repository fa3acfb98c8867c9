package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/storage"
)

// Snapshot holds a location's files at one moment. It may be used by several
// goroutines.
type Snapshot struct {
	catalog  *Catalog
	location *location
	footers  *files.Footers
	listing  *listing
	tables   map[string][]*tableSource // by name; more than one is a conflict
	unlisted bool                      // the store cannot list: tables are named by the paths of files

	listMu  sync.Mutex // before mu
	unready bool       // the files are not listed yet: see ready

	top *listing // see rootTop; within listMu

	mu    sync.Mutex
	named map[string]*tableSource // paths and globs looked up so far: they keep their files

	earlier map[string]*tableSource // what early has found out, nil for names that are not there

	pins pinning

	pinned map[lake]any // *delta.Pinned or *iceberg.Pinned: the logs and metadata that were read so far
}

// tableSource holds the files of one table.
type tableSource struct {
	name    string
	what    string // its path, glob or folder ("sales/"), for error messages
	entries []storage.Entry
	folder  string // the folder whose files it has; "" where it is none
	lake    lake   // of the folder or of one below it; without a folder none
	named   bool   // a path or glob: files that are no Parquet files are errors like any
	hive    string // instead of Config.HivePartitioning, unless empty
}

// TableNames lists the location's tables, sorted, including those that cannot be read.
func (s *Snapshot) TableNames(ctx context.Context) ([]string, error) {
	if s.location.kind == atTables {
		return s.namesOfAll(ctx)
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(s.tables)), nil
}

// Has reports whether a table of exactly that name is in the location.
func (s *Snapshot) Has(ctx context.Context, name string) (bool, error) {
	if s.location.kind == atTables {
		return false, nil // whether t$files is a table, too, is not worth a request
	}
	if found, sure, err := s.early(ctx, name); sure || err != nil {
		return found != nil && !found.named, err
	}
	err := s.ready(ctx)
	return err == nil && s.tables[name] != nil, err
}

// Table finds a table by its exact name, as a path or glob below the location, or by
// its name in another case if only one table matches. It reads the footers of the
// table's files. If nothing has the name, it returns an *errs.NotFoundError. Package
// system finds the system tables too.
func (s *Snapshot) Table(ctx context.Context, name string) (*files.Set, error) {
	found, err := s.find(ctx, name)
	if base, version, ok := splitVersion(name); ok && isMissing(err) {
		return s.TableAt(ctx, base, &version, "", nil)
	}
	if err != nil {
		return nil, err
	}
	return s.load(ctx, found)
}

// find returns the files of a name.
func (s *Snapshot) find(ctx context.Context, name string) (*tableSource, error) {
	if s.location.kind == atTables {
		return s.findLoaded(ctx, name)
	}
	if found, _, err := s.early(ctx, name); found != nil || err != nil {
		return found, err
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	if found := s.tables[name]; found != nil {
		return unique(name, found)
	}
	if found, err := s.findPath(ctx, name); found != nil || err != nil {
		return found, err
	}
	var folded []string
	for n := range s.tables {
		if strings.EqualFold(n, name) {
			folded = append(folded, n)
		}
	}
	if len(folded) == 1 {
		return unique(folded[0], s.tables[folded[0]])
	}
	slices.Sort(folded)
	if folded == nil {
		folded = errs.Nearest(name, slices.Sorted(maps.Keys(s.tables)))
	}
	hint, err := s.LeftOut(ctx)
	if err != nil {
		return nil, err
	}
	if hint == "" && folded == nil {
		hint = s.insteadOf(name)
	}
	if a, ok := storage.ParseAddress(name); ok {
		name = Shown(name)
		hint = "a store is a location of its own: open " + name
		if _, err := storage.SchemeOf(a.Scheme); err != nil {
			hint += "; " + err.Error()
		}
	}
	return nil, &errs.NotFoundError{Kind: "table", Name: name, Nearest: folded, Hint: hint}
}

// Paths returns the files of a table, a path or a glob; none if a glob matches none. It opens
// none of them.
func (s *Snapshot) Paths(ctx context.Context, name string) ([]string, error) {
	if s.location.kind == atTables {
		return nil, noFiles(name)
	}
	found, err := s.find(ctx, name)
	var missing *errs.NotFoundError
	if err != nil && hasGlob(name) && errors.As(err, &missing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries := found.entries
	if found.isLake() { // what is there, whatever the log says
		l, err := listFiles(ctx, s.location.store, found.folder, -1, "")
		if err != nil {
			return nil, fmt.Errorf("table %q: %w", name, err)
		}
		if entries, err = s.parquet(ctx, l); err != nil {
			return nil, err
		}
	}
	var out []string
	for _, e := range entries {
		if e.Err != nil {
			return nil, fmt.Errorf("file %q: %w", e.Name, e.Err)
		}
		out = append(out, s.catalog.config.Remote.shown(e.Name))
	}
	return out, nil
}

// Files is the files of some paths, globs and tables as one table, in this order. hive is
// as in Config.HivePartitioning; empty means as there.
func (s *Snapshot) Files(ctx context.Context, names []string, hive string) (*files.Set, error) {
	all, err := s.filesOf(ctx, names, hive)
	if err != nil {
		return nil, err
	}
	return s.load(ctx, all)
}

func (s *Snapshot) filesOf(ctx context.Context, names []string, hive string) (*tableSource, error) {
	all := &tableSource{name: strings.Join(names, ", "), named: true, hive: hive}
	for _, name := range names {
		found, err := s.find(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(names) == 1 && found.isLake() {
			return found, nil
		}
		all.entries = append(all.entries, found.entries...)
		if all.lake.folder == "" {
			all.lake = found.lake
		}
	}
	return all, nil
}

func unique(name string, found []*tableSource) (*tableSource, error) {
	if len(found) > 1 {
		return nil, fmt.Errorf("table %q is both %q and %q: name one of them by its path in backticks", name, found[0].what, found[1].what)
	}
	return found[0], nil
}

// findPath finds a file, a folder or a glob below the location, nil if there is none.
func (s *Snapshot) findPath(ctx context.Context, name string) (*tableSource, error) {
	if len(s.catalog.config.Only) > 0 {
		return nil, nil
	}
	if _, ok := storage.ParseAddress(name); ok && s.catalog.config.Remote == nil {
		return nil, nil // find says what to do
	}
	name, query, err := s.relative(name)
	if err != nil {
		return nil, err
	}
	if query != "" {
		return s.signed(ctx, name, query)
	}
	clean, ok := cleanName(name)
	if !ok {
		if strings.ContainsAny(name, `/\`) {
			return nil, &errs.NotFoundError{Kind: "table", Name: name, Hint: storage.ErrOutside.Error() + "; paths in FROM begin at the location"}
		}
		return nil, nil
	}
	s.mu.Lock()
	found := s.named[clean]
	s.mu.Unlock()
	if found != nil {
		return found, nil
	}
	found, err = s.lookUp(ctx, clean)
	if found == nil || err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	found.name, found.what, found.named = name, name, true
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.named[clean]; first != nil {
		return first, nil
	}
	s.named[clean] = found
	return found, nil
}

func (s *Snapshot) lookUp(ctx context.Context, name string) (*tableSource, error) {
	if folder, ok := metadataOf(name); ok && s.location.kind != atFile {
		return s.metadataFile(ctx, folder, name)
	}
	for i, e := range s.listing.entries {
		if e.Name == name {
			return &tableSource{entries: s.listing.entries[i : i+1]}, nil
		}
	}
	if s.location.kind == atFile {
		return nil, nil
	}
	if s.location.flat && !hasGlob(name) {
		return s.lookUpFlat(ctx, name)
	}
	if s.location.flat {
		return s.lookUpGlob(ctx, name)
	}
	e, err := s.location.store.Stat(ctx, name)
	switch {
	case err == nil && e.Folder:
		return s.folder(ctx, name)
	case err == nil && e.Err != nil:
		return nil, fmt.Errorf("table %q is not a regular file", name)
	case err == nil:
		return &tableSource{entries: []storage.Entry{e}}, nil
	case !hasGlob(name):
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			return nil, nil
		}
		return nil, fmt.Errorf("table %q: %w", name, err)
	}
	return s.lookUpGlob(ctx, name)
}

func (s *Snapshot) lookUpGlob(ctx context.Context, name string) (*tableSource, error) {
	g, err := newGlob(name)
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", name, err)
	}
	matches, err := s.matching(ctx, g)
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", name, err)
	}
	if len(matches) == 0 {
		return nil, &errs.NotFoundError{Kind: "table", Name: name, Hint: "no file matches"}
	}
	return &tableSource{entries: matches}, nil
}

// folder returns all Parquet files below a folder.
func (s *Snapshot) folder(ctx context.Context, name string) (*tableSource, error) {
	l, err := listTables(ctx, s.location.store, name)
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", name, err)
	}
	return s.within(ctx, l, name)
}

// within returns all Parquet files of a listing below a folder.
func (s *Snapshot) within(ctx context.Context, l *listing, name string) (*tableSource, error) {
	all, err := s.parquet(ctx, l)
	if err != nil {
		return nil, err
	}
	entries := all[:0]
	for _, e := range all {
		if name == "." || strings.HasPrefix(e.Name, name+"/") || e.Folder && e.Name == name {
			entries = append(entries, e)
		}
	}
	out := &tableSource{entries: entries, folder: name, lake: l.lakeWithin(name)}
	if len(out.entries) == 0 && out.lake.folder == "" {
		return nil, nil
	}
	return out, nil
}
