package scalar

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestParseShortFloat compares with package strconv, which rounds correctly.
func TestParseShortFloat(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	short := 0
	for range 300_000 {
		var b strings.Builder
		if r.IntN(4) == 0 {
			b.WriteByte("-+ "[r.IntN(3)])
		}
		point := r.IntN(18)
		for i := range 1 + r.IntN(17) {
			if i == point {
				b.WriteByte('.')
			}
			b.WriteByte(byte('0' + r.IntN(10)))
		}
		if r.IntN(4) == 0 {
			b.WriteString([]string{".", "x", "..", "_1", "e3", "E-7", "e+12", "e-", "e22", "e-23", "e30", "e99999999999"}[r.IntN(12)])
		}
		if _, _, _, ok := shortFloat(b.String()); !ok {
			continue
		}
		short++
		for _, bits := range []int{32, 64} {
			got, ok := ParseFloat(b.String(), bits)
			want, err := strconv.ParseFloat(b.String(), bits)
			if err != nil && !errors.Is(err, strconv.ErrRange) || !ok || math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%q of %d bits is %v, want %v, %v", b.String(), bits, got, want, err)
			}
		}
	}
	if short < 100_000 {
		t.Errorf("%d texts were short", short)
	}
	for _, s := range []string{"", "-", ".", "1e", "1e5x", "e5", "1e5.", "nan", "1_0", "1 ", "1234567890123456"} {
		if digits, _, _, ok := shortFloat(s); ok {
			t.Errorf("%q is short: %d", s, digits)
		}
	}
}

// TestParseFloatWords has what is no digits, and what package strconv would take for a number.
func TestParseFloatWords(t *testing.T) {
	for text, want := range map[string]float64{
		"nan": math.NaN(), "-NaN": math.NaN(), " inf": math.Inf(1), "+Infinity ": math.Inf(1), "-INF": math.Inf(-1), "1e400": math.Inf(1), "-1E400": math.Inf(-1), "1_000.5": 1000.5,
	} {
		if got, ok := ParseFloat(text, 64); !ok || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%q is %v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", " ", "+", "--1", "0x10", "0x1p3", "1p3", "1e", "e5", "1__0", "_1", "1-2", "12:30:15", "2024-01-01", "+-inf", "infinit", "na", "i", "1 2"} {
		if got, ok := ParseFloat(text, 64); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}
