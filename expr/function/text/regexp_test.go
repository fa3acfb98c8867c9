package text

import "testing"

// TestRequiredLiteral checks the literal that every match contains.
func TestRequiredLiteral(t *testing.T) {
	for _, c := range []struct{ re, want string }{
		{"abc", "abc"}, {"a(bcd)+e", "bcd"}, {"^https?://x", "http"}, {"a|b", ""}, {"(?i)abc", ""}, {"x*yz?", "y"}, {"", ""}, {"(ab){2,}", "ab"},
	} {
		p, err := compileRegexp(c.re, "", false)
		if err != nil || p.literal.Text() != c.want {
			t.Errorf("%q needs %q, want %q (%v)", c.re, p.literal.Text(), c.want, err)
		}
	}
}
