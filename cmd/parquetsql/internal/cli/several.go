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
		if info.Mode().IsRegular() && !isParquet.MatchString(name) {
			name += ".parquet" // who names a file wants it to be read
		}
		if before, ok := files.paths[name]; ok && !c.union {
			return nil, fmt.Errorf("%s and %s would be one table; -union makes all files one", before, path)
		}
		for n := 2; files.paths[name] != ""; n++ {
			name = fmt.Sprintf("%d-%s", n, filepath.Base(path))
		}
		files.paths[name] = path
		inside := strings.Trim(strconv.Quote(pathpkg.Join(files.under, name)), `"`)
		renamed = append(renamed, `"`+inside+`"`, strconv.Quote(typed), `"`+inside+`/`, `"`+strings.Trim(strconv.Quote(typed), `"`)+`/`)
	}
	c.names = strings.NewReplacer(renamed...)
	config.Path, config.FS = ".", files
	return config, nil
}

// name is the location for people.
func (c *command) name() string {
	if len(c.further) == 0 {
		return c.dsn
	}
	return fmt.Sprintf("%d locations", 1+len(c.further))
}

// several is a folder whose entries lie anywhere on this machine.
type several struct {
	under string            // the folder of the entries: "." or one name
	paths map[string]string // by name
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
	if name == "." || name == s.under {
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
	switch name {
	case s.under:
		return s.entries()
	case ".":
		return []fs.DirEntry{fs.FileInfoToDirEntry(folder(s.under))}, nil
	}
	path, err := s.path("readdir", name)
	if err != nil {
		return nil, err
	}
	return os.ReadDir(path)
}

func (s several) entries() ([]fs.DirEntry, error) {
	var list []fs.DirEntry
	for name, path := range s.paths {
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
	inner, below := name, true
	if s.under != "." {
		inner, below = strings.CutPrefix(name, s.under+"/")
	}
	first, rest, _ := strings.Cut(inner, "/")
	path, ok := s.paths[first]
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
