package substring

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// randomText is a text of few different bytes, so that they repeat, and of some that are no
// UTF-8.
func randomText(g *rand.Rand, n int) string {
	const bytes = "aaabbAkKİ\xffzZ@[`{0 "
	b := make([]byte, n)
	for i := range b {
		b[i] = bytes[g.IntN(len(bytes))]
	}
	return string(b)
}

// foldedASCII is s with each letter of ASCII folded.
func foldedASCII(f Fold, s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = f.Of(c)
	}
	return string(b)
}

func TestIndex(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		fold := Fold(g.IntN(3))
		text := randomText(g, g.IntN(6))
		if g.IntN(4) == 0 {
			text = randomText(g, g.IntN(80))
		}
		f := New(text, fold)
		for range 60 { // with few bytes seen, and with many
			s := randomText(g, g.IntN(120))
			switch g.IntN(3) {
			case 0:
				s += text
			case 1:
				s += text + randomText(g, g.IntN(20))
			}
			if got, want := f.Index(s), strings.Index(foldedASCII(fold, s), text); got != want {
				t.Fatalf("%q in %q, fold %d: at %d, want %d", text, s, fold, got, want)
			}
		}
	}
}

// TestNextPair compares all lengths and pairs of places with a search byte by byte.
func TestNextPair(t *testing.T) {
	seed := rand.Uint64()
	g := rand.New(rand.NewPCG(seed, 0))
	for n := vectorBytes; n < 5*16; n++ {
		for range 300 {
			fold, c, d := Fold(g.IntN(3)), byte('a'+g.IntN(2)), byte('z')
			a, b := randomText(g, n), strings.Repeat("\xfa", n)
			if at := g.IntN(2 * n); at < n {
				b = b[:at] + "z" + strings.Repeat("Z", n-at-1)
			}
			c, d = fold.Of(c), fold.Of(d)
			want := -1
			for i := n - 1; i >= 0; i-- {
				if fold.Of(a[i]) == c && fold.Of(b[i]) == d {
					want = i
				}
			}
			if got := nextPair(a, b, fold.lane(c), fold.lane(d)); got != want {
				t.Fatalf("seed %d: %q and %q in %q and %q, fold %d: at %d, want %d", seed, c, d, a, b, fold, got, want)
			}
		}
	}
}

// TestRareBecomesFrequent: a byte that the first texts do not have is in all that follow.
func TestRareBecomesFrequent(t *testing.T) {
	f := New("zb", Exact)
	f.Index(strings.Repeat("a", sampleBytes))
	if !f.rare {
		t.Fatal("z is not rare")
	}
	for n := range 300 {
		s := strings.Repeat("z", n)
		if got := f.Index(s); got != -1 {
			t.Errorf("%d z: found at %d", n, got)
		}
		if got := f.Index(s + "zb"); got != n {
			t.Errorf("%d z: found at %d", n, got)
		}
	}
	if f.rare {
		t.Error("z is still taken for rare")
	}
}

// TestReach: no other letters are folded to those of ASCII.
func TestReach(t *testing.T) {
	for fold, of := range map[Fold]func(string) string{Lower: strings.ToLower, Upper: strings.ToUpper} {
		letters := map[byte]bool{}
		for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
			for _, to := range []byte(of(string(r))) {
				if to < utf8.RuneSelf {
					letters[to] = true
				}
			}
		}
		for c := range byte(utf8.RuneSelf) {
			want := Everywhere
			if letters[c] {
				want = InASCII
			}
			if got := fold.Reach("." + string(rune(c)) + "."); got != want {
				t.Errorf("fold %d: the reach of %q is %d, want %d", fold, c, got, want)
			}
		}
		if fold.Reach("é") != Nowhere || fold.Reach(strings.Repeat("a", maxText+1)) != Nowhere {
			t.Errorf("fold %d reaches too far", fold)
		}
	}
}

func TestASCII(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 4))
	for n := range 70 {
		s := make([]byte, n)
		for range 50 {
			for i := range s {
				s[i] = byte(g.IntN(utf8.RuneSelf))
			}
			text := string(s)
			if !ASCII(text) || ToLower(text) != strings.ToLower(text) || ToUpper(text) != strings.ToUpper(text) {
				t.Fatalf("%q: %v, %q, %q", text, ASCII(text), ToLower(text), ToUpper(text))
			}
		}
		for i := range s {
			text := string(s[:i]) + "\x80" + string(s[i+1:])
			if ASCII(text) || ToLower(text) != strings.ToLower(text) || ToUpper(text) != strings.ToUpper(text) {
				t.Errorf("%q is not ASCII", text)
			}
		}
	}
}
