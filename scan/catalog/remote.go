package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/storage"
)

// Remote is a location in a store of objects, where the names of files have slashes but there
// are no folders, and each look is a request.
type Remote struct {
	storage.Root
	Address string // for messages: without credentials
}

// locateRemote finds out what the location is, with a request only where its name is that of a
// Parquet file. A name that ends with a slash is no file.
func (c *Catalog) locateRemote(ctx context.Context) (*location, error) {
	r := c.config.Remote
	name := strings.TrimSuffix(r.Name, "/")
	folder := name != r.Name || name == ""
	switch {
	case hasGlob(name) && !r.Literal:
		return c.remoteGlob(name)
	case !folder && isParquet(r.shown(name)):
		l, err := c.remoteFile(ctx, name)
		if !errors.Is(err, fs.ErrNotExist) {
			return l, err
		}
	}
	title := path.Base(name)
	if name == "" {
		title = path.Base(strings.TrimSuffix(r.Address, "/"))
	}
	return &location{store: storage.Below(r.Store, name), kind: atDirectory, name: title, flat: true, mayBeFile: !folder}, nil
}

func (c *Catalog) remoteGlob(name string) (*location, error) {
	whole, err := newGlob(name)
	if err != nil {
		return nil, err
	}
	dir := whole.prefix()
	g, err := newGlob(strings.TrimPrefix(name, dir+"/"))
	return &location{store: storage.Below(c.config.Remote.Store, dir), kind: atGlob, name: globName(name), glob: g, flat: true}, err
}

// remoteFile is a location that is one object.
func (c *Catalog) remoteFile(ctx context.Context, name string) (*location, error) {
	e, err := c.config.Remote.Store.Stat(ctx, name)
	if err != nil {
		return nil, err
	}
	shown := c.config.Remote.shown(name)
	return &location{store: c.config.Remote.Store, kind: atFile, name: stem(shown), base: path.Base(shown), file: name, flat: true, entry: &e}, nil
}

// shown is a name without what a web server gets with it, which may be credentials.
func (r *Remote) shown(name string) string {
	if r != nil && r.Literal {
		name, _, _ = strings.Cut(name, "?")
	}
	return name
}

// fromFlat is fromDirectory for a store of objects: one without objects is not there, or is a
// file whose name does not say so.
func (s *Snapshot) fromFlat(ctx context.Context) error {
	err := s.fromDirectory(ctx)
	unlisted := errors.Is(err, storage.ErrNoListing)
	if err != nil && !unlisted || err == nil && len(s.listing.entries)+len(s.listing.lakes) > 0 {
		return err
	}
	if s.location.mayBeFile {
		l, err := s.catalog.remoteFile(ctx, s.catalog.config.Remote.Name)
		if err != nil {
			return err
		}
		s.location = l
		return s.fromFile(ctx)
	}
	if !unlisted {
		return fmt.Errorf("no object is there: %w", fs.ErrNotExist)
	}
	s.listing, s.unlisted = &listing{}, true
	return nil
}

// relative is a table's name that is an address, as one below the location, and the query of the
// address, as a presigned one has it; other names stay as they are.
func (s *Snapshot) relative(name string) (below, query string, err error) {
	r := s.catalog.config.Remote
	a, ok := storage.ParseAddress(name)
	if !ok || r == nil {
		return name, "", nil
	}
	query, a.Query = a.Query, ""
	base, own := r.Address, ""
	if r.Literal {
		base, _, _ = strings.Cut(base, "?")
		_, own, _ = strings.Cut(r.Name, "?")
	}
	base = strings.TrimSuffix(base, "/")
	rest, inside := strings.CutPrefix(a.String(), base)
	switch {
	case inside && rest == "" && s.location.kind == atFile && (query == "" || query == own):
		return s.location.base, "", nil
	case inside && rest == "" && query == "":
		return ".", "", nil
	case inside && rest != "" && rest[0] == '/' && s.location.kind != atFile:
		return rest[1:], query, nil
	}
	return "", "", fmt.Errorf("table %q: %w %q", a.String(), storage.ErrOutside, base)
}

// Shown is a table's name for plans and messages: an address is without a query or a user.
func Shown(name string) string {
	if a, ok := storage.ParseAddress(name); ok {
		return a.String()
	}
	return name
}

// signed is the file of an address with a query: it is asked for with that, and has its name without.
func (s *Snapshot) signed(ctx context.Context, name, query string) (*tableSource, error) {
	clean, ok := cleanName(name)
	if !ok {
		return nil, fmt.Errorf("table %q: %w", name, storage.ErrOutside)
	}
	key := clean + "?" + query
	s.mu.Lock()
	found := s.named[key]
	s.mu.Unlock()
	if found != nil {
		return found, nil
	}
	e, err := s.location.store.Stat(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", clean, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.named[key]; first != nil {
		return first, nil
	}
	found = &tableSource{name: clean, what: clean, named: true, entries: []storage.Entry{e}}
	s.named[key] = found
	return found, nil
}

// lookUpFlat is lookUp of a name without wildcards in a store of objects. What the listing has
// takes no request.
func (s *Snapshot) lookUpFlat(ctx context.Context, name string) (*tableSource, error) {
	if s.listing.has(name) && !s.unlisted && !s.hides(name) {
		return s.within(ctx, s.listing, name)
	}
	e, err := s.location.store.Stat(ctx, name)
	switch {
	case err == nil:
		return &tableSource{entries: []storage.Entry{e}}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("table %q: %w", name, err)
	case s.unlisted:
		return nil, &errs.NotFoundError{Kind: "table", Name: name, Hint: storage.ErrNoListing.Error() + ": only files can be named, by their whole path"}
	}
	return s.folder(ctx, name)
}

// has reports whether the listing would have what is below a name, if there were anything.
func (l *listing) has(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part != "." && isHidden(part) {
			return false
		}
	}
	return strings.HasPrefix(name, l.prefix) && l.depth < 0
}
