package iceberg

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/storage"
)

// at is where a file is.
type at struct {
	store storage.Store
	name  string
	root  string // where it is none of the table's store, the From of its place
}

// locator finds files by the paths that metadata have of them, which are absolute and those of the
// writer. A table that was copied or moved has its files where it is: what is below its location
// there, is below its folder here.
type locator struct {
	store  storage.Store
	folder string // of the table
	base   string // the table's location, as its writer has it
	own    storage.Place
	mapped []storage.Place

	place func(file string) (storage.Place, error) // of a catalog's table; nil: it is none
}

func (l *locator) locate(ctx context.Context, file string) (at, error) {
	for _, name := range slices.Compact([]string{file, l.whole(file)}) {
		if p, rest, ok := find(l.mapped, name); ok {
			if !storage.IsBelow(rest) {
				return at{}, fmt.Errorf("file %q: %w", file, storage.ErrOutside)
			}
			return within(at{p.Store, path.Join(p.Folder, rest), p.From}, file)
		}
	}
	if l.place != nil {
		return l.ofCatalog(l.whole(file))
	}
	if rest, ok := below(file, l.base); ok {
		return within(at{l.store, path.Join(l.folder, rest), ""}, file)
	}
	if base, folder, ok := l.neighbours(); ok {
		if rest, ok := below(file, base); ok {
			return within(at{l.store, path.Join(folder, rest), ""}, file)
		}
	}
	if p, rest, ok := find([]storage.Place{l.own}, file); ok {
		return within(at{p.Store, path.Join(p.Folder, rest), ""}, file)
	}
	for _, name := range l.guesses(file) {
		if _, err := l.store.Stat(ctx, name); err == nil {
			return at{l.store, name, ""}, nil
		}
	}
	return at{}, fmt.Errorf("file %q lies outside the location; location_map=FROM=TO says where files are whose paths begin with FROM", file)
}

// find is the place of a file, with its scheme or without.
func find(places []storage.Place, file string) (storage.Place, string, bool) {
	if p, rest, ok := storage.Find(places, file); ok {
		return p, rest, true
	}
	return storage.Find(places, bare(file))
}

// guesses are where a file may be of a table whose location is not where its writer put the file: at
// a path that is relative to the location, or below a folder with the name of the table's.
func (l *locator) guesses(file string) (out []string) {
	if !storage.IsAbsolute(file) {
		out = append(out, path.Clean(file))
	}
	own := path.Base(l.folder)
	if l.folder == "." {
		own = path.Base(l.own.From)
	}
	if _, rest, ok := strings.Cut("/"+file, "/"+own+"/"); ok {
		out = append(out, path.Join(l.folder, rest))
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == ".." || strings.HasPrefix(name, "../") })
}

// neighbours is the folder that was moved with the table and others in it: where the folders around
// the table have the same names here and there, those around them are the same, too.
func (l *locator) neighbours() (base, folder string, ok bool) {
	base, folder = strings.TrimRight(l.base, "/"), l.folder
	for folder != "." && path.Base(base) == path.Base(folder) {
		base, folder, ok = strings.TrimSuffix(base, "/"+path.Base(folder)), path.Dir(folder), true
	}
	return base, folder, ok
}

// below is what of a path is below a folder. Where one of them has no scheme and no host, these do
// not count.
func below(file, folder string) (string, bool) {
	file, folder = storage.SameScheme(file), storage.SameScheme(strings.TrimRight(folder, "/"))
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(file, "./"), strings.TrimPrefix(folder, "./")); ok && strings.HasPrefix(rest, "/") {
		return rest[1:], true
	}
	if f, d := bare(file), bare(folder); (f == file || d == folder) && d != "" {
		if rest, ok := strings.CutPrefix(f, d); ok && strings.HasPrefix(rest, "/") {
			return rest[1:], true
		}
	}
	return "", false
}

// bare is a path without its scheme and host.
func bare(url string) string {
	scheme, rest, ok := strings.Cut(url, ":")
	if !ok || scheme == "" || strings.Contains(scheme, "/") {
		return url
	}
	if host, ok := strings.CutPrefix(rest, "//"); ok {
		_, p, _ := strings.Cut(host, "/")
		return "/" + p
	}
	return rest
}

// sameFile reports whether two paths are of the same file: some have its scheme and its host, and
// some do not.
func sameFile(a, b string) bool {
	if a, b = canonical(a), canonical(b); a == b {
		return true
	}
	x, y := bare(a), bare(b)
	return x == y && (x == a || y == b)
}

// canonical is a path in one of its spellings: file:/a is file:///a.
func canonical(url string) string {
	url = storage.SameScheme(url)
	if scheme, rest, ok := strings.Cut(url, ":///"); ok && !strings.Contains(scheme, "/") {
		return scheme + ":/" + rest
	}
	return url
}

// spellings are the paths that are the same file as one with a scheme.
func spellings(file string) []string {
	out := []string{file, bare(file)}
	if scheme, _, ok := strings.Cut(file, ":/"); ok && !strings.Contains(scheme, "/") && canonical(file) == scheme+":"+bare(file) { // without a host
		out = append(out, scheme+":"+bare(file), scheme+"://"+bare(file))
	}
	for _, same := range [][]string{{"s3://", "s3a://", "s3n://"}, {"abfss://", "abfs://"}} {
		for _, s := range same {
			if rest, ok := strings.CutPrefix(file, s); ok {
				for _, other := range same {
					out = append(out, other+rest)
				}
			}
		}
	}
	return out
}

// uuid is in the names that writers give to files, so that no two have the same.
var uuid = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)

// claimed is a file as metadata describe it. Files of tables are never overwritten; of a name without a
// UUID that is not believed, as a table may be made anew with the same names.
func claimed(name string, size int64) storage.Entry {
	return storage.Entry{Name: name, Size: size, Final: uuid.MatchString(path.Base(name))}
}

// within fails if a path leads out of its store.
func within(a at, file string) (at, error) {
	if a.name == ".." || strings.HasPrefix(a.name, "../") || strings.HasPrefix(a.name, "/") {
		return at{}, fmt.Errorf("file %q: %w", file, storage.ErrOutside)
	}
	return a, nil
}
