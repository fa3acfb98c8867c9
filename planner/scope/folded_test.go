package scope

import "testing"

// TestRename: a column is found by its new name.
func TestRename(t *testing.T) {
	s := &Source{Columns: make([]Column, 2)}
	s.Columns[0].Name, s.Columns[1].Name = "a", "b"
	if found, _ := s.find("A"); len(found) != 1 {
		t.Fatal("a is not found")
	}
	if err := s.Rename([]string{"x"}); err != nil {
		t.Fatal(err)
	}
	before, _ := s.find("a")
	after, exact := s.find("x")
	if len(before) != 0 || len(after) != 1 || !exact {
		t.Errorf("%d columns of the old name, %d of the new one", len(before), len(after))
	}
}
