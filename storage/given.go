package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// givenFS is a folder of a file system that the user gave.
type givenFS struct {
	fsys fs.FS
	dir  string // "." or a clean path
	// follow lets fsys follow symbolic links, wherever they lead.
	follow bool
	spool  *spool
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
	return StatFS(g.fsys, name)
}

// guarded calls a method of the user's file system, or of what it returned; a panic in it is an
// error like others.
func guarded[T any](of any, what, name string, call func() (T, error)) (out T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s %s: %T panics: %v", what, name, of, r)
		}
	}()
	return call()
}

// StatFS is fs.Stat; a file without information is an error.
func StatFS(fsys fs.FS, name string) (fs.FileInfo, error) {
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
	h, err := guarded(file, "seeking in", name, func() (handle, error) { return g.spool.readerAt(file, name), nil })
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &strictHandle{handle: h}, nil
}
