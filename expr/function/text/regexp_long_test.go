package text

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLongMatches compares the matches of long texts, which are read, with those of
// package regexp.
func TestLongMatches(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	free := func(int) error { return nil }
	const size, cost = 0, 1
	for _, c := range [][2]int{{shortWork / 16, 1}, {shortWork, 1}, {longWork / 16, 1}, {longWork / 16, 20}} {
		var b strings.Builder
		for b.Len() < c[size] {
			b.WriteString([]string{"a", "b", "é", "ab", "xyz", "\xff", "\n", strings.Repeat("-", r.IntN(300))}[r.IntN(8)])
		}
		s := b.String()
		for _, text := range []string{`ab`, `a+|b`, `[^a-z]+`, `x(y)?z(a|b)?`, `é*`, `(?s).{20}`, `b*`, `zz$`, `^a`, `\bab\b`, `qq`, `a.*b`,
			`(?m)^(a|-)`, `(?m)b$|z`, `ab\b`, `\Ba(b)?`, `$`, `\b`, `(?i)AB\b`, `(?m)^\Q-`, `^.|\ba`, `é\b`, `(?m)^ab`, `(a|ab)(b|é)?`, `[ab]+$`, `(?i)B+(.)`} {
			p, err := compileRegexp(text, "", false)
			if err != nil {
				t.Fatal(err)
			}
			p.cost *= c[cost]
			if r.IntN(2) == 0 {
				p.asked = askedFirst // the automaton comes at once
			}
			re := regexp.MustCompile(text)
			var all [][]int
			err = p.each(s, true, free, func(at []int) error {
				all = append(all, slices.Clone(at))
				return nil
			})
			if want := re.FindAllStringSubmatchIndex(s, -1); err != nil || len(all) != len(want) || len(all) > 0 && !reflect.DeepEqual(all, want) {
				t.Errorf("%s of %d bytes: %d matches, not %d, %v", text, len(s), len(all), len(want), err)
			}
			first, err := p.find(s, true, free)
			if want := re.FindStringSubmatchIndex(s); err != nil || len(first) != len(want) || len(first) > 0 && !reflect.DeepEqual(first, want) {
				t.Errorf("%s of %d bytes: the first match is at %v, not %v, %v", text, len(s), first, want, err)
			}
			if hit, err := p.matches(s, free); err != nil || hit != re.MatchString(s) {
				t.Errorf("%s matches %d bytes: %t, %v", text, len(s), hit, err)
			}
		}
	}
}

// TestMatchWork: what is read is told, also where each match is looked for to the end of
// the text, or a byte is much work; and where work fails, it ends.
func TestMatchWork(t *testing.T) {
	stop := errors.New("stop")
	for _, c := range []struct {
		text, of string
		n, least int
	}{
		{`a.*b|a`, "a", 100_000, 100 * 100_000},
		{`a.*b$|a`, "a", 100_000, 100 * 100_000},
		{`a.*b|a`, "a", 400, 400 * 400 / 2},
		{`[^x]{1,500}x`, "a", 10_000, 10_000 * 50},
		{`[qr]+`, "-", 2 << 20, 2 << 20},
		{`^a[-]*z?b`, "-", 2 << 20, 1},
	} {
		p, err := compileRegexp(c.text, "", false)
		if err != nil {
			t.Fatal(err)
		}
		told, calls := 0, 0
		err = p.each(strings.Repeat(c.of, c.n), true, func(n int) error {
			if told, calls = told+n, calls+1; told >= c.least {
				return stop
			}
			if n > longWork+matchWork {
				t.Errorf("%s: %d bytes at once", c.text, n)
			}
			return nil
		}, func([]int) error { return nil })
		if !errors.Is(err, stop) {
			t.Errorf("%s: %d bytes in %d calls, not %d, %v", c.text, told, calls, c.least, err)
		}
	}
}
