package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/storage"
)

// locationKind is the kind of a catalog's path.
type locationKind uint8

const (
	atDirectory locationKind = iota
	atFile
	atGlob
	atTables // a catalog: see tables.go
)

// location is the catalog's path, looked up.
type location struct {
	store storage.Store
	kind  locationKind
	name  string // the table's, if the whole location is one table; else the folder's
	file  string // atFile: its name in fsys (the file that a link points to may have another name)
	base  string // atFile: its name as the user gave it
	glob  glob   // atGlob

	flat      bool           // a store of objects: see Remote
	metadata  bool           // atFile: the metadata of an Iceberg table, whose folder is the store's
	entry     *storage.Entry // atFile: its description; nil: nobody has asked for it
	mayBeFile bool           // atDirectory: if nothing is below it, it may be a file
}

// locate looks the path up. Each snapshot does so again, because a file may have
// become a folder or the reverse.
func (c *Catalog) locate(ctx context.Context) (*location, error) {
	if c.tables() != nil {
		return c.locateTables(), nil
	}
	if c.config.Remote != nil {
		l, err := c.locateRemote(ctx)
		if err != nil && ctx.Err() == nil {
			err = c.locationError(err)
		}
		return l, err
	}
	if c.config.FS != nil {
		return c.locateGiven()
	}
	full := c.path
	l, err := c.locateAt(full, func(dir string) (storage.Store, fs.FileInfo, error) {
		info, err := os.Stat(dir)
		return c.local(dir), info, err
	})
	if err != nil || l.kind != atFile {
		return l, err
	}
	if root, rest, ok := metadataAt(filepath.ToSlash(full)); ok {
		return &location{store: c.local(filepath.FromSlash(root)), kind: atFile, name: path.Base(root), base: l.base, file: rest, metadata: true}, nil
	}
	// The user named this file, so a link is followed wherever it leads.
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return nil, c.locationError(err)
	}
	l.store, l.file = storage.NewLocal(filepath.Dir(real), false, c.handles), filepath.Base(real)
	return l, nil
}

// local is a folder of the local disk.
func (c *Catalog) local(dir string) storage.Store {
	return storage.NewLocal(dir, c.config.FollowSymlinks, c.handles)
}

// given is a folder of the user's file system.
func (c *Catalog) given(dir string) storage.Store {
	return storage.NewFS(c.config.FS, dir, c.config.FollowSymlinks, c.handles)
}

func (c *Catalog) locateGiven() (*location, error) {
	l, err := c.locateAt(c.path, func(dir string) (storage.Store, fs.FileInfo, error) {
		if !fs.ValidPath(dir) {
			return nil, nil, fmt.Errorf("%w: paths in an fs.FS begin at its root: neither / nor .. leads out of it", fs.ErrInvalid)
		}
		info, err := storage.StatFS(c.config.FS, dir)
		return c.given(dir), info, err
	})
	if root, rest, ok := metadataAt(c.path); ok && err == nil && l.kind == atFile {
		return &location{store: c.given(root), kind: atFile, name: path.Base(root), base: l.base, file: rest, metadata: true}, nil
	}
	if err == nil && l.kind == atFile {
		l.store, l.file = c.given(path.Dir(c.path)), path.Base(c.path)
	}
	return l, err
}

// locateAt tells folder, file and glob apart. If a file or folder has exactly this
// name, the name is not a glob.
func (c *Catalog) locateAt(full string, at func(dir string) (storage.Store, fs.FileInfo, error)) (*location, error) {
	store, info, err := at(full)
	slashed := filepath.ToSlash(full)
	switch {
	case err == nil && info.IsDir():
		name := path.Base(slashed)
		if name == "." || name == "/" {
			name = "data"
		}
		return &location{store: store, kind: atDirectory, name: name}, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, c.locationError(errors.New("it is neither a folder nor a regular file"))
	case err == nil:
		return &location{kind: atFile, name: stem(slashed), base: path.Base(slashed)}, nil
	case !hasGlob(slashed):
		return nil, c.locationError(c.beside(full, err))
	}
	whole, err := newGlob(slashed)
	if err != nil {
		return nil, c.locationError(err)
	}
	dir := whole.prefix()
	if path.IsAbs(slashed) {
		dir = "/" + dir
	}
	dir = path.Clean(dir)
	if strings.HasSuffix(dir, ":") {
		dir += "/" // the root of a drive
	}
	if store, info, err = at(filepath.FromSlash(dir)); err != nil {
		return nil, c.locationError(err)
	}
	if !info.IsDir() {
		return nil, c.locationError(fmt.Errorf("%q is not a folder", dir))
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(slashed, dir), "/")
	if dir == "." {
		rest = slashed
	}
	g, err := newGlob(rest)
	return &location{store: store, kind: atGlob, name: globName(filepath.ToSlash(c.config.Path)), glob: g}, err
}

// beside adds to the error of a location that does not exist what is in its folder.
func (c *Catalog) beside(full string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	folder, name := filepath.Split(filepath.Clean(full))
	read := os.ReadDir
	if c.config.FS != nil {
		folder, name = path.Split(path.Clean(full))
		read = func(folder string) ([]fs.DirEntry, error) { return fs.ReadDir(c.config.FS, folder) }
	}
	entries, failed := read(filepath.Clean(folder))
	if failed != nil {
		return fmt.Errorf("%w, nor is there a folder %q", err, filepath.Clean(folder))
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := errs.Nearest(name, names); len(near) > 0 {
		return fmt.Errorf("%w (there is %s)", err, strings.Join(near, ", "))
	}
	return err
}

func (c *Catalog) locationError(err error) error {
	return fmt.Errorf("location %q: %w", c.shownPath(), err)
}

// shownPath is the location for messages.
func (c *Catalog) shownPath() string {
	if c.config.Remote != nil {
		return c.config.Remote.Address
	}
	return c.config.Path
}

// cleanName checks a path that a user gave as a table's name, and leaves out what names no
// folder: "./" and a slash too many, which come of paths that programs join. ok is false if
// the path cannot be inside the location. It cannot with "..", since a link may have led to
// another folder before.
func cleanName(name string) (clean string, ok bool) {
	if name == "" || slices.Contains(strings.Split(name, "/"), "..") {
		return name, false
	}
	clean = path.Clean(name)
	return clean, fs.ValidPath(clean) && filepath.IsLocal(filepath.FromSlash(clean))
}
