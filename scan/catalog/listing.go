package catalog

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// entry is a file in a listing.
type entry struct {
	path    string // below the location
	size    int64
	modTime time.Time
	err     error // why it cannot be read; then only path and folder are set
	folder  bool  // the entry is a folder that cannot be read
}

// listing holds the files of a folder, at any depth, sorted by path, without hidden
// files. Links to folders are not followed: a file could be listed twice, or the walk
// never end.
type listing struct {
	entries []entry
	delta   []string // folders that hold a _delta_log
}

// listFiles walks a folder, depth folders deep, -1 for all.
func listFiles(ctx context.Context, fsys fileSystem, dir string, depth int) (*listing, error) {
	w := &walker{ctx: ctx, fsys: fsys, out: &listing{}}
	if err := w.walk(dir, depth); err != nil {
		return nil, err
	}
	slices.SortFunc(w.out.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return w.out, nil
}

type walker struct {
	ctx  context.Context
	fsys fileSystem
	out  *listing
}

// walk fails only if the context is done or the first folder cannot be read. A folder
// further down that cannot be read becomes an entry with an error, so that only its
// own table fails.
func (w *walker) walk(dir string, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	entries, err := w.fsys.readDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if isHidden(e.Name()) {
			if e.Name() == "_delta_log" && e.IsDir() {
				w.out.delta = append(w.out.delta, dir)
			}
			continue
		}
		if e.IsDir() {
			if depth == 0 {
				continue
			}
			if err := w.walk(name, depth-1); err != nil {
				if w.ctx.Err() != nil {
					return err
				}
				w.add(entry{path: name, err: err, folder: true})
			}
			continue
		}
		w.file(name, e)
	}
	return nil
}

func (w *walker) file(name string, e fs.DirEntry) {
	var info fs.FileInfo
	var err error
	if e.Type()&fs.ModeSymlink != 0 {
		info, err = w.fsys.stat(name)
	} else {
		info, err = e.Info()
	}
	switch {
	case err != nil && e.Type()&fs.ModeSymlink == 0 && errors.Is(err, fs.ErrNotExist):
		// It was removed meanwhile.
	case err != nil:
		w.add(entry{path: name, err: err})
	case info.Mode().IsRegular():
		w.add(entry{path: name, size: info.Size(), modTime: info.ModTime()})
	}
}

func (w *walker) add(e entry) { w.out.entries = append(w.out.entries, e) }

// deltaWithin returns a folder with a _delta_log, dir or one below it, or "".
func (l *listing) deltaWithin(dir string) string {
	for _, d := range l.delta {
		if dir == "." || d == dir || strings.HasPrefix(d, dir+"/") {
			return d
		}
	}
	return ""
}
