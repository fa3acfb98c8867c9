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
