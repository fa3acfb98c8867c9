package names

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestFold: texts fold to the same exactly where strings.EqualFold finds them equal.
func TestFold(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	letters := []string{"a", "A", "k", "K", "\u212a", "s", "S", "\u017f", "ß", "ẞ", "σ", "ς", "Σ", "1", "_", "\xff", "\ufffd", "é", "É", "ǅ", "ǆ", "İ", "ı", "i", "I"}
	text := func() string {
		var s strings.Builder
		for range r.IntN(3) + 1 {
			s.WriteString(letters[r.IntN(len(letters))])
		}
		return s.String()
	}
	same := 0
	for range 200_000 {
		a, b := text(), text()
		if strings.EqualFold(a, b) != (fold(a) == fold(b)) {
			t.Fatalf("seed %d: %q and %q fold to %q and %q", seed, a, b, fold(a), fold(b))
		}
		if a != b && fold(a) == fold(b) {
			same++
		}
	}
	if same < 100 {
		t.Errorf("%d pairs that differ in case only", same)
	}
}

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
