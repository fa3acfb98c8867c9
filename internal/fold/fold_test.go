package fold

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestName: texts fold to the same exactly where strings.EqualFold finds them equal.
func TestName(t *testing.T) {
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
		if strings.EqualFold(a, b) != (Name(a) == Name(b)) {
			t.Fatalf("seed %d: %q and %q fold to %q and %q", seed, a, b, Name(a), Name(b))
		}
		if a != b && Name(a) == Name(b) {
			same++
		}
	}
	if same < 100 {
		t.Errorf("%d pairs that differ in case only", same)
	}
}
