package scalar

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestParsePlain: what it reads, InstantParser reads as the same, and it reads the plain form.
func TestParsePlain(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	var p InstantParser
	read := 0
	check := func(text string) {
		days, nanos, ok := ParsePlain(text)
		if !ok {
			return
		}
		read++
		want, ok := p.Parse(text)
		if got := vector.MulInt64(days, NanosPerDay).Add(vector.Int128From(nanos)); !ok || got != want {
			t.Fatalf("seed %d: %q: %v, want %v, %t", seed, text, got, want, ok)
		}
	}
	const letters = "0123456789-: T.Z+/a\x00\xff"
	for range 100000 {
		text := fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", r.IntN(10000), 1+r.IntN(12), 1+r.IntN(31), r.IntN(25), r.IntN(60), r.IntN(60))
		if r.IntN(2) == 0 {
			text += fmt.Sprintf(".%0*d", 1+r.IntN(10), r.IntN(1000000000))
		}
		check(text)
		b := []byte(text)
		for range r.IntN(3) {
			b[r.IntN(len(b))] = letters[r.IntN(len(letters))]
		}
		check(string(b))
		check(string(b[:r.IntN(len(b)+1)]))
	}
	for _, text := range []string{"2024-02-29 13:14:15", "2024-02-29T13:14:15.1", "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999999"} {
		if _, _, ok := ParsePlain(text); !ok {
			t.Errorf("%q is not read", text)
		}
	}
	for _, text := range []string{"2023-02-29 13:14:15", "2024-02-29 24:00:00", "2024-02-29 13:14:15Z", "2024-02-29 13:14:15.", "2024-02-29 13:14:1a", "0000-01-01 00:00:00"} {
		if _, _, ok := ParsePlain(text); ok {
			t.Errorf("%q is read", text)
		}
	}
	if read < 100000 {
		t.Errorf("only %d texts are read", read)
	}
}
