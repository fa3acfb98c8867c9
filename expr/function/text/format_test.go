package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// FuzzFormat: a format of either kind is an error or a text that has the literals, and
// never needs more memory than its widths ask for.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"{} {1:>{}.{}f}", "{:*^+#012,.3x}", "{{}}", "{", "%5.2f %-+08d", "%2$s %1$*d", "%%%c", "%hhd %'d", "{:}<5}", "%.*f"} {
		f.Add(s)
	}
	values := []value{
		{kind: integerValue, integer: vector.Int128From(-5)}, {kind: floatValue, float: -2.5, text: "-2.5"}, {text: "é"},
		{kind: boolValue, text: "true", integer: vector.Int128From(1)}, {kind: integerValue, integer: vector.Int128{Hi: -1 << 63}},
	}
	f.Fuzz(func(t *testing.T, format string) {
		for _, parse := range []func(string, int) ([]piece, error){parseFormat, parsePrintf} {
			pieces, err := parse(format, len(values))
			if err != nil {
				continue
			}
			wide := 0
			for _, p := range pieces {
				wide += len(p.literal) + max(p.spec.width, 0)*utf8.UTFMax + 2*max(p.spec.precision, 0) + 512
			}
			text, wrong, err := appendPieces(&kernel.TextBuffer{}, nil, pieces, func(arg int) value { return values[arg] })
			if wrong != nil || err != nil {
				continue
			}
			if len(text) > wide {
				t.Fatalf("%q makes %d bytes", format, len(text))
			}
			for _, p := range pieces {
				if !strings.Contains(string(text), p.literal) {
					t.Fatalf("%q makes %q without %q", format, text, p.literal)
				}
			}
		}
	})
}

// FuzzClusters: grapheme clusters are the whole text, each of whole characters.
func FuzzClusters(f *testing.F) {
	for _, s := range []string{"e\u0301", "🤦🏼\u200d♂️", "🇩🇪🇫", "각", "क्ष", "\r\n", "a\xff\u200d", "\u200d\u200c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var all string
		for rest := s; rest != ""; {
			n := firstCluster(rest)
			if n < 1 || n > len(rest) || utf8.ValidString(rest) && !utf8.ValidString(rest[:n]) {
				t.Fatalf("%q: %d", rest, n)
			}
			all, rest = all+rest[:n], rest[n:]
		}
		if reversed, _ := appendReverse(&kernel.TextBuffer{}, nil, s); all != s || len(reversed) != len(s) {
			t.Fatalf("%q: %q %q", s, all, reversed)
		}
	})
}
