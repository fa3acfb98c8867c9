package catalog

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/scan/files"
)

// TestAlone: tables of files of one schema share their columns, and have their own names and files.
// A table that has columns of folders, or files of another schema, has columns of its own.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	write := func(from string, to ...string) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", from))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(append([]string{dir}, to...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("penguins.parquet", "a.parquet")
	write("penguins.parquet", "b", "1.parquet")
	write("penguins.parquet", "b", "2.parquet")
	write("penguins.parquet", "keyed", "k=1", "1.parquet")
	write("penguins.parquet", "mixed", "1.parquet")
	write("seattle_weather.parquet", "mixed", "2.parquet")
	c, err := New(Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	table := func(name string) *files.Set {
		t.Helper()
		s, err := c.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		set, err := s.Table(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	first := table("a")
	for range 2 {
		for name, list := range map[string]int{"a": 1, "b": 2} {
			again := table(name)
			if again.Name != name || len(again.Files) != list || !reflect.DeepEqual(again.Columns, first.Columns) || &again.Columns[0] != &first.Columns[0] {
				t.Errorf("%s: %d files, %v", name, len(again.Files), again.Columns)
			}
			for _, f := range again.Files {
				if f.Mapping != first.Files[0].Mapping || f.Rows != 344 {
					t.Errorf("%s has another mapping, or %d rows", f.Path, f.Rows)
				}
			}
		}
		if keyed := table("keyed"); len(keyed.Columns) != len(first.Columns)+1 || len(keyed.Files[0].Values) != 1 {
			t.Errorf("with a folder: %v", keyed.Columns)
		}
		if mixed := table("mixed"); len(mixed.Columns) <= len(first.Columns) || mixed.Files[0].Mapping == mixed.Files[1].Mapping {
			t.Errorf("with another schema: %v", mixed.Columns)
		}
	}
	write("seattle_weather.parquet", "a.parquet")
	if other := table("a"); other.Columns[0].Name == first.Columns[0].Name {
		t.Errorf("after the file was replaced: %v", other.Columns)
	}
}
