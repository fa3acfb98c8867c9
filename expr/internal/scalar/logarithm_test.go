package scalar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestLogarithms compares logarithms with those of 400 bits.
func TestLogarithms(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	values := []float64{1, 5e-324, LeastNormal, math.Nextafter(LeastNormal, 0), math.MaxFloat64, math.Nextafter(1, 0), math.Nextafter(1, 2), math.Sqrt2, math.Nextafter(math.Sqrt2, 0), math.Nextafter(2, 0)}
	for range 300 {
		values = append(values, math.Ldexp(1+r.Float64(), r.IntN(2089)-1065), 1+math.Ldexp(r.Float64()-0.5, -r.IntN(52)), 1+r.Float64())
	}
	for i := range 256 { // both ends of what is known together
		m := 1 + float64(i)/256
		values = append(values, m, math.Nextafter(m, 0), m/2)
	}
	ln10, ln2 := bigLn(10), bigLn(2)
	quo := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(oracleBits).Quo(a, b) }
	for _, v := range values {
		l := bigLn(v)
		for _, c := range []struct {
			name string
			got  float64
			want *big.Float
		}{{"Ln", Ln(v), l}, {"Log10", Log10(v), quo(l, ln10)}, {"Log2", Log2(v), quo(l, ln2)}} {
			if off := unitsOff(c.got, c.want); off > 0.53 {
				t.Errorf("%s(%v) = %v, %v units off", c.name, v, c.got, off)
			}
		}
	}
	for e := range 23 {
		if got := Log10(math.Pow10(e)); got != float64(e) {
			t.Errorf("Log10(1e%d) = %v", e, got)
		}
	}
	for e := -1074; e < 1024; e++ {
		if got := Log2(math.Ldexp(1, e)); got != float64(e) {
			t.Errorf("Log2(2^%d) = %v", e, got)
		}
	}
	for _, f := range []func(float64) float64{Ln, Log10, Log2} {
		if f(0) != math.Inf(-1) || f(math.Inf(1)) != math.Inf(1) || f(-1) == f(-1) || f(math.NaN()) == f(math.NaN()) || f(1) != 0 {
			t.Error("0, infinity, NaN, -1 or 1")
		}
	}
}

func BenchmarkLn(b *testing.B) {
	v := 0.0
	for i := range b.N {
		v += Ln(1.0000001 + float64(i&1023))
	}
	_ = v
}

func BenchmarkExp(b *testing.B) {
	v := 0.0
	for i := range b.N {
		v += Exp(float64(i&1023) / 1000)
	}
	_ = v
}
