package errs

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"species", "island", "Spaces", "sex", "address.speces", "unrelated", "Body Mass (g)"}
	for _, c := range []struct{ name, want string }{
		{"speces", "species,Spaces,address.speces"},
		{"SEX", "sex"},
		{"related", "unrelated"},
		{"body_mass", "Body Mass (g)"},
		{"sxe", "sex"},
		{"zzzzzz", ""},
		{strings.Repeat("x", 1<<20), ""},
	} {
		if got := strings.Join(Nearest(c.name, names), ","); got != c.want {
			t.Errorf("Nearest(%.10q) = %q, want %q", c.name, got, c.want)
		}
	}
}
