package storage

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
)

// fileSystem is a location's folder. Names are slash-separated, relative to it, and
// never lead out of it. Symbolic links may lead out only where the user allows it.
type fileSystem interface {
	stat(name string) (fs.FileInfo, error)
	// present is stat of a file that stat has found before. It is called once all was read of
	// it, and costs one system call. If a link was put in place of a folder since then, it
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

// NewLocal is a folder of the local disk. With follow, symbolic links may lead anywhere.
func NewLocal(dir string, follow bool, h *Handles) Store {
	if follow {
		return &folder{linkedFS{dir}, h, Local}
	}
	return &folder{localFS{dir}, h, Local}
}

// NewFS is a folder of a file system that the user gave. Files that are no io.ReaderAt may be
// copied to h's folder when they are read. With follow, it may follow symbolic links, wherever they lead. A file system that has a method
// Cost() Cost says what its reads cost; of others each read may be a request.
func NewFS(fsys fs.FS, dir string, follow bool, h *Handles) Store {
	return &folder{givenFS{fsys: fsys, dir: dir, follow: follow, spool: &h.spool}, h, costOf(fsys)}
}

// costOf is Remote where the file system does not say what its reads cost, or panics.
func costOf(fsys fs.FS) Cost {
	c, ok := fsys.(interface{ Cost() Cost })
	if !ok {
		return Remote
	}
	cost, err := guarded(fsys, "the cost of", "reads", func() (Cost, error) { return c.Cost(), nil })
	if err != nil {
		return Remote
	}
	return cost
}

// folder is a Store of files that are opened.
type folder struct {
	fileSystem
	handles *Handles
	cost    Cost
}

// Cost implements Store.
func (f *folder) Cost() Cost { return f.cost }

// Stat implements Store.
func (f *folder) Stat(ctx context.Context, name string) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	info, err := f.stat(name)
	switch {
	case err != nil:
		return Entry{}, err
	case info.IsDir():
		return Entry{Name: name, Folder: true}, nil
	case !info.Mode().IsRegular():
		return Entry{Name: name, Err: ErrNotRegular}, nil
	}
	return Entry{Name: name, Size: info.Size(), Time: info.ModTime()}, nil
}

// List implements Store.
func (f *folder) List(ctx context.Context, dir string, w Walk) iter.Seq2[[]Entry, error] {
	return walkFolders(ctx, f, dir, w)
}

// Open implements Store.
func (f *folder) Open(e Entry) File {
	out := &openFile{lentHandle: lentHandle{pool: f.handles}, folder: f, entry: e}
	out.from = out
	return out
}

// openSame opens a file if it is still the entry.
func (f *folder) openSame(e Entry) (handle, error) {
	h, err := f.open(e.Name)
	if err != nil {
		return nil, &OpenError{err}
	}
	info, err := statHandle(h)
	if err == nil {
		err = e.same(info)
	}
	if err != nil {
		_ = h.Close() // it was not read
		return nil, err
	}
	return h, nil
}

// same fails if a file's size or time is not the entry's. Of an entry whose time is not known only
// the size is compared.
func (e Entry) same(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &OpenError{errors.New("it is a folder")}
	case info.Size() != e.Size || !e.Time.IsZero() && !info.ModTime().Equal(e.Time):
		return ErrChanged
	}
	return nil
}

// openFile is a file of a folder, which is opened when it is read.
type openFile struct {
	lentHandle
	folder *folder
	entry  Entry
}

func (o *openFile) openHandle() (handle, error) { return o.folder.openSame(o.entry) }

// Unchanged implements File: what is asked is the open file. A file that was put in its place
// does not change what is read of it, and Verify finds it: to look up a name of the disk costs a
// system call that takes several times as long, and of a file system that was given it may be a request.
func (o *openFile) Unchanged(ctx context.Context) error {
	err := o.unchanged(o.entry)
	if err == nil {
		return nil
	}
	var failed *OpenError
	if errors.As(err, &failed) { // as of network file systems, where an open file may be gone
		return o.Verify(ctx)
	}
	return err
}

// Verify implements File.
func (o *openFile) Verify(context.Context) error {
	info, err := o.folder.present(o.entry.Name)
	if err != nil {
		return &OpenError{err}
	}
	return o.entry.same(info)
}
