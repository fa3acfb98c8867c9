package catalog

import (
	"testing"

	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/mapping"
)

func open(t *testing.T, c Config) *Catalog {
	t.Helper()
	catalog, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return catalog
}

func snapshot(t *testing.T, c *Catalog) *Snapshot {
	t.Helper()
	s, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func table(t *testing.T, s *Snapshot, name string) *files.Set {
	t.Helper()
	found, err := s.Table(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// columnsOf is where a file has the table's columns.
func columnsOf(t *testing.T, f *files.File) *mapping.Columns {
	t.Helper()
	_, out, err := f.Metadata(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func names(t *testing.T, s *Snapshot) []string {
	t.Helper()
	out, err := s.TableNames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return out
}
