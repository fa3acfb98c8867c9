package fragments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Store has the files of exchanges. Names are slash-separated. Several goroutines and processes may use it.
// One that can remove many files faster than one by one has RemoveAll(ctx, prefix) error, too.
type Store interface {
	// Create writes a file that nobody reads before Close of the writer has returned nil.
	Create(ctx context.Context, name string) (Writer, error)
	// CreateNew writes a small file as a whole. The error is an fs.ErrExist where there is one of that
	// name: of several that create it at the same time one succeeds.
	CreateNew(ctx context.Context, name string, data []byte) error
	// ReadRange reads n bytes from off on. The error of a file that is not there is an fs.ErrNotExist.
	ReadRange(ctx context.Context, name string, off, n int64) ([]byte, error)
	// ReadAll reads a small file.
	ReadAll(ctx context.Context, name string) ([]byte, error)
	// List is the names that begin with a prefix, those of files that are not yet whole too.
	List(ctx context.Context, prefix string) ([]string, error)
	// Remove removes a file; one that is not there is no error.
	Remove(ctx context.Context, name string) error
}

// Writer writes a file.
type Writer interface {
	io.Writer
	// Close ends the file.
	Close() error
	// Abort drops what was written. After Close it does nothing.
	Abort()
}

// Dir is a Store in a folder, which may be one of a network's file system that has hard links.
type Dir string

func (d Dir) path(name string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", fmt.Errorf("%q is no name of a file of an exchange", name)
	}
	return filepath.Join(string(d), filepath.FromSlash(name)), nil
}

// unfinished is how the names of files end that are being written.
const unfinished = ".unfinished"

// temporary is a new file beside a name.
func (d Dir) temporary(name string) (f *os.File, path string, err error) {
	if path, err = d.path(name); err != nil {
		return nil, "", err
	}
	if f, err = os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*"+unfinished); errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			f, err = os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*"+unfinished)
		}
	}
	return f, path, err
}

// Create implements Store.
func (d Dir) Create(_ context.Context, name string) (Writer, error) {
	f, path, err := d.temporary(name)
	if err != nil {
		return nil, err
	}
	return &dirWriter{File: f, path: path}, nil
}

type dirWriter struct {
	*os.File
	path string
	done bool
}

// Close implements Writer.
func (w *dirWriter) Close() error {
	if w.done {
		return nil
	}
	w.done = true
	err := errors.Join(w.Sync(), w.File.Close())
	if err == nil {
		err = os.Rename(w.Name(), w.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(w.Name()))
	}
	return err
}

// Abort implements Writer.
func (w *dirWriter) Abort() {
	if !w.done {
		w.done = true
		_ = w.File.Close() // it is removed
		_ = os.Remove(w.Name())
	}
}

// CreateNew implements Store: a link, unlike a rename, fails where its name is taken.
func (d Dir) CreateNew(_ context.Context, name string, data []byte) error {
	f, path, err := d.temporary(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Link(f.Name(), path)
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// ReadRange implements Store.
func (d Dir) ReadRange(_ context.Context, name string, off, n int64) ([]byte, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if off < 0 || n < 0 || off > info.Size()-n {
		return nil, fmt.Errorf("%s: %d bytes at %d of %d: %w", name, n, off, info.Size(), io.ErrUnexpectedEOF)
	}
	out := make([]byte, n)
	_, err = f.ReadAt(out, off)
	return out, err
}

// ReadAll implements Store.
func (d Dir) ReadAll(_ context.Context, name string) ([]byte, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// List implements Store. Folders that others remove meanwhile have nothing.
func (d Dir) List(ctx context.Context, prefix string) (out []string, err error) {
	top, err := d.path(cmp.Or(strings.TrimSuffix(prefix[:strings.LastIndex(prefix, "/")+1], "/"), "."))
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(string(d), path)
		if name = filepath.ToSlash(name); strings.HasPrefix(name, prefix) {
			out = append(out, name)
		}
		return err
	})
	return out, err
}

// Remove implements Store. It removes the folders that have nothing else, too.
func (d Dir) Remove(_ context.Context, name string) error {
	path, err := d.path(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for below := filepath.Dir(path); below != filepath.Clean(string(d)); below = filepath.Dir(below) {
		if os.Remove(below) != nil {
			break // others are still there
		}
	}
	return nil
}
