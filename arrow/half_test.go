package arrow

import (
	"math"
	"testing"
)

// TestHalfBits: the float of each half is that half again, and what lies half way between two is the even one
// (IEEE 754-2008, 4.3.1).
func TestHalfBits(t *testing.T) {
	value := func(bits uint16) float64 {
		exponent, fraction := int(bits>>10&31), float64(bits&0x3ff)
		size := math.Ldexp(1024+fraction, exponent-25)
		if exponent == 0 {
			size = math.Ldexp(fraction, -24)
		}
		if bits>>15 != 0 {
			return math.Copysign(size, -1)
		}
		return size
	}
	for n := range 1 << 16 {
		bits := uint16(n)
		if bits>>10&31 == 31 {
			continue
		}
		if got := halfBits(float32(value(bits))); got != bits {
			t.Fatalf("%04x: %04x", bits, got)
		}
		if bits&0x7fff == 0x7bff {
			continue
		}
		even := bits + bits&1
		if got := halfBits(float32((value(bits) + value(bits+1)) / 2)); got != even {
			t.Fatalf("between %04x and the next: %04x", bits, got)
		}
	}
	for _, c := range []struct {
		f    float64
		want uint16
	}{{math.Inf(1), 0x7c00}, {math.Inf(-1), 0xfc00}, {65519, 0x7bff}, {65520, 0x7c00}, {math.NaN(), 0x7e00}} {
		if got := halfBits(float32(c.f)); got != c.want {
			t.Errorf("%v: %04x, not %04x", c.f, got, c.want)
		}
	}
}
