package text

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
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
	args := make([]argument, len(values))
	for i, v := range values {
		args[i].at = func(int32) value { return v }
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
			text, wrong, err := appendPieces(&kernel.TextBuffer{}, nil, pieces, args, 0)
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

// TestQuickFormats: what is written without reading the specification is the same.
func TestQuickFormats(t *testing.T) {
	integers := []int64{0, 7, -7, 12345, -12345, math.MaxInt64, math.MinInt64}
	texts := []string{"", "a", "é", "abcdefgh"}
	numbers, words := vector.New(vector.Of(vector.BigInt), len(integers)), vector.New(vector.Of(vector.Varchar), len(texts))
	copy(numbers.I64, integers)
	copy(words.Str, texts)
	for _, c := range []struct {
		parse   func(string, int) ([]piece, error)
		formats []string
	}{
		{parseFormat, []string{"{}", "<{:5}>", "{:05}", "{:d}", "{:012d}", "{:1}", "{:040}", "{:<5}", "{:+}", "{:,}", "{:,d}", "{:9,}", "{:09,}", "{:'}", "{:_}", "{:x}", "{:s}"}},
		{parsePrintf, []string{"%d", "<%5d>", "%05d", "%ld", "%i", "%-5d", "%+d", "%hhd", "%'d", "%,d", "%u", "%x", "%s", "%3s"}},
	} {
		for _, format := range c.formats {
			pieces, err := c.parse(format, 1)
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			for _, v := range []*vector.Vector{numbers, words} {
				for row := range int32(v.Len) {
					want, wrong, err := appendPieces(&kernel.TextBuffer{}, nil, pieces, []argument{{at: valuesOf(v)}}, row)
					got, wrongly, _ := appendPieces(&kernel.TextBuffer{}, nil, quicken(slices.Clone(pieces)), []argument{argumentOf(v)}, row)
					if string(got) != string(want) || err != nil || (wrong == nil) != (wrongly == nil) {
						t.Errorf("%s, row %d: %q, want %q, %v %v", format, row, got, want, wrongly, wrong)
					}
				}
			}
		}
	}
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

// TestFixed compares numbers with digits after the point with strconv's.
func TestFixed(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	check := func(v float64, precision int) {
		if got, want := string(appendFixed([]byte("x"), v, precision)), "x"+strconv.FormatFloat(v, 'f', precision, 64); got != want {
			t.Errorf("%v with %d digits: %s, want %s", v, precision, got, want)
		}
	}
	for precision := range 18 {
		for _, v := range []float64{0, 0.5, 1.5, 2.5, 0.125, 0.375, 1e-300, 5e-324, 1 << 51, 1 << 52, 1 << 53, 1e22, math.MaxFloat64, 999999.9999999999, 0.045, 1.005} {
			check(v, precision)
		}
		for range 2000 {
			check(math.Ldexp(r.Float64(), r.IntN(80)-20), precision)
			check(float64(r.IntN(1<<20))/float64(int(1)<<r.IntN(20)), precision) // many are half way
			check(float64(r.IntN(1e6))/1000, precision)
		}
	}
}
