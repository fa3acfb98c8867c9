package anchored

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

const referer = `^https?://(?:www\.)?([^/]+)/.*$`

func compiled(text string) *Matcher {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil
	}
	return Compile(re)
}

// TestCompiles says which expressions are compiled.
func TestCompiles(t *testing.T) {
	for text, want := range map[string]bool{
		referer: true, `^a`: true, `\Aa+b?\z`: true, `^([a-z]+)-(\d*)`: true, `^.*$`: true, `^(?s:.*)`: true, `^x(?:ab)?[^,]*,`: true, `^[^a]é`: true,
		`a`: false, `(?m)^a`: false, `^.*a`: false, `^a*?b`: false, `^(a)?b`: false, `^(?:a|bc)d`: false, `(?i)^a`: true, `(?i)^ak`: true, `(?i)^a[^b]*s`: false, `^[^a]*(?i:b)`: false, `(?i)^é`: false, `^a(?i:B1)+`: false, `^[^b](?i:b)`: true, `^a*(?i:A)`: false, `^[éa]`: false, `^a+[ab]`: false, `^a*b?a`: false,
		`^[^/]+é`: false, `^a?b?c?d?`: false, "^\uFFFD": false,
	} {
		if got := compiled(text) != nil; got != want {
			t.Errorf("%s: compiled %v, want %v", text, got, want)
		}
	}
}

// check compares a match with that of package regexp.
func check(t *testing.T, m *Matcher, re *regexp.Regexp, s string) {
	t.Helper()
	slots := make([]int, m.Slots())
	var got []int
	if m.Match(s, slots) {
		got = slots
	}
	if want := re.FindStringSubmatchIndex(s); !slices.Equal(got, want) {
		t.Errorf("%s on %q: %v, want %v", re, s, got, want)
	}
}

// TestRandom compares random expressions on random texts with package regexp.
func TestRandom(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	parts := []string{"a", "b", "ab", ".", "[^a]", "[ab]", "[^/\n]", `\d`, "a*", "b+", ".*", "[^b]*", "[^/]+", "a?", "(?:ab)?", "(?:[^a]b*)?", "(", ")", "$", "/", "é", `\.`, "(?i:a)", "(?i:bA)", "(?i:sk)", "s"}
	texts := []string{"a", "b", "ab", "A", "B", "s", "K", "ſ", "\u212A", "/", "\n", "é", "\xff", "\uFFFD", "7", "."}
	pick := func(from []string, n int) string {
		var b strings.Builder
		for range r.IntN(n + 1) {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	tried := 0
	for range 30_000 {
		text := "^" + pick(parts, 7)
		m := compiled(text)
		if m == nil {
			continue
		}
		re := regexp.MustCompile(text)
		tried++
		for range 10 {
			check(t, m, re, pick(texts, 8))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if tried < 1000 {
		t.Errorf("seed %d: only %d expressions were compiled", seed, tried)
	}
}

func FuzzMatch(f *testing.F) {
	f.Add(referer, "https://www.example.org/a?b")
	f.Add(referer, "http://www./x\n")
	f.Add(`^[^a]b*`, "\xff\xfeb")
	f.Fuzz(func(t *testing.T, text, s string) {
		re, err := regexp.Compile(text)
		if err != nil {
			return
		}
		if m := compiled(text); m != nil {
			check(t, m, re, s)
		}
	})
}

func BenchmarkReferer(b *testing.B) {
	const s = "https://www.ref17.example.org/some/path?with=parameters"
	b.Run("anchored", func(b *testing.B) {
		m := compiled(referer)
		slots := make([]int, m.Slots())
		b.ReportAllocs()
		for b.Loop() {
			m.Match(s, slots)
		}
	})
	b.Run("regexp", func(b *testing.B) {
		re := regexp.MustCompile(referer)
		b.ReportAllocs()
		for b.Loop() {
			re.FindStringSubmatchIndex(s)
		}
	})
}
