package glob

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestGlob compares the automaton with the slow way, character by character.
func TestGlob(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	of := func(most int, pieces ...string) string {
		var b strings.Builder
		for range r.IntN(most) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	free := func(int) error { return nil }
	hits := 0
	for range 5000 {
		pattern := of(7, "*", "*", "?", "a", "b", "é", "[", "]", "!", "-", "[ab]", "[!a]", "[a-c]", "[]a]", "[c-a]", "[!é]", `\\`, `\\*`, "\xff", "\n", ".")
		g := &Matcher{pattern: pattern, came: cameFirst - 1}
		for range 10 {
			s := of(8, "a", "b", "c", "é", "\xff", "\n", "*", "]", "!", "-", ".", "\ufffd")
			want, _ := matches(s, pattern, free)
			if got, err := g.Matches(s, pattern, free); got != want || err != nil {
				t.Fatalf("%q GLOB %q: %v, %v", s, pattern, got, err)
			}
			if want {
				hits++
			}
		}
		if g.lazy == nil {
			t.Errorf("%q has no automaton", pattern)
		}
	}
	if hits < 1000 {
		t.Errorf("only %d match", hits)
	}
}

// TestLongPatterns: a pattern of four megabytes gets no automaton, whose memory nobody would count.
func TestLongPatterns(t *testing.T) {
	var g Matcher
	pattern := strings.Repeat("?", 4<<20)
	for range 2 * cameFirst {
		if hit, err := g.Matches("a", pattern, func(int) error { return nil }); hit || err != nil {
			t.Fatal(hit, err)
		}
	}
	if g.lazy != nil {
		t.Error("there is an automaton")
	}
}
