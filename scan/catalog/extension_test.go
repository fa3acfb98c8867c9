package catalog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/scantest"
)

// withoutExtensions has Parquet files as Hive, Spark and Athena name them, and what lies beside.
func withoutExtensions() map[string][]byte {
	encrypted := slices.Clone(one)
	copy(encrypted, "PARE")
	return map[string][]byte{
		"t/d=1/000000_0":         one,
		"t/d=1/_SUCCESS":         nil,
		"t/d=1/.000000_0.crc":    []byte("crc\x00 and some more"),
		"t/d=2/part-00000":       one,
		"t/d=2/b.snappy.parquet": one,
		"t/_temporary/0/part-0":  one,
		"only/000001_0":          one,
		"only/notes.txt":         []byte("these are long notes"),
		"single":                 one,
		"locked.data":            encrypted,
		"README.md":              []byte("PAR2 is not the magic number"),
		"short":                  []byte("PAR1"),
		"empty":                  nil,
	}
}

// TestGlobMatchesAllNames: a glob is all files that match, but those that begin with _ or a
// point; a match that is no Parquet file is an error that names it.
func TestGlobMatchesAllNames(t *testing.T) {
	s := snapshot(t, open(t, Config{FS: scantest.FS(withoutExtensions()), Path: "."}))
	all := "t/d=1/000000_0 t/d=2/b.snappy.parquet t/d=2/part-00000"
	for name, want := range map[string]string{
		"t/**": all, "t/*/*": all, "t/d=*/*": all, "t/*/[0-z]*": all, "t/**/*": all,
		"t/d=1/*": "t/d=1/000000_0", "t/d=*/part-*": "t/d=2/part-00000", "t/_temporary/**": "t/_temporary/0/part-0",
	} {
		if got := paths(table(t, s, name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		l := snapshot(t, open(t, Config{FS: scantest.FS(withoutExtensions()), Path: name}))
		if got, want := len(table(t, l, names(t, l)[0]).Files), 1+strings.Count(want, " "); got != want {
			t.Errorf("the location %s has %d files, want %d", name, got, want)
		}
	}
	for name, want := range map[string]string{"only/*": `"only/notes.txt"`, "*.md": `"README.md"`, "emp*": `"empty"`} {
		if _, err := s.Table(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that names %s", name, err, want)
		}
	}
	if got, err := s.Paths(t.Context(), "only/*"); err != nil || strings.Join(got, " ") != "only/000001_0 only/notes.txt" {
		t.Errorf("the paths are %q, %v", got, err)
	}
	if got, err := s.Paths(t.Context(), "none/*"); err != nil || got != nil {
		t.Errorf("the paths of no match are %q, %v", got, err)
	}
}

// TestAnyExtension: files in folders are known by their first bytes.
func TestAnyExtension(t *testing.T) {
	dir := t.TempDir()
	for name, b := range withoutExtensions() {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, b, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []Config{{FS: scantest.FS(withoutExtensions()), Path: "."}, {Path: dir}} {
		c.AnyExtension = true
		catalog := open(t, c)
		for range 2 { // the second time, what the files are is known
			s := snapshot(t, catalog)
			if got, want := strings.Join(names(t, s), " "), "locked only single t"; got != want {
				t.Fatalf("tables %s, want %s", got, want)
			}
			for name, want := range map[string]string{
				"t": "t/d=1/000000_0 t/d=2/b.snappy.parquet t/d=2/part-00000", "only": "only/000001_0", "single": "single", "t/d=2": "t/d=2/b.snappy.parquet t/d=2/part-00000",
			} {
				if got := paths(table(t, s, name)); got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
		}
	}
}

// brokenFS cannot open one of its files.
type brokenFS struct {
	fstest.MapFS
	name string
}

func (b *brokenFS) Open(name string) (fs.File, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return b.MapFS.Open(name)
}

// TestAnyExtensionUnreadable: a file that may be a Parquet file and cannot be read is an error
// of its table; nobody would miss its rows otherwise.
func TestAnyExtensionUnreadable(t *testing.T) {
	s := snapshot(t, open(t, Config{FS: &brokenFS{MapFS: scantest.FS(withoutExtensions()), name: "t/d=2/part-00000"}, Path: ".", AnyExtension: true}))
	if _, err := s.Table(t.Context(), "t"); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "t/d=2/part-00000") {
		t.Errorf("error %v", err)
	}
	table(t, s, "only")
}

// TestLeftOut: an unknown table's error names a Parquet file that is in no table, but none that
// merely lies there.
func TestLeftOut(t *testing.T) {
	files := withoutExtensions()
	missing := func() (hint string) {
		s := snapshot(t, open(t, Config{FS: scantest.FS(files), Path: "."}))
		_, err := s.Table(t.Context(), "only")
		var e *errs.NotFoundError
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		if out, err := s.LeftOut(t.Context()); err != nil || out != "" && out != e.Hint {
			t.Errorf("LeftOut is %q, %v; the error says %q", out, err, e.Hint)
		}
		return e.Hint
	}
	if hint := missing(); !strings.Contains(hint, `"locked.data"`) || !strings.Contains(hint, "extensions=any") {
		t.Errorf("the hint is %q", hint)
	}
	for name, b := range files {
		if len(b) > 8 && string(b[:3]) == "PAR" && b[3] != '2' && !isParquet(name) {
			delete(files, name)
		}
	}
	if hint := missing(); hint != "the only table is t" {
		t.Errorf("there are no such files, and the hint is %q", hint)
	}
}
