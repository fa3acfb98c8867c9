package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// file is what \o writes. Until its end the rows are in another file beside it: the one that is there
// may be what they are read from, and stays where no statement has any.
type file struct {
	*os.File
	name string // the file; "": it is written directly
}

func createFile(name string) (*file, error) {
	real := name
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		real = resolved
	}
	info, err := os.Stat(real)
	if err == nil && !info.Mode().IsRegular() { // a pipe, a device
		return direct(name)
	}
	f, createErr := os.OpenFile(fmt.Sprintf("%s.%d.new", real, os.Getpid()), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	switch {
	case errors.Is(createErr, fs.ErrPermission) && err == nil: // of the folder
		return direct(name)
	case createErr != nil:
		return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(createErr))
	case err == nil:
		err = f.Chmod(info.Mode().Perm())
	default:
		err = nil
	}
	return &file{f, real}, err
}

func direct(name string) (*file, error) {
	f, err := os.Create(name)
	return &file{File: f}, err
}

// end closes the file. With keep it takes its name.
func (f *file) end(keep bool) error {
	err := f.Close()
	if f.name == "" {
		return err
	}
	if err == nil && keep {
		return os.Rename(f.Name(), f.name)
	}
	return errors.Join(err, os.Remove(f.Name()))
}
