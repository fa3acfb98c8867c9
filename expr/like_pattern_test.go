package expr

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
)

// naive matches characters one by one, and tries everything for %.
func naive(s, pattern string) bool {
	if pattern == "" {
		return s == ""
	}
	c, size := utf8.DecodeRuneInString(pattern)
	if c == '%' {
		for at := 0; at <= len(s); at++ {
			if naive(s[at:], pattern[size:]) {
				return true
			}
		}
		return false
	}
	_, n := utf8.DecodeRuneInString(s)
	return s != "" && (c == '_' || s[:n] == pattern[:size]) && naive(s[n:], pattern[size:])
}

// TestMatches compares with the naive way, of texts that are folded as a whole: characters
// that become ASCII once they are folded, and bytes that are no characters, among them.
func TestMatches(t *testing.T) {
	g := rand.New(rand.NewPCG(5, 6))
	of := func(list []string, most int) string {
		text := ""
		for range g.IntN(most) {
			text += list[g.IntN(len(list))]
		}
		return text
	}
	letters := []string{"a", "A", "b", "B", "k", "K", "K", "i", "I", "İ", "ı", "s", "S", "ſ", "ß", "é", "É", "\xff", "0", "lock", "LOCK"}
	special := append([]string{"%", "%", "%", "_", "_"}, letters...)
	cases := []Letters{{}, LowerLetters, {substring.Upper, strings.ToUpper}}
	contained := 0
	defer func() {
		if contained < 1000 {
			t.Errorf("%d texts were looked through for parts alone", contained)
		}
	}()
	for range 20_000 {
		pattern, way := of(special, 7), cases[g.IntN(len(cases))]
		insensitive := way.All == nil && g.IntN(3) == 0
		p, err := compileLike(pattern, "", way, insensitive)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			s := of(letters, 9)
			if hit, known := likePlain(s, pattern); known && hit != naive(s, pattern) {
				t.Fatalf("%q LIKE %q: %v", s, pattern, hit)
			}
			folded, against := s, pattern
			switch {
			case insensitive:
				folded, against = strings.ToLower(s), strings.ToLower(pattern)
			case way.All != nil:
				folded = way.All(s)
			}
			want := naive(folded, against)
			if hit, known := likeShort(s, pattern, insensitive); known && way.All == nil && hit != want {
				t.Fatalf("short, insensitive %v: %q LIKE %q: %v", insensitive, s, pattern, hit)
			}
			if got, err := p.Matches(s, nil); err != nil || got != want {
				t.Fatalf("%q, fold %d, insensitive %v, LIKE %q: %v, %v, want %v", s, way.Fold, insensitive, pattern, got, err, want)
			}
			if !p.Contains() {
				continue
			}
			contained++
			for _, not := range []bool{false, true} {
				if rows := p.Containing(kernel.Operand[string]{V: []string{s}}, not, []int32{0}, make([]int32, 1)); len(rows) > 0 != (want != not) {
					t.Fatalf("%q contains %q, not %v: %v, want %v", s, pattern, not, rows, want)
				}
			}
		}
	}
}

// TestManyParts: a pattern of more parts than have finders.
func TestManyParts(t *testing.T) {
	pattern := strings.Repeat("%a", 2*maxFinders) + "%"
	for _, of := range []Letters{{}, LowerLetters} {
		p, err := compileLike(pattern, "", of, false)
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range map[int]bool{2*maxFinders - 1: false, 2 * maxFinders: true} {
			if got, err := p.Matches(strings.Repeat("éa", n), nil); got != want || err != nil {
				t.Errorf("%d a: %v, %v", n, got, err)
			}
		}
	}
}
