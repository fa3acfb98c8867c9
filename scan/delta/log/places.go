package log

import (
	"fmt"
	"path"
	"strings"

	"github.com/parquetsql/parquetsql/scan/deletion"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/storage"
)

// At is where a file is.
type At struct {
	Store storage.Store
	Name  string
	Root  string // the From of the place of a file with an absolute path
}

// Locate is where a file of the table is, by its path in the log. An absolute path has to begin
// with one of the table's places; of several the longest counts.
func (t *Table) Locate(file string) (At, error) {
	if !storage.IsAbsolute(file) {
		return t.within(At{Store: t.store, Name: path.Join(t.folder, file)}, file)
	}
	p, rest, ok := storage.Find(t.places, file)
	if !ok {
		return At{}, t.named(fmt.Errorf("file %q lies outside the location; location_map=FROM=TO says where files are whose paths begin with FROM", file))
	}
	if !storage.IsBelow(rest) {
		return At{}, t.named(fmt.Errorf("file %q: %w", file, storage.ErrOutside))
	}
	return t.within(At{p.Store, path.Join(p.Folder, rest), p.From}, file)
}

// Names are where files of the table are that have simple paths, which nearly all have; "" of others: Locate
// finds those. Of many files that takes much less time.
func (t *Table) Names(list []*action.File) []string {
	var text []byte
	ends, folder := make([]int, len(list)), path.Clean(t.folder)
	for i, f := range list {
		if isSimple(f.Path) {
			if folder != "." {
				text = append(append(text, folder...), '/')
			}
			text = append(text, f.Path...)
		}
		ends[i] = len(text)
	}
	all, from, out := string(text), 0, make([]string, len(list))
	for i, end := range ends {
		out[i], from = all[from:end], end
	}
	return out
}

// Finds reports whether Locate finds a file.
func (t *Table) Finds(file string) bool {
	if isSimple(file) {
		return true
	}
	_, err := t.Locate(file)
	return err == nil
}

// isSimple reports whether a path is relative and as path.Clean makes it: no part of it is empty or ends
// with a point.
func isSimple(file string) bool {
	before := byte('/')
	for i := range len(file) {
		c := file[i]
		if c == '/' && (before == '/' || before == '.') {
			return false
		}
		before = c
	}
	return before != '/' && before != '.'
}

// within fails if a path leads out of its store.
func (t *Table) within(at At, file string) (At, error) {
	if at.Name == ".." || strings.HasPrefix(at.Name, "../") || strings.HasPrefix(at.Name, "/") {
		return At{}, t.named(fmt.Errorf("file %q: %w", file, storage.ErrOutside))
	}
	return at, nil
}

// vectorAt is where the file of a deletion vector is.
func (t *Table) vectorAt(d *action.Deletion) (At, error) {
	name := d.PathOrInline
	if d.Storage == "u" {
		relative, err := deletion.RelativePath(name)
		if err != nil {
			return At{}, err
		}
		return t.within(At{Store: t.store, Name: path.Join(t.folder, relative)}, relative)
	}
	return t.Locate(action.DecodePath(name))
}

// VectorName is the file of a deletion vector, for errors: that of one within the log is the log.
func (t *Table) VectorName(d *action.Deletion) string {
	if at, err := t.vectorAt(d); d.Storage != "i" && err == nil {
		return at.Name
	}
	return path.Join(t.folder, Folder)
}
