//go:build !unix

package tempfile

import (
	"os"
	"path/filepath"
)

// Create makes a file. It removes those that processes left which were killed: a file
// that is still open cannot be removed here.
func Create(dir, pattern string) (*os.File, error) {
	left, _ := filepath.Glob(filepath.Join(dir, pattern))
	for _, name := range left {
		_ = os.Remove(name)
	}
	return os.CreateTemp(dir, pattern)
}

// Remove removes a closed file. Another program may have done so.
func Remove(f *os.File) error {
	if err := os.Remove(f.Name()); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}
