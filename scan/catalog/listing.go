package catalog

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/scan/delta/log"
	"github.com/parquetsql/parquetsql/scan/iceberg"
	"github.com/parquetsql/parquetsql/storage"
)

// listing holds the files of a folder, at any depth, sorted by path, without hidden
// files, and the folders that cannot be read.
type listing struct {
	entries []storage.Entry
	lakes   []lake   // folders with a log or with metadata that say which files count
	folders []string // of listTop: the folders that are not listed
	depth   int      // how many folders deep it goes; -1: all
	prefix  string   // how the names begin that it is of; "": all
	closed  bool     // it lacks what is below folders that hold a _delta_log
}

// listFiles lists the files below a folder, depth folders deep, -1 for all. Those whose names
// below it do not begin with prefix may be missing.
func listFiles(ctx context.Context, store storage.Store, dir string, depth int, prefix string) (*listing, error) {
	return list(ctx, store, dir, &listing{depth: depth, prefix: prefix})
}

// listTables lists all files below a folder but those of Delta tables, whose logs have them.
func listTables(ctx context.Context, store storage.Store, dir string) (*listing, error) {
	return list(ctx, store, dir, &listing{depth: -1, closed: true})
}

func list(ctx context.Context, store storage.Store, dir string, out *listing) (*listing, error) {
	w := storage.Walk{Depth: out.depth, Skip: isHidden, Prefix: out.prefix}
	if out.closed {
		w.Closed = log.Folder
	}
	for page, err := range store.List(ctx, dir, w) {
		if err != nil {
			return nil, err
		}
		out.add(page)
	}
	out.finish()
	return out, nil
}

func (l *listing) add(page []storage.Entry) {
	l.entries = slices.Grow(l.entries, len(page))
	for _, e := range page {
		switch {
		case !e.Folder || e.Err != nil:
			l.entries = append(l.entries, e)
		case path.Base(e.Name) == log.Folder:
			l.lakes = append(l.lakes, lake{folder: path.Dir(e.Name)})
		}
	}
}

// finish is called when all entries are there.
func (l *listing) finish() {
	l.addIceberg()
	slices.SortFunc(l.entries, func(a, b storage.Entry) int { return strings.Compare(a.Name, b.Name) })
}

// listTop lists a folder alone: its files and its folders.
func listTop(ctx context.Context, store storage.Store, dir string) (*listing, error) {
	out := &listing{}
	all := func(string) bool { return true }
	for page, err := range store.List(ctx, dir, storage.Walk{Skip: isHidden, Stop: all}) {
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			switch base := path.Base(e.Name); {
			case e.Folder && e.Err == nil && base == log.Folder:
				out.lakes = append(out.lakes, lake{folder: dir})
			case e.Folder && e.Err == nil && base == iceberg.Folder: // perhaps: it is not looked into
				out.lakes = append(out.lakes, lake{folder: dir, iceberg: true})
			case e.Folder && e.Err == nil && !isHidden(base):
				out.folders = append(out.folders, e.Name)
			case !e.Folder:
				out.entries = append(out.entries, e)
			}
		}
	}
	slices.Sort(out.folders)
	return out, nil
}
