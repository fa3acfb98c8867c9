package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	pathpkg "path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql"
)

// united is the table that all files are with -union.
const united = "files"

// isLocation tells a further location from a statement and from the name of a table: it is there, or
// it is called as files of Parquet are. In place of a table it has a point or a separator.
func (c *command) isLocation(word string) bool {
	marked := strings.ContainsAny(word, "./"+string(filepath.Separator))
	if isParquet.MatchString(word) || c.mode == modeMerge && marked {
		return true
	}
	_, err := os.Stat(word)
	return err == nil && (marked || c.mode == modeQuery || c.mode == modeMerge) && !strings.Contains(word, "\n")
}

// isParquet is the name of a file, in a word that is no statement.
var isParquet = regexp.MustCompile(`(?i)^[^\s'"]+\.(parquet|parq|pq)$`)

// isRemote tells an address from a path of this machine.
var isRemote = regexp.MustCompile(`^[a-z][a-z0-9+.-]+://`)

// open returns the configuration of the locations.
func (c *command) open() (*parquetsql.Config, error) {
	config, err := parquetsql.ParseDSN(c.dsn)
	if err != nil {
		return nil, err
	}
	paths := append([]string{config.Path}, c.further...)
	c.inputs = paths
	if len(c.further) == 0 && !c.union {
		return config, nil
	}
	if i := slices.IndexFunc(paths, isRemote.MatchString); i >= 0 {
		return nil, fmt.Errorf("%s: several locations have to be files and folders of this machine", paths[i])
	}
	files := several{under: ".", paths: map[string]string{}}
	if c.union {
		files.under = united
	}
	var renamed []string
	for _, typed := range paths {
		path, err := filepath.Abs(typed) // .. has a name, too
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("location %q: %w", typed, errors.Unwrap(err))
		}
		name := filepath.Base(path)
		if !fs.ValidPath(name) {
			name = "root"
		}
		if info.Mode().IsRegular() && !isParquet.MatchString(name) {
			name += ".parquet" // who names a file wants it to be read
		}
		if before, ok := files.paths[name]; ok && !c.union {
			return nil, fmt.Errorf("%s and %s would be one table; -union makes all files one", before, path)
		}
		if full := pathpkg.Join(pathpkg.Dir(entryName(typed, path)), name); c.union && files.takes(full) {
			name = full
		}
		for n, base := 2, name; !files.takes(name); n++ {
			name = fmt.Sprintf("%d-%s", n, base)
		}
		files.paths[name] = path
		inside := strings.Trim(strconv.Quote(pathpkg.Join(files.under, name)), `"`)
		renamed = append(renamed, `"`+inside+`"`, strconv.Quote(typed), `"`+inside+`/`, `"`+strings.Trim(strconv.Quote(typed), `"`)+`/`)
	}
	c.names = strings.NewReplacer(renamed...)
	config.Path, config.FS = ".", files
	return config, nil
}

// entryName is a path as it was typed, from the root if it leads out of the current folder.
func entryName(typed, path string) string {
	if filepath.IsLocal(typed) {
		return filepath.ToSlash(filepath.Clean(typed))
	}
	return strings.TrimLeft(filepath.ToSlash(path[len(filepath.VolumeName(path)):]), "/")
}

// name is the location for people.
func (c *command) name() string {
	if len(c.further) == 0 {
		return c.dsn
	}
	return fmt.Sprintf("%d locations", 1+len(c.further))
}

// several is a folder whose entries lie anywhere on this machine. Their names may have folders in them: those of
// a union are the paths that were typed.
type several struct {
	under string            // the folder of the entries: "." or one name
	paths map[string]string // by name
}

// takes reports whether an entry may have a name: it is a path that is read, and no entry lies in another.
func (s several) takes(name string) bool {
	if !fs.ValidPath(name) || s.paths[name] != "" || s.holds(name) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return !strings.Contains(name, "/") // such folders are left out
		}
	}
	_, _, inside := s.entryOf(name)
	return !inside
}

// holds reports whether a name is a folder in which entries are.
func (s several) holds(name string) bool {
	for entry := range s.paths {
		if strings.HasPrefix(entry, name+"/") {
			return true
		}
	}
	return false
}

// entryOf is the entry that a name is, or in which it lies: its path, and the rest of the name.
func (s several) entryOf(name string) (path, rest string, ok bool) {
	for end := len(name); end > 0; end = strings.LastIndexByte(name[:end], '/') {
		if path, ok := s.paths[name[:end]]; ok {
			return path, strings.TrimPrefix(name[end:], "/"), true
		}
	}
	return "", "", false
}

// inner is a name below the folder of the entries; "" is that folder.
func (s several) inner(name string) (string, bool) {
	if s.under == "." || name == s.under {
		return strings.TrimPrefix(name, s.under), true
	}
	return strings.CutPrefix(name, s.under+"/")
}

// Open implements fs.FS.
func (s several) Open(name string) (fs.File, error) {
	path, err := s.path("open", name)
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Stat implements fs.StatFS.
func (s several) Stat(name string) (fs.FileInfo, error) {
	if inner, ok := s.inner(name); name == "." || name == s.under || ok && s.holds(inner) {
		return folder(name), nil
	}
	path, err := s.path("stat", name)
	if err != nil {
		return nil, err
	}
	return os.Stat(path)
}

// ReadDir implements fs.ReadDirFS.
func (s several) ReadDir(name string) ([]fs.DirEntry, error) {
	inner, ok := s.inner(name)
	switch {
	case name == s.under:
		return s.entries("")
	case name == ".":
		return []fs.DirEntry{fs.FileInfoToDirEntry(folder(s.under))}, nil
	case ok && s.holds(inner):
		return s.entries(inner + "/")
	}
	path, err := s.path("readdir", name)
	if err != nil {
		return nil, err
	}
	return os.ReadDir(path)
}

// entries lists what is directly below a prefix of names.
func (s several) entries(prefix string) ([]fs.DirEntry, error) {
	var list []fs.DirEntry
	folders := map[string]bool{}
	for name, path := range s.paths {
		name, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		if first, _, deeper := strings.Cut(name, "/"); deeper {
			if !folders[first] {
				folders[first] = true
				list = append(list, fs.FileInfoToDirEntry(folder(first)))
			}
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		list = append(list, fs.FileInfoToDirEntry(named{info, name}))
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// path is where a file or folder below the entries lies.
func (s several) path(op, name string) (string, error) {
	inner, below := s.inner(name)
	path, rest, ok := s.entryOf(inner)
	switch {
	case !fs.ValidPath(name):
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	case !ok || !below:
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return filepath.Join(path, filepath.FromSlash(rest)), nil
}

// named is information about a file under another name.
type named struct {
	fs.FileInfo
	name string
}

func (n named) Name() string { return n.name }

// folder is information about a folder that is on no disk.
type folder string

func (f folder) Name() string     { return filepath.Base(string(f)) }
func (folder) Size() int64        { return 0 }
func (folder) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (folder) ModTime() time.Time { return time.Time{} }
func (folder) IsDir() bool        { return true }
func (folder) Sys() any           { return nil }
