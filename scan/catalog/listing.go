package catalog

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/storage"
)

// listing holds the files of a folder, at any depth, sorted by path, without hidden
// files, and the folders that cannot be read.
type listing struct {
	entries []storage.Entry
	delta   []string // folders that hold a _delta_log
	depth   int      // how many folders deep it goes; -1: all
	prefix  string   // how the names begin that it is of; "": all
}

// listFiles lists the files below a folder, depth folders deep, -1 for all. Those whose names
// below it do not begin with prefix may be missing.
func listFiles(ctx context.Context, store storage.Store, dir string, depth int, prefix string) (*listing, error) {
	out := &listing{depth: depth, prefix: prefix}
	for page, err := range store.List(ctx, dir, storage.Walk{Depth: depth, Skip: isHidden, Prefix: prefix}) {
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			switch {
			case !e.Folder || e.Err != nil:
				out.entries = append(out.entries, e)
			case path.Base(e.Name) == "_delta_log":
				out.delta = append(out.delta, path.Dir(e.Name))
			}
		}
	}
	slices.SortFunc(out.entries, func(a, b storage.Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// deltaWithin returns a folder with a _delta_log, dir itself if it has one, or one below it, or "".
func (l *listing) deltaWithin(dir string) string {
	if l.hasLog(dir) {
		return dir
	}
	for _, d := range l.delta {
		if dir == "." || d == dir || strings.HasPrefix(d, dir+"/") {
			return d
		}
	}
	return ""
}
