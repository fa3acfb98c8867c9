package text

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/substring"
)

// TestByCharacter: texts of random characters, also of bytes that are not UTF-8, become what they become as a whole.
func TestByCharacter(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	text := func(most rune) string {
		var s []byte
		for range random.IntN(12) {
			if r := random.Int32N(int32(most)); r%97 == 1 {
				s = append(s, byte(0x80+r%0x80))
			} else {
				s = append(s, string(rune(r))...)
			}
		}
		return string(s)
	}
	for name, all := range map[string]func(string) string{"upper": substring.ToUpper, "lower": substring.ToLower} {
		by := byCharacter{all: all}
		for range 50_000 {
			s := text(0x3000)
			if got, want := string(by.append(nil, s)), all(s); got != want {
				t.Fatalf("%s of %q: %q, want %q", name, s, got, want)
			}
		}
	}
	strip := func(s string) string { return string(appendStripped(nil, s)) }
	by := byCharacter{all: strip}
	for range 50_000 {
		runes := []rune(text(twoBytes))
		for i, r := range runes {
			if r >= twoBytes {
				runes[i] = 'x'
			}
		}
		s := string(runes)
		if got, want := string(by.append(nil, s)), strip(s); got != want {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
	}
}
