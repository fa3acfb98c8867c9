package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/scan/delta/log"
	"github.com/parquetsql/parquetsql/storage"
)

// A location may have very many files, of which a statement needs a few, or none. So a table is first
// looked for by its name: what the location has of that name is listed, and nothing else. Only what is
// not found so needs the whole listing.
//
// This is so in stores of objects and on the local disk. Where each folder takes a request, the
// folders of a table may not all be wanted: see listedTop.

// early finds a table of exactly that name, or a path, before the location is listed. It is nil, and
// sure is false, where that may not tell.
func (s *Snapshot) early(ctx context.Context, name string) (found *tableSource, sure bool, err error) {
	s.listMu.Lock()
	asks := s.unready && s.location.kind == atDirectory && (s.location.flat || s.isLocal()) && !s.catalog.config.AnyExtension
	s.listMu.Unlock()
	if !asks {
		return nil, false, nil
	}
	name, query, err := s.relative(name)
	if only := s.catalog.config.Only; len(only) > 0 && (err != nil || query != "" || !s.earlyShown(name)) {
		return nil, false, nil
	}
	if err == nil && query != "" {
		if found, err = s.signed(ctx, name, query); err != nil {
			return nil, false, ctx.Err() // it comes again
		}
		return found, true, nil
	}
	clean, ok := cleanName(name)
	if err != nil || !ok || clean == "." || clean == s.location.name {
		return nil, false, nil // an error comes again
	}
	path := hasGlob(clean) || strings.Contains(clean, "/")
	if !path && clean != name {
		return nil, false, nil // ./t is a path, and not the table t
	}
	s.mu.Lock()
	known, asked := s.earlier[clean]
	s.mu.Unlock()
	if asked {
		return known, true, nil
	}
	switch {
	case hasGlob(clean):
		found, err = s.earlyGlob(ctx, clean)
	case path:
		found, err = s.earlyPath(ctx, clean)
	case s.location.flat:
		found, err = s.earlyName(ctx, clean)
	default:
		found, asked, err = s.earlyLocal(ctx, clean)
		if !asked && err == nil {
			return nil, false, ctx.Err()
		}
	}
	if found == nil && err == nil && !path && isParquet(clean) {
		path = true
		found, err = s.earlyPath(ctx, clean)
	}
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if err != nil || path && found == nil {
		return nil, false, nil // the whole listing fails, too, or has it
	}
	if path {
		found.name, found.what, found.named = name, name, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.earlier == nil {
		s.earlier = map[string]*tableSource{}
	}
	s.earlier[clean] = found
	return found, true, nil
}

// earlyShown reports whether a name can be looked for early where some tables alone are shown: that of
// one of them, and neither a path nor what is like a file.
func (s *Snapshot) earlyShown(name string) bool {
	clean, ok := cleanName(name)
	return ok && clean == name && !hasGlob(name) && !strings.Contains(name, "/") && !isParquet(name) && s.catalog.config.shows(name)
}

// earlyName finds a table by its name: t.parquet, or what is below t/. These follow each other in
// the order of names.
func (s *Snapshot) earlyName(ctx context.Context, name string) (*tableSource, error) {
	l := &listing{depth: -1, closed: true}
	w := storage.Walk{Depth: -1, Skip: isHidden, Prefix: name, From: name + ".", Closed: log.Folder}
	for page, err := range s.location.store.List(ctx, ".", w) {
		if err != nil {
			return nil, err
		}
		l.add(page)
		if n := len(page); n > 0 && page[n-1].Name > name+"0" { // what follows "/"
			break
		}
	}
	l.finish()
	tables, err := s.tablesIn(ctx, l)
	if err != nil || tables[name] == nil {
		return nil, err
	}
	return unique(name, tables[name])
}

// earlyGlob lists what begins as a glob does up to its first wildcard.
func (s *Snapshot) earlyGlob(ctx context.Context, name string) (*tableSource, error) {
	g, err := newGlob(name)
	if err != nil || slices.ContainsFunc(strings.Split(g.prefix(), "/"), func(part string) bool { return part != "." && isHidden(part) }) {
		return nil, err
	}
	var l *listing
	switch from := g.prefix(); {
	case s.location.flat:
		l, err = listFiles(ctx, s.location.store, ".", g.depth(), g.literal())
	case from == ".":
		return nil, nil // all of it has to be listed
	default:
		l, err = listFiles(ctx, s.location.store, from, g.depthBelow(from), "")
	}
	if err != nil {
		return nil, err
	}
	if entries := g.matching(l.entries); len(entries) > 0 {
		return &tableSource{entries: entries}, nil
	}
	return nil, nil
}

// earlyPath finds a file or a folder, first as what its name is like.
func (s *Snapshot) earlyPath(ctx context.Context, name string) (*tableSource, error) {
	if !isParquet(name) && s.location.flat {
		return s.folder(ctx, name)
	}
	if _, ok := metadataOf(name); ok {
		return nil, nil
	}
	e, err := s.location.store.Stat(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case e.Err != nil:
		return nil, e.Err
	case e.Folder:
		return s.folder(ctx, name)
	}
	return &tableSource{entries: []storage.Entry{e}}, nil
}

func (s *Snapshot) isLocal() bool { return s.location.store.Cost().IsLocal() }

// rootTop is the location itself without what is in its folders, listed once for a statement.
func (s *Snapshot) rootTop(ctx context.Context) (*listing, error) {
	s.listMu.Lock()
	defer s.listMu.Unlock()
	if s.top != nil {
		return s.top, nil
	}
	top, err := listTop(ctx, s.location.store, ".")
	if err == nil {
		s.top = top
	}
	return top, err
}

// earlyLocal finds a table by its name where there are folders: t.parquet, and what is below t/. sure
// is false where the location itself may be a table.
func (s *Snapshot) earlyLocal(ctx context.Context, name string) (found *tableSource, sure bool, err error) {
	root, err := s.rootTop(ctx)
	if err != nil || len(root.lakes) > 0 {
		return nil, false, err
	}
	l := &listing{depth: -1, closed: true}
	if slices.Contains(root.folders, name) && !isKeyed(name) {
		if l, err = listTables(ctx, s.location.store, name); err != nil {
			return nil, false, err
		}
	}
	for _, e := range root.entries {
		if stem(e.Name) == name {
			l.entries = append(l.entries, e)
		}
	}
	tables, err := s.tablesIn(ctx, l)
	if err != nil || tables[name] == nil {
		return nil, err == nil, err
	}
	found, err = unique(name, tables[name])
	return found, err == nil, err
}
