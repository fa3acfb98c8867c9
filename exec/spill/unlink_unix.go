//go:build unix

package spill

import "os"

// create makes a file that has no name any more: it disappears when it is closed, even
// if the process is killed.
func create(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, pattern) // with permissions 0600
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// remove removes a closed file.
func remove(*os.File) error { return nil }
