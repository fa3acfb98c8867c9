package catalog

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql/storage"
)

// hostileFS panics, or has neither a value nor an error, in one of its methods.
type hostileFS struct {
	fstest.MapFS
	method string
	panics bool
}

func (h hostileFS) fails(method string) bool {
	if h.method == method && h.panics {
		panic("hostile")
	}
	return h.method == method
}

func (h hostileFS) Open(name string) (fs.File, error) {
	if h.fails("Open") {
		return nil, nil
	}
	return h.MapFS.Open(name)
}

func (h hostileFS) Stat(name string) (fs.FileInfo, error) {
	if h.fails("Stat") {
		return nil, nil
	}
	return h.MapFS.Stat(name)
}

func (h hostileFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if h.fails("ReadDir") {
		return []fs.DirEntry{nil}, nil
	}
	entries, err := h.MapFS.ReadDir(name)
	for i, e := range entries {
		entries[i] = hostileEntry{e, h}
	}
	return entries, err
}

// hostileEntry is what a hostileFS lists.
type hostileEntry struct {
	fs.DirEntry
	fs hostileFS
}

func (e hostileEntry) Info() (fs.FileInfo, error) {
	if e.fs.fails("Info") {
		return nil, nil
	}
	return e.DirEntry.Info()
}

// Cost has no error: one that panics counts for nothing.
func (h hostileFS) Cost() storage.Cost {
	h.fails("Cost")
	return storage.Remote
}

func (h hostileFS) Lstat(name string) (fs.FileInfo, error) {
	if h.fails("Lstat") {
		return nil, nil
	}
	return h.MapFS.Lstat(name)
}

// TestHostileFS: what a given file system does wrong is an error and no panic.
func TestHostileFS(t *testing.T) {
	data, err := os.ReadFile("../../testdata/penguins.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"", "Open", "Stat", "ReadDir", "Lstat", "Info", "Cost"} {
		for _, panics := range []bool{false, true} {
			fsys := hostileFS{fstest.MapFS{"d/t.parquet": &fstest.MapFile{Data: data}}, method, panics}
			c, err := New(Config{FS: fsys, Path: "d"})
			if err == nil {
				err = c.Ping(t.Context())
			}
			var s *Snapshot
			if err == nil {
				s, err = c.Snapshot(t.Context())
			}
			if err == nil {
				_, err = s.Table(t.Context(), "t")
			}
			if (err == nil) != (method == "" || method == "Cost") {
				t.Errorf("%s, panics %v: %v", method, panics, err)
			}
		}
	}
}
