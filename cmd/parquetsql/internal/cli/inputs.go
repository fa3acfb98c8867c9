package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errInput is the reason not to write to a file.
var errInput = errors.New("the rows are read from it, and the tool does not change its inputs; write to another file")

// inputs are the locations of this machine that a query reads.
type inputs []string

// check fails if a file that is to be written is one of the inputs, by whatever name or link. A file
// that is not there yet is none.
func (in inputs) check(name string) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil // it is not there, or cannot be written either
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	target, err := os.Stat(path)
	if err != nil || !target.Mode().IsRegular() {
		return nil
	}
	out := output{path, target}
	for _, location := range in {
		if out.isIn(location) {
			return fmt.Errorf("%s: %w", name, errInput)
		}
	}
	return nil
}

// output is a file that is there and would be replaced.
type output struct {
	path string // absolute, without links
	info fs.FileInfo
}

// isIn reports whether the file is one of a location: a file, a folder or a glob.
func (o output) isIn(location string) bool {
	if _, err := os.Stat(location); err == nil {
		return o.isAt(location, map[string]bool{})
	}
	matches, _ := filepath.Glob(location) // a wrong pattern is an error of the query
	for _, match := range matches {
		if info, err := os.Stat(match); err == nil && os.SameFile(info, o.info) {
			return true
		}
	}
	before, _, deep := strings.Cut(location, "**")
	return deep && o.isAt(filepath.Dir(before+"x"), map[string]bool{})
}

// isAt reports whether the file is the one at a path, or belongs to a table in the folder there. seen are
// the folders that links have led to.
func (o output) isAt(path string, seen map[string]bool) bool {
	path, err := filepath.EvalSymlinks(path)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil || seen[path] {
		return false
	}
	seen[path] = true
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		return os.SameFile(info, o.info)
	}
	if below, err := filepath.Rel(path, o.path); err == nil && filepath.IsLocal(below) && (isParquetFile(o.path) || ofLog(path, below)) {
		return true
	}
	found := false
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error { // what cannot be read is no input
		if err == nil && d.Type()&fs.ModeSymlink != 0 && o.isAt(name, seen) {
			found = true
			return filepath.SkipAll
		}
		return nil
	})
	return found
}

// isParquetFile tells a file that may be a table or a part of one, by its name or by its first bytes.
func isParquetFile(path string) bool {
	if isParquet.MatchString(filepath.Base(path)) {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var begin [4]byte
	_, err = io.ReadFull(f, begin[:])
	return err == nil && (string(begin[:]) == "PAR1" || string(begin[:]) == "PARE")
}

// ofLog reports whether a file below a folder is in a folder of a table of Delta Lake or Iceberg, all
// of whose files may count.
func ofLog(folder, below string) bool {
	for dir := filepath.Dir(filepath.Join(folder, below)); ; dir = filepath.Dir(dir) {
		for _, log := range []string{"_delta_log", "metadata"} {
			if info, err := os.Stat(filepath.Join(dir, log)); err == nil && info.IsDir() {
				return true
			}
		}
		if dir == folder || dir == filepath.Dir(dir) {
			return false
		}
	}
}
