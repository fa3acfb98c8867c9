package catalog

import "testing"

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

func table(t *testing.T, s *Snapshot, name string) *Table {
	t.Helper()
	found, err := s.Table(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
