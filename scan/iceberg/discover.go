package iceberg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/storage"
)

// Folder is the name of the folder that has the metadata, in that of the table.
const Folder = "metadata"

const hintName = "version-hint.text"

// IsMetadata reports whether a name is that of a metadata file, and what is before its ending. Which
// compression it has, two spellings say.
func IsMetadata(name string) (stem string, ok bool) {
	for _, compressed := range []string{".gz", ".zstd"} {
		if s, ok := strings.CutSuffix(name, compressed+".metadata.json"); ok {
			return s, s != ""
		}
		if s, ok := strings.CutSuffix(name, ".metadata.json"+compressed); ok {
			return s, s != ""
		}
	}
	stem, ok = strings.CutSuffix(name, ".metadata.json")
	return stem, ok && stem != ""
}

// FolderOf is the folder of the table that a file is the metadata of, by its path; false: it is none.
func FolderOf(name string) (string, bool) {
	dir := path.Dir(name)
	if _, ok := IsMetadata(path.Base(name)); !ok || path.Base(dir) != Folder {
		return "", false
	}
	return path.Dir(dir), true
}

// versionOf is the number of a metadata file: v3, as tables of file systems have it, or 00003 and a
// UUID, as those of catalogs.
func versionOf(stem string) (int64, bool) {
	digits, _, _ := strings.Cut(strings.TrimPrefix(stem, "v"), "-")
	n, err := strconv.ParseUint(digits, 10, 63)
	return int64(n), err == nil
}

// candidates are the metadata files of a table, by what is before their ending.
type candidates map[string]storage.Entry

// current is the file that has the table as it is now: the one that the hint of file system tables
// names, or a newer one (File System Tables), else the one with the greatest number.
func (t *Table) current(ctx context.Context) (storage.Entry, error) {
	found, hint := candidates{}, (*storage.Entry)(nil)
	dir := path.Join(t.folder, Folder)
	for page, err := range t.store.List(ctx, dir, storage.Walk{}) {
		if err != nil {
			return storage.Entry{}, t.named(err)
		}
		for _, e := range page {
			if stem, ok := IsMetadata(path.Base(e.Name)); ok && !e.Folder {
				if known, twice := found[stem]; !twice || len(e.Name) < len(known.Name) { // plain, not compressed
					found[stem] = e
				}
			}
			if path.Base(e.Name) == hintName && !e.Folder {
				hint = &e
			}
		}
	}
	if hint != nil {
		text, err := t.readHint(ctx, *hint)
		if err != nil {
			return storage.Entry{}, t.named(err)
		}
		if text != "" {
			e, err := found.hinted(text)
			return e, t.named(err)
		}
	}
	e, err := found.newest()
	if err == nil {
		e, err = t.latest(ctx, found, e)
	}
	return e, t.named(err)
}

// latest is the newest of the file with the greatest number and those without a number, by when they
// say that they were written.
func (t *Table) latest(ctx context.Context, found candidates, numbered storage.Entry) (storage.Entry, error) {
	list := []storage.Entry{numbered}
	for stem, e := range found {
		if _, ok := versionOf(stem); !ok && e.Name != numbered.Name {
			list = append(list, e)
		}
	}
	if len(list) == 1 || len(list) > maxUnnumbered {
		return numbered, nil
	}
	slices.SortFunc(list, func(a, b storage.Entry) int { return strings.Compare(a.Name, b.Name) })
	best, second := -1, -1
	times := make([]time.Time, len(list))
	for i, e := range list {
		m, err := t.parse(ctx, e)
		if err != nil {
			return e, err
		}
		switch times[i] = m.Updated; {
		case best < 0 || m.Updated.After(times[best]):
			best, second = i, -1
		case m.Updated.Equal(times[best]):
			second = i
		}
	}
	if second >= 0 {
		return list[best], fmt.Errorf("%q and %q were written at the same time: name the file that is meant", list[best].Name, list[second].Name)
	}
	return list[best], nil
}

// maxUnnumbered is how many files are looked into in order to find the newest.
const maxUnnumbered = 16

// maxHint is how long a hint may be: a number, or a name.
const maxHint = 1 << 10

func (t *Table) readHint(ctx context.Context, e storage.Entry) (string, error) {
	if e.Err != nil || e.Size > maxHint {
		return "", fmt.Errorf("file %q: %w", e.Name, cmp.Or(e.Err, fmt.Errorf("it has %d bytes, and would be the name of a version", e.Size)))
	}
	data, err := readAll(ctx, t.store, e, nil)
	return strings.TrimSpace(string(data)), err
}

// hinted is the file that a hint names. Writers that were interrupted leave an old hint: a table of
// a file system has all files of versions after another.
func (c candidates) hinted(hint string) (storage.Entry, error) {
	if n, err := strconv.ParseUint(hint, 10, 62); err == nil {
		e, ok := c["v"+hint]
		for next := n + 1; ok; next++ {
			newer, more := c["v"+strconv.FormatUint(next, 10)]
			if !more {
				return e, e.Err
			}
			e = newer
		}
	}
	for _, stem := range []string{"v" + hint, hint} {
		if e, ok := c[stem]; ok {
			return e, e.Err
		}
	}
	return storage.Entry{}, fmt.Errorf("%s names version %q, of which there is no metadata file", hintName, hint)
}

// newest is the file with the greatest number. Where two have it, one of them was never the table:
// only its catalog knows which.
func (c candidates) newest() (storage.Entry, error) {
	var best storage.Entry
	var second string
	version := int64(-1)
	for stem, e := range c {
		switch n, ok := versionOf(stem); {
		case !ok && len(c) > 1:
		case ok && n == version:
			second = e.Name
		case !ok || n > version:
			best, version, second = e, n, ""
		}
	}
	switch {
	case len(c) == 0:
		return best, errors.New("it has no metadata file")
	case best.Name == "":
		return best, errors.New("none of its metadata files has a number: name the file that is meant")
	case second != "":
		return best, fmt.Errorf("%q and %q are the same version: name the file that is meant", min(best.Name, second), max(best.Name, second))
	}
	return best, best.Err
}

// readAll reads a file as a whole. Its bytes are charged.
func readAll(ctx context.Context, store storage.Store, e storage.Entry, b *quota.Budget) ([]byte, error) {
	if e.Size < 0 || e.Size > maxFile {
		return nil, fmt.Errorf("file %q has %d bytes; more than %d are not read at once", e.Name, e.Size, int64(maxFile))
	}
	if err := b.Need(e.Size); err != nil {
		return nil, fmt.Errorf("file %q: %w", e.Name, err)
	}
	f := store.Open(e)
	defer f.Close()
	data := make([]byte, e.Size)
	if n, err := f.ReadAt(ctx, data, 0); n < len(data) {
		b.Release(e.Size)
		return nil, fmt.Errorf("file %q: %w", e.Name, cmp.Or(err, io.ErrUnexpectedEOF))
	}
	return data, nil
}

// maxFile is the most that is read of one metadata file, manifest list or manifest. Sizes are those
// of the store, not what a file claims.
const maxFile = 1 << 30

// statFile describes a file that metadata name.
func statFile(ctx context.Context, store storage.Store, name string) (storage.Entry, error) {
	e, err := store.Stat(ctx, name)
	if err == nil && e.Folder {
		err = storage.ErrNotRegular
	}
	if err = cmp.Or(err, e.Err); errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the metadata of the table names it, and it is not there: %w", err)
	}
	if err != nil {
		err = fmt.Errorf("file %q: %w", name, err)
	}
	return e, err
}
