package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotRegular says that a name is that of something else than a file or a folder. To open a
// named pipe would wait for its writer.
var ErrNotRegular = errors.New("it is not a regular file")

// ErrOutside says that a name leads out of the folder.
var ErrOutside = errors.New("it lies outside the location")

// errLinkOutside names the option because some caches (Hugging Face's) consist of such
// links.
var errLinkOutside = errors.New("a symbolic link leads outside the location (the option follow_symlinks=true allows that)")

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
		err = &fs.PathError{Op: "open", Path: f.Name(), Err: ErrNotRegular}
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
		dir, err := r.OpenFile(name, openFlags, 0) // where they are not blocking, the runtime does not ask for that
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
