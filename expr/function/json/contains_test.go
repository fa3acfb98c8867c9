package json

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// JSON_CONTAINS says the same where texts are searched for needles as where trees alone are compared.
func TestContainsLikeTrees(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	has := 0
	c := &containing{}
	for range 20000 {
		whole, part := drawn(r, 3), drawn(r, 2)
		a, err := parse(nil, whole)
		if err != nil {
			t.Fatal(whole, err)
		}
		b, err := parse(nil, part)
		if err != nil {
			t.Fatal(part, err)
		}
		want := a.contains(&watch{}, b)
		for _, known := range []bool{false, true} {
			if c.known = nil; known {
				if err := c.knows(nil, part); err != nil {
					t.Fatal(part, err)
				}
			}
			if got, err := c.test(nil, whole, part); got != want || err != nil {
				t.Fatalf("JSON_CONTAINS(%q, %q) = %v, %v, want %v", whole, part, got, err, want)
			}
		}
		if want {
			has++
		}
	}
	if has < 1000 {
		t.Errorf("only %d values have the other one", has)
	}
	if err := c.knows(nil, `{"b":1}`); err != nil {
		t.Fatal(err)
	}
	if _, err := c.test(nil, `{"a":}`, `{"b":1}`); err == nil {
		t.Error("malformed text without the part is no error")
	}
}

// drawn is a JSON value, some of whose texts are written with escapes, or are not UTF-8.
func drawn(r *rand.Rand, depth int) string {
	scalars := []string{"1", "10", "1.0", "1e0", "-1", "true", "null", `"a"`, `"\u0061"`, `"b c"`, `""`, `"\\"`, `"é"`, `"\u00e9"`, "\"\xff\"", `"\ufffd"`}
	if depth == 0 || r.IntN(3) == 0 {
		return scalars[r.IntN(len(scalars))]
	}
	items := make([]string, r.IntN(3))
	if r.IntN(2) == 0 {
		for i := range items {
			items[i] = drawn(r, depth-1)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	keys := []string{`"a"`, `"\u0061"`, `"k"`, `""`, "\"\xff\""}
	for i := range items {
		items[i] = fmt.Sprint(keys[r.IntN(len(keys))], ":", drawn(r, depth-1))
	}
	return "{" + strings.Join(items, ",") + "}"
}

// TestNeedles compares hasNeedle with strings.Contains, over texts of few letters.
func TestNeedles(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	for range 20000 {
		texts := [2]string{}
		for i, most := range []int{1200, 40} {
			var b strings.Builder
			for range r.IntN(1 + r.IntN(most)) {
				b.WriteByte("aaaaaab\""[r.IntN(8)])
			}
			texts[i] = b.String()
		}
		if s, needle := texts[0], texts[1]; hasNeedle(s, needle) != strings.Contains(s, needle) {
			t.Fatalf("seed %d: %q in %q", seed, needle, s)
		}
	}
}

// TestSameNumber: numbers that are not whole are equal as DOUBLEs, however they are written.
func TestSameNumber(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"1", "1", true}, {"1", "1.0", false}, {"1.0", "1.00", true}, {"1.5", "1.50", true}, {"1.5", "1.05", false}, {"10.0", "1.00", false}, {"0.0", "-0.0", false}, {"-0.0", "-0e3", true}, {"0", "-0", true}, {"-0", "-0", true}, {"0", "0.0", false}, {"-0", "-1", false}, {"-1.5", "1.5", false},
		{"15e-1", "1.5", true}, {"1.5E0", "1.5", true}, {"0.1", "0.10000000000000000001", true}, {"0.10000000000000001", "0.1", true}, {"100.0", "1e2", true}, {"0.50", "0.05", false},
	} {
		if sameNumber(c.a, c.b) != c.same || sameNumber(c.b, c.a) != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, !c.same)
		}
	}
}
