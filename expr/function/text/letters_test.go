package text

import (
	"strings"
	"testing"
)

// TestCase compares with package strings: each byte of ASCII at each place of texts of all lengths up to 20.
func TestCase(t *testing.T) {
	for length := range 21 {
		for at := range length {
			for c := range 256 {
				b := []byte(strings.Repeat("k", length))
				b[at] = byte(c)
				s := string(b)
				ascii, changes := caseOf(s, 'a')
				if ascii != (c < 0x80) || ascii && changes != (strings.ToUpper(s) != s) {
					t.Fatalf("%q: %v, %v", s, ascii, changes)
				}
				if !ascii {
					continue
				}
				if got := string(appendCase([]byte("x"), s, 'a')); got != "x"+strings.ToUpper(s) {
					t.Fatalf("%q in upper case: %q", s, got)
				}
				if got := string(appendCase(nil, s, 'A')); got != strings.ToLower(s) {
					t.Fatalf("%q in lower case: %q", s, got)
				}
			}
		}
	}
}
