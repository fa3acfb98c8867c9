package text

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// TestEscapes compares with the standard library, which writes + for a space.
func TestEscapes(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 10_000 {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		got, _ := appendURL(nil, string(b))
		if want := strings.ReplaceAll(url.QueryEscape(string(b)), "+", "%20"); string(got) != want {
			t.Fatalf("seed %d: %q is %q, want %q", seed, b, got, want)
		}
	}
}
