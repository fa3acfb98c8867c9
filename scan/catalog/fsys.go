package catalog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// fileSystem is a location's folder: names are slash-separated, relative to
// it, and nothing outside of it can be reached, whatever they say and wherever
// symbolic links lead.
type fileSystem interface {
	stat(name string) (fs.FileInfo, error)
	readDir(name string) ([]fs.DirEntry, error)
	open(name string) (handle, error)
}

// handle is an open file.
type handle interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

var errOutside = errors.New("it lies outside the location")

// localFS is a folder of the local disk. os.Root keeps every operation inside,
// even while somebody exchanges folders for links. A Root holds a folder open,
// so each operation has its own.
type localFS struct{ dir string }

// within runs op with the name; where that leads over an absolute link, which
// os.Root refuses, it runs again with the name of what the link means, if that
// lies inside.
func (l localFS) within(name string, op func(*os.Root, string) error) error {
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	err = op(root, filepath.FromSlash(name))
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	real, evalErr := filepath.EvalSymlinks(filepath.Join(l.dir, filepath.FromSlash(name)))
	base, baseErr := filepath.EvalSymlinks(l.dir)
	if evalErr != nil || baseErr != nil {
		return err
	}
	rel, relErr := filepath.Rel(base, real)
	if relErr != nil || !filepath.IsLocal(rel) {
		return &fs.PathError{Op: "open", Path: name, Err: errOutside}
	}
	return op(root, rel)
}

func (l localFS) stat(name string) (info fs.FileInfo, err error) {
	err = l.within(name, func(r *os.Root, name string) (err error) {
		info, err = r.Stat(name)
		return err
	})
	return info, err
}

func (l localFS) readDir(name string) (entries []fs.DirEntry, err error) {
	err = l.within(name, func(r *os.Root, name string) error {
		dir, err := r.Open(name)
		if err != nil {
			return err
		}
		defer dir.Close()
		entries, err = dir.ReadDir(-1)
		return err
	})
	return entries, err
}

func (l localFS) open(name string) (h handle, err error) {
	err = l.within(name, func(r *os.Root, name string) error {
		file, err := r.Open(name)
		if err != nil {
			return err
		}
		h = file
		return nil
	})
	return h, err
}

// givenFS is a folder of a file system that the user gave.
type givenFS struct {
	fsys fs.FS
	dir  string // "." or a clean path
}

// resolve is the name within fsys. Where the file system knows symbolic links,
// they are followed here, so that one that leads outside is seen.
func (g givenFS) resolve(name string) (string, error) {
	links, ok := g.fsys.(fs.ReadLinkFS)
	if !ok {
		return path.Join(g.dir, name), nil
	}
	const maxLinks = 40
	parts, done, followed := strings.Split(name, "/"), ".", 0
	for len(parts) > 0 {
		next := path.Join(done, parts[0])
		parts = parts[1:]
		info, err := links.Lstat(path.Join(g.dir, next))
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		target, err := links.ReadLink(path.Join(g.dir, next))
		if followed++; err != nil || followed > maxLinks {
			return "", &fs.PathError{Op: "open", Path: name, Err: errors.New("a symbolic link that leads nowhere")}
		}
		target = filepath.ToSlash(target)
		absolute := path.IsAbs(target)
		if target = path.Join(path.Dir(next), target); absolute || !fs.ValidPath(target) {
			return "", &fs.PathError{Op: "open", Path: name, Err: errOutside}
		}
		parts, done = append(strings.Split(target, "/"), parts...), "."
	}
	return path.Join(g.dir, done), nil
}

func (g givenFS) stat(name string) (fs.FileInfo, error) {
	name, err := g.resolve(name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(g.fsys, name)
}

func (g givenFS) readDir(name string) ([]fs.DirEntry, error) {
	name, err := g.resolve(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(g.fsys, name)
}

func (g givenFS) open(name string) (handle, error) {
	name, err := g.resolve(name)
	if err != nil {
		return nil, err
	}
	file, err := g.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	h, ok := file.(handle)
	if !ok {
		file.Close()
		return nil, fmt.Errorf("files of %T are not io.ReaderAt, as the option FS requires", g.fsys)
	}
	return h, nil
}
