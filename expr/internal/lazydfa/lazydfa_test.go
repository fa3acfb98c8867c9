package lazydfa

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// compare finds all matches as package regexp does, and in the same places.
func compare(t *testing.T, pattern, s string) {
	t.Helper()
	re, err := regexp.Compile(pattern)
	if err != nil {
		return
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return
	}
	m := Compile(tree)
	if m == nil {
		return
	}
	if found, ok := m.Match(s); ok && found != re.MatchString(s) {
		t.Fatalf("%q in %q: %v", pattern, s, found)
	}
	for from := 0; from <= len(s); from++ {
		if from > 0 && strings.ContainsAny(pattern, "^$Az") {
			break // the rest of the text begins elsewhere
		}
		want := re.FindStringIndex(s[from:])
		if from > 0 && strings.ContainsAny(pattern, "bB") && strings.Contains(pattern, "\\") { // \b looks back
			if !utf8.RuneStart(s[from-1]) || from < len(s) && !utf8.RuneStart(s[from]) {
				continue
			}
			want = regexp.MustCompile(`\A(?s:.)(?s:.*?)(` + tree.String() + `)`).FindStringSubmatchIndex(s[from-1:])
			if want != nil {
				want = []int{want[2] - 1, want[3] - 1}
			}
		}
		start, end, ok := m.Find(s, from)
		if !ok {
			continue
		}
		if (want == nil) != (start < 0) || want != nil && (want[0]+from != start || want[1]+from != end) {
			t.Fatalf("%q in %q from %d: %d to %d, want %v", pattern, s, from, start, end, want)
		}
	}
}

var patterns = []string{
	"", "a", "a*", "a+b", "[0-9]+", "(a|ab)(c|bcd)", "(a|ab)(c|bcd)*", "a*?b", "(?i)FOX 1", "(?i)straße|ſ|K", "[^a]", ".", "(?s).", "a.*b|a", "^a", "a$", "^$", "^", "$", "$^", "(^a|b)c$", "\\d{3}.*\\d{3}",
	"[a-z]+[0-9]+\\.com", "(dog|cat) 5[0-9]", "(|a)*", "(|a)+", "(a*)*", "(a|b)*abb", "\\s+", "[äöü]+", "x{2,5}y", "(?:a?){10}a{10}", "\\pL+", "[^\\n]+$", "b*$", "(?U)a+", "(foo|foobar)(bar)?", "(a+)(b+)?", "\\x{FFFD}", "(?:b|^)a", "a(?:$|b)", "[a-z]+$", "q=[0-9]*0$", "(a|ab)(b|)$", "(?:a$|b$)", "a*$",
	`\b`, `\B`, `\bfox\b`, `\w+\b`, `\b\w+`, `\b(a|ab)\b`, `\Ba`, `a\B`, `\ba*?b\b`, `\bq$`, `a\b$`, `\b\d+\b`, `(\b|a)b`, `\b\b`, `é\b`, `\bé`, `\b.*\b`, `(?:\bfox|dog\b) \d`, `\b^a`, `$\b`, `\B$`, `\b[^a]*?\b`,
}

var samples = []string{
	"", "a", "b", "ab", "abcd", "abcbcd", "aab", "The quick brown fox 12 jumps over dog 52; see https://example334.com/path/982?q=0", "FoX 1", "ſK straSSE STRASSE", "äöü ü", "\n", "a\nb", "\xff", "a\xffb\xc3", "\xe2\x82", "€\xe2\x82€",
	"xxyxxxxxxy", "aaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaa", "foobarbar", "123 456 789", "aabb\n", "\ufffd",
}

func TestLikePackageRegexp(t *testing.T) {
	for _, p := range patterns {
		for _, s := range samples {
			compare(t, p, s)
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	pieces := []string{"a", "b", "c", "(", ")", "|", "*", "+", "?", "*?", "+?", "[ab]", "[^b]", ".", "^", "$", "{2}", "{1,3}", "é", "(?:", "(?i:", "B", "\\d", "1", "\\b", "\\B"}
	for range 30000 {
		var p, s strings.Builder
		for range 1 + r.IntN(8) {
			p.WriteString(pieces[r.IntN(len(pieces))])
		}
		for range r.IntN(12) {
			s.WriteString([]string{"a", "b", "c", "A", "é", "1", "\xff", "\xc3", "\n"}[r.IntN(9)])
		}
		compare(t, p.String(), s.String())
	}
}

// Most of these patterns have an automaton; some have none.
func TestCompile(t *testing.T) {
	for pattern, want := range map[string]bool{"[0-9]+": true, "^a$": true, "\\bfox": true, "\\b^": false, "(?m)^a": false, "a+(?:b$)": true, "$^": false, "(?i)\\pL+": false} {
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := Compile(tree) != nil; got != want {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}

// States are forgotten where there is no room for more, and making them ends where that does not pay.
func TestBounded(t *testing.T) {
	tree, err := syntax.Parse("[ab]*a[ab]{14}c", syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	m := Compile(tree)
	r := rand.New(rand.NewPCG(1, 1))
	text := make([]byte, 1<<16)
	for i := range text {
		text[i] = "ab"[r.IntN(2)]
	}
	if _, _, ok := m.Find(string(text), 0); ok {
		t.Error("each byte makes a state, and it goes on")
	}
	if cap(m.forward.next) > 2*maxCells {
		t.Errorf("%d transitions", cap(m.forward.next))
	}
	m = Compile(tree)
	m.forward.reset()
	for range 3 { // many bytes for each state
		m.forward.read = 1 << 30
		compareWith(t, m, "[ab]*a[ab]{14}c", string(text[:6000])+"aaaaaaaaaaaaaaaac")
	}
}

func compareWith(t *testing.T, m *Matcher, pattern, s string) {
	t.Helper()
	want := regexp.MustCompile(pattern).FindStringIndex(s)
	if start, end, ok := m.Find(s, 0); !ok || start != want[0] || end != want[1] {
		t.Errorf("%d to %d, %v, want %v", start, end, ok, want)
	}
}

func FuzzLikePackageRegexp(f *testing.F) {
	for _, p := range patterns {
		for _, s := range samples[:8] {
			f.Add(p, s)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, s string) {
		if len(pattern) < 40 && len(s) < 100 {
			compare(t, pattern, s)
		}
	})
}

// TestLong: what is too long is refused before it is compiled, also where it is short as text.
func TestLong(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", 3000), strings.Repeat(".", 3000), "(a{50}){20}(b{50}){20}(c{10}){20}", strings.Repeat("[a-c]x?", 1500)} {
		re, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if n := size(re, maxInstructions); n <= maxInstructions || Compile(re) != nil {
			t.Errorf("%.20q has the size %d", text, n)
		}
	}
}
