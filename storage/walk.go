package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
)

// folders lists a store that has folders, one after the other. Links to folders are not
// followed: a file could be listed twice, or the walk never end.
type folders interface {
	readDir(name string) ([]fs.DirEntry, error)
	stat(name string) (fs.FileInfo, error)
}

// walkFolders yields a page for each folder.
func walkFolders(ctx context.Context, f folders, dir string, w Walk) iter.Seq2[[]Entry, error] {
	return func(yield func([]Entry, error) bool) {
		x := &walk{ctx: ctx, folders: f, skip: w.Skip, closed: w.Closed, stop: w.Stop, yield: yield}
		if err := x.folder(dir, w.Depth); err != nil && !x.stopped {
			yield(nil, err)
		}
	}
}

type walk struct {
	ctx context.Context
	folders
	skip    func(string) bool
	closed  string // see Walk.Closed; "": none
	stop    func(string) bool
	yield   func([]Entry, error) bool
	stopped bool
}

// folder fails only if the context is done or the folder itself cannot be read. A folder
// further down that cannot be read becomes an entry with an error, so that only its own
// table fails.
func (w *walk) folder(dir string, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	list, err := w.readDir(dir)
	if err != nil {
		return err
	}
	if w.closed != "" {
		list = closedBy(list, w.closed)
	}
	page := make([]Entry, 0, len(list))
	var below []string
	for _, e := range list {
		name := path.Join(dir, e.Name())
		switch skipped := w.skip != nil && w.skip(e.Name()); {
		case skipped && e.IsDir():
			page = append(page, Entry{Name: name, Folder: true})
		case skipped:
		case e.IsDir() && w.stop != nil && w.stop(e.Name()):
			page = append(page, Entry{Name: name, Folder: true})
		case e.IsDir():
			if depth != 0 {
				below = append(below, name)
			}
		default:
			page = w.file(page, name, e)
		}
	}
	if len(page) > 0 && !w.yield(page, nil) {
		w.stopped = true
		return nil
	}
	for _, name := range below {
		err := w.folder(name, depth-1)
		switch {
		case w.stopped:
			return nil
		case w.ctx.Err() != nil:
			return w.ctx.Err()
		case err != nil && !w.yield([]Entry{{Name: name, Err: err, Folder: true}}, nil):
			w.stopped = true
			return nil
		}
	}
	return nil
}

// closedBy is the folder of the name that closes a folder, if that is in it, else all that is.
func closedBy(list []fs.DirEntry, name string) []fs.DirEntry {
	for i, e := range list {
		if e.Name() == name && e.IsDir() {
			return list[i : i+1]
		}
	}
	return list
}

func (w *walk) file(page []Entry, name string, e fs.DirEntry) []Entry {
	var info fs.FileInfo
	var err error
	link := e.Type()&fs.ModeSymlink != 0
	if link {
		info, err = w.stat(name)
	} else {
		info, err = infoOf(e, name)
	}
	switch {
	case err != nil && !link && errors.Is(err, fs.ErrNotExist): // it was removed meanwhile
	case err != nil:
		page = append(page, Entry{Name: name, Err: err})
	case info.Mode().IsRegular():
		page = append(page, Entry{Name: name, Size: info.Size(), Time: info.ModTime()})
	}
	return page
}

// infoOf is e.Info; none at all is an error, and so is a panic of the user's file system.
func infoOf(e fs.DirEntry, name string) (fs.FileInfo, error) {
	return guarded(e, "information about", name, func() (fs.FileInfo, error) {
		info, err := e.Info()
		if err == nil && info == nil {
			err = fmt.Errorf("information about %s: %T has neither that nor an error", name, e)
		}
		return info, err
	})
}
