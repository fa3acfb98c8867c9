package kernel

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPlainTokens checks that the short way reads what the long way does, of random texts.
func TestPlainTokens(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	const letters = "aab  \t,,==:]})[{('\"\"\\"
	plain := 0
	for range 200_000 {
		var b strings.Builder
		for range rng.IntN(9) {
			if rng.IntN(12) == 0 {
				b.WriteString([]string{"NULL", "null", "'x'", "\"y z\"", "é"}[rng.IntN(5)])
			} else {
				b.WriteByte(letters[rng.IntN(len(letters))])
			}
		}
		stop := []string{"", ",]", ",)", ",}", "=", ":"}[rng.IntN(6)]
		short := nestedText{text: b.String()}
		short.blanks()
		long := short
		text, ok := short.plain(stop)
		if !ok {
			if short.pos != long.pos {
				t.Fatalf("seed %d: %q before %q: something was read", seed, short.text, stop)
			}
			continue
		}
		plain++
		raw, ok := long.token(stop)
		if !ok || unquoted(raw) != text || short.pos != long.pos || strings.EqualFold(raw, "NULL") {
			t.Fatalf("seed %d: %q before %q: %q up to %d, want %q up to %d, %v", seed, short.text, stop, text, short.pos, unquoted(raw), long.pos, ok)
		}
	}
	if plain < 1000 {
		t.Errorf("seed %d: only %d plain tokens", seed, plain)
	}
}
