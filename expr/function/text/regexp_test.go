package text

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRequiredLiteral checks the literal that every match contains.
func TestRequiredLiteral(t *testing.T) {
	for _, c := range []struct{ re, want string }{
		{"abc", "abc"}, {"a(bcd)+e", "bcd"}, {"^https?://x", "http"}, {"a|b", ""}, {"(?i)abc", "abc"}, {"(?i)ask", ""}, {"(?i)é", ""}, {"x*yz?", "y"}, {"", ""}, {"(ab){2,}", "ab"},
	} {
		p, err := compileRegexp(c.re, "", false)
		if err != nil || p.literal.Text() != c.want {
			t.Errorf("%q needs %q, want %q (%v)", c.re, p.literal.Text(), c.want, err)
		}
	}
}

// TestMatches compares patterns that begin with a literal, and others, with package regexp.
func TestMatches(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	from, there := 0, 0
	for _, text := range []string{`ab`, `ab[^b]+a`, `ab(a|é)+`, `éb?`, `ab\b`, `ab$`, `(?m)ab$`, `a\Bb`, `^ab`, `[ab]é`, `a*bé`, `aba|abb`, `b.*?aéa`, ``, `(?i)ab`, `(?i)a[^b]B`, `(?i)ab[^b]`, `(?i)(ab)+ `, `(?i)aé`, `(?i)Ab\b`, `a(?i)Ab`, `(?i:b)a+`, `[ab]+$`, `a ?b$`, `ab{2}`, `(?s)b.é`, `é[^a]*a`, `ab[ A]*é`, `éa[^b]*b`, `éa?b? `, `é(a) +`, `\b(a|b)+\b`, `(a)\b`, `(é?)\bab`, `\b(b)|(a)$`, `^(a)|\b(b)`, `(A)\B(b|)`, `\b([ab]+) (\w)\b`, `(?i)\b(A)(b)?`} {
		p, err := compileRegexp(text, "", false)
		if err != nil {
			t.Fatal(err)
		}
		if p.leads > 0 {
			from++
		}
		if p.there != nil {
			there++
		}
		re := regexp.MustCompile(text)
		for range 2000 {
			var b strings.Builder
			for range r.IntN(40) {
				b.WriteString([]string{"a", "b", "é", "ab", " ", "\n", "A"}[r.IntN(7)])
			}
			if hit, err := p.matches(b.String(), func(int) error { return nil }); err != nil || hit != re.MatchString(b.String()) {
				t.Fatalf("seed %d: %s matches %q: %t, %v", seed, text, b.String(), hit, err)
			}
			want := re.FindStringSubmatchIndex(b.String())
			if at, err := p.find(b.String(), true, func(int) error { return nil }); err != nil || !slices.Equal(at, want) {
				t.Fatalf("seed %d: %s in %q: %v, %v, want %v", seed, text, b.String(), at, err, want)
			}
			var all [][]int
			err := p.each(b.String(), true, func(int) error { return nil }, func(at []int) error {
				all = append(all, slices.Clone(at))
				return nil
			})
			if want := re.FindAllStringSubmatchIndex(b.String(), -1); err != nil || !slices.EqualFunc(all, want, slices.Equal) {
				t.Fatalf("seed %d: all %s in %q: %v, %v, want %v", seed, text, b.String(), all, err, want)
			}
		}
	}
	if from < 9 || there < 6 {
		t.Errorf("only %d patterns match from the place of a literal on, %d of them without package regexp", from, there)
	}
}
