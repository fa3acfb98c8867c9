package order

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestStringTerms: the bytes of two texts compare as the texts do, or the other way round,
// also where one is the beginning of the other and where they have zero bytes; what follows
// a term does not matter.
func TestStringTerms(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	text := func() string {
		b := make([]byte, r.IntN(20))
		for i := range b {
			b[i] = []byte{0, 0, 1, 'a', 0x7f, 0x80, 0xfe, 0xff}[r.IntN(8)]
		}
		return string(b)
	}
	term := func(s string, flip byte) []byte {
		data := make([]byte, len(s)+strings.Count(s, "\x00")+2)
		if end := writeString(data, 0, s, flip, false); end != len(data) {
			t.Fatalf("%q takes %d bytes, not %d", s, end, len(data))
		}
		return append(data, byte(r.Uint32()))
	}
	for range 100_000 {
		a, b := text(), text()
		if r.IntN(2) == 0 {
			b = a + text()
		}
		if a == b {
			continue
		}
		if got := bytes.Compare(term(a, 0), term(b, 0)); got != strings.Compare(a, b) {
			t.Fatalf("%q and %q compare as %d", a, b, got)
		}
		if got := bytes.Compare(term(a, 0xff), term(b, 0xff)); got != -strings.Compare(a, b) {
			t.Fatalf("%q and %q compare as %d, descending", a, b, got)
		}
	}
}
