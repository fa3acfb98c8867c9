package text

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestLongMatches compares the matches of long texts, which are read, with those of
// package regexp.
func TestLongMatches(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for b.Len() < longText+longText/8 {
		b.WriteString([]string{"a", "b", "é", "ab", "xyz", "\xff", "\n", strings.Repeat("-", r.IntN(300))}[r.IntN(8)])
	}
	s := b.String()
	free := func(int) error { return nil }
	for _, text := range []string{`ab`, `a+|b`, `[^a-z]+`, `x(y)?z(a|b)?`, `é*`, `(?s).{20}`, `b*`, `zz$`, `^a`, `\bab\b`, `qq`, `a.*b`} {
		p, err := compileRegexp(text, "", false)
		if err != nil {
			t.Fatal(err)
		}
		re := regexp.MustCompile(text)
		var all [][]int
		err = p.each(s, free, func(at []int) error {
			all = append(all, at)
			return nil
		})
		if want := re.FindAllStringSubmatchIndex(s, -1); err != nil || len(all) != len(want) || len(all) > 0 && !reflect.DeepEqual(all, want) {
			t.Errorf("%s: %d matches, not %d, %v", text, len(all), len(want), err)
		}
		first, err := p.findLong(s, free)
		if want := re.FindStringSubmatchIndex(s); err != nil || len(first) != len(want) || len(first) > 0 && !reflect.DeepEqual(first, want) {
			t.Errorf("%s: the first match is at %v, not %v, %v", text, first, want, err)
		}
		if hit, err := p.matches(s, free); err != nil || hit != re.MatchString(s) {
			t.Errorf("%s matches: %t, %v", text, hit, err)
		}
	}
	stop := errors.New("stop")
	p, _ := compileRegexp(`q+`, "", false)
	if _, err := p.within(s, func(int) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
}
