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

// fileSystem is a location's folder. Names are slash-separated, relative to it, and
// never lead out of it. Symbolic links may lead out only with Config.FollowSymlinks.
type fileSystem interface {
	stat(name string) (fs.FileInfo, error)
	// present is stat of a file that stat has found before. It is called at each read
	// and costs one system call. If a link was put in place of a folder since then, it
	// may describe a file outside the location; the size and time are only compared.
	present(name string) (fs.FileInfo, error)
	readDir(name string) ([]fs.DirEntry, error)
	open(name string) (handle, error)
}

// handle is an open file.
type handle interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

var (
	errNotRegular = errors.New("it is not a regular file")

	errOutside = errors.New("it lies outside the location")
	// errLinkOutside names the option because some caches (Hugging Face's) consist of
	// such links.
	errLinkOutside = errors.New("a symbolic link leads outside the location (the option follow_symlinks=true allows that)")
)

// linkedFS is a folder of the local disk whose symbolic links may lead anywhere.
type linkedFS struct{ dir string }

func (l linkedFS) path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

func (l linkedFS) stat(name string) (fs.FileInfo, error) { return os.Stat(l.path(name)) }

func (l linkedFS) present(name string) (fs.FileInfo, error) { return l.stat(name) }

func (l linkedFS) readDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(l.path(name)) }

func (l linkedFS) open(name string) (handle, error) {
	return regular(os.OpenFile(l.path(name), openFlags, 0))
}

// regular is the handle of a file that was opened with openFlags. What was a regular file when
// its folder was listed may be a named pipe by now.
func regular(f *os.File, err error) (handle, error) {
	if err != nil {
		return nil, err // not a nil *os.File in a handle
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: f.Name(), Err: errNotRegular}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// localFS is a folder of the local disk. os.Root keeps every operation inside, even
// if somebody replaces folders by links meanwhile. A Root keeps a folder open, so each
// operation opens its own.
type localFS struct{ dir string }

// within runs op with the name. os.Root refuses absolute links; if the name leads over
// one whose target is inside the folder, op runs again with the target's name.
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
		return &fs.PathError{Op: "open", Path: name, Err: errLinkOutside}
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

func (l localFS) present(name string) (fs.FileInfo, error) { return linkedFS(l).stat(name) }

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
		h, err = regular(r.OpenFile(name, openFlags, 0))
		return err
	})
	return h, err
}

// givenFS is a folder of a file system that the user gave.
type givenFS struct {
	fsys fs.FS
	dir  string // "." or a clean path
	// follow lets fsys follow symbolic links, wherever they lead.
	follow bool
}

// resolve returns the name within fsys. If fsys has symbolic links, they are followed
// here, to find those that lead outside.
func (g givenFS) resolve(name string) (string, error) {
	links, ok := g.fsys.(fs.ReadLinkFS)
	if !ok || g.follow {
		return path.Join(g.dir, name), nil
	}
	return guarded(g.fsys, "the links of", name, func() (string, error) { return g.followLinks(links, name) })
}

func (g givenFS) followLinks(links fs.ReadLinkFS, name string) (string, error) {
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
			return "", &fs.PathError{Op: "open", Path: name, Err: errLinkOutside}
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
	return strictStat(g.fsys, name)
}

// guarded calls a method of the user's file system; a panic in it is an error like others.
func guarded[T any](fsys fs.FS, what, name string, call func() (T, error)) (out T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s %s: %T panics: %v", what, name, fsys, r)
		}
	}()
	return call()
}

// strictStat is fs.Stat; a file without information is an error.
func strictStat(fsys fs.FS, name string) (fs.FileInfo, error) {
	return guarded(fsys, "information about", name, func() (fs.FileInfo, error) {
		info, err := fs.Stat(fsys, name)
		if err == nil && info == nil {
			err = fmt.Errorf("information about %s: %T has neither that nor an error", name, fsys)
		}
		return info, err
	})
}

func (g givenFS) present(name string) (fs.FileInfo, error) { return g.stat(name) }

func (g givenFS) readDir(name string) ([]fs.DirEntry, error) {
	name, err := g.resolve(name)
	if err != nil {
		return nil, err
	}
	return guarded(g.fsys, "the list of", name, func() ([]fs.DirEntry, error) {
		entries, err := fs.ReadDir(g.fsys, name)
		for _, e := range entries {
			if e == nil || e.Name() == "" || strings.Contains(e.Name(), "/") {
				return nil, fmt.Errorf("the list of %s: %T has an entry that is not the name of a file", name, g.fsys)
			}
		}
		return entries, err
	})
}

func (g givenFS) open(name string) (handle, error) {
	name, err := g.resolve(name)
	if err != nil {
		return nil, err
	}
	file, err := guarded(g.fsys, "opening", name, func() (fs.File, error) { return g.fsys.Open(name) })
	if err != nil {
		return nil, err
	}
	if file == nil {
		return nil, fmt.Errorf("opening %s: %T has neither a file nor an error", name, g.fsys)
	}
	h, ok := file.(handle)
	if !ok {
		guarded(g.fsys, "closing", name, func() (struct{}, error) { return struct{}{}, file.Close() })
		return nil, fmt.Errorf("files of %T do not implement io.ReaderAt, which the option FS requires", g.fsys)
	}
	return &strictHandle{handle: h}, nil
}
