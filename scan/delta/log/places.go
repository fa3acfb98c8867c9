package log

import (
	"fmt"
	"path"
	"strings"

	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/scan/delta/deletion"
	"github.com/parquetsql/parquetsql/storage"
)

// Place says where files are whose absolute paths begin with From.
type Place struct {
	From   string // an absolute path or a URL of a folder, without a slash at its end
	Store  storage.Store
	Folder string // in the store
}

// At is where a file is.
type At struct {
	Store storage.Store
	Name  string
	Root  string // the Place.From of a file with an absolute path
}

// Locate is where a file of the table is, by its path in the log. An absolute path has to begin
// with one of the table's places; of several the longest counts.
func (t *Table) Locate(file string) (At, error) {
	if !isAbsolute(file) {
		return t.within(At{Store: t.store, Name: path.Join(t.folder, file)}, file)
	}
	url := sameScheme(file)
	best := -1
	for i, p := range t.places {
		from := sameScheme(p.From)
		if rest, ok := strings.CutPrefix(url, from); ok && strings.HasPrefix(rest, "/") && (best < 0 || len(from) > len(sameScheme(t.places[best].From))) {
			best = i
		}
	}
	if best < 0 {
		return At{}, t.named(fmt.Errorf("file %q lies outside the location; location_map=FROM=TO says where files are whose paths begin with FROM", file))
	}
	p := t.places[best]
	return t.within(At{p.Store, path.Join(p.Folder, url[len(sameScheme(p.From)):]), p.From}, file)
}

// within fails if a path leads out of its store.
func (t *Table) within(at At, file string) (At, error) {
	if at.Name == ".." || strings.HasPrefix(at.Name, "../") || strings.HasPrefix(at.Name, "/") {
		return At{}, t.named(fmt.Errorf("file %q: %w", file, storage.ErrOutside))
	}
	return at, nil
}

// isAbsolute reports whether a path has a scheme or begins at the root.
func isAbsolute(file string) bool {
	scheme, _, ok := strings.Cut(file, "://")
	return strings.HasPrefix(file, "/") || ok && scheme != "" && !strings.Contains(scheme, "/")
}

// sameScheme writes the schemes that programs have for the same bucket in one way.
func sameScheme(url string) string {
	for _, s := range []string{"s3a://", "s3n://"} {
		if rest, ok := strings.CutPrefix(url, s); ok {
			return "s3://" + rest
		}
	}
	if rest, ok := strings.CutPrefix(url, "abfs://"); ok {
		return "abfss://" + rest
	}
	return url
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
