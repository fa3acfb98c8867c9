package scalar

import (
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
		if r.IntN(20) == 0 {
			b.WriteString([]string{".", "e3", "x", "..", "_1"}[r.IntN(5)])
		}
		if _, _, _, ok := shortFloat(b.String()); !ok {
			continue
		}
		short++
		for _, bits := range []int{32, 64} {
			got, ok := ParseFloat(b.String(), bits)
			want, err := strconv.ParseFloat(b.String(), bits)
			if err != nil || !ok || math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%q of %d bits is %v, want %v, %v", b.String(), bits, got, want, err)
			}
		}
	}
	if short < 100_000 {
		t.Errorf("%d texts were short", short)
	}
	for _, s := range []string{"", "-", ".", "1e5", "nan", "1_0", "1 ", "1234567890123456"} {
		if digits, _, _, ok := shortFloat(s); ok {
			t.Errorf("%q is short: %d", s, digits)
		}
	}
}
