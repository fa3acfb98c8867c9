package scalar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

const oracleBits = 400

func bigFloat(v float64) *big.Float { return new(big.Float).SetPrec(oracleBits).SetFloat64(v) }

// bigExp is e to the power of x: the Taylor series of x/2^k, squared k times.
func bigExp(x *big.Float) *big.Float {
	k := max(0, x.MantExp(nil)+8)
	small := new(big.Float).SetPrec(oracleBits).SetMantExp(x, -k)
	sum, term := bigFloat(1), bigFloat(1)
	for n := 1.0; n < 60; n++ {
		term.Mul(term, small).Quo(term, bigFloat(n))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigArea is twice the area tangent: the logarithm of (1+s)/(1-s).
func bigArea(s *big.Float) *big.Float {
	square := new(big.Float).SetPrec(oracleBits).Mul(s, s)
	sum, power := new(big.Float).SetPrec(oracleBits).Set(s), new(big.Float).SetPrec(oracleBits).Set(s)
	for n := 3.0; n < 500; n += 2 {
		power.Mul(power, square)
		sum.Add(sum, new(big.Float).Quo(power, bigFloat(n)))
	}
	return sum.Mul(sum, bigFloat(2))
}

// bigLn is the logarithm of a positive number.
func bigLn(v float64) *big.Float {
	m, e := math.Frexp(v)
	x := bigFloat(m)
	s := new(big.Float).SetPrec(oracleBits).Quo(new(big.Float).Sub(x, bigFloat(1)), new(big.Float).Add(x, bigFloat(1)))
	ln2 := bigArea(new(big.Float).SetPrec(oracleBits).Quo(bigFloat(1), bigFloat(3)))
	return bigArea(s).Add(bigArea(s), ln2.Mul(ln2, bigFloat(float64(e))))
}

// unitsOff is how many units in the last place a number is from the right one.
func unitsOff(got float64, want *big.Float) float64 {
	nearest, _ := want.Float64()
	if math.IsInf(nearest, 0) || math.IsInf(got, 0) {
		if got == nearest {
			return 0
		}
		return math.Inf(1)
	}
	unit := math.Max(math.Nextafter(math.Abs(nearest), math.Inf(1))-math.Abs(nearest), math.SmallestNonzeroFloat64)
	d := new(big.Float).SetPrec(oracleBits).Sub(bigFloat(got), want)
	off, _ := d.Quo(d, bigFloat(unit)).Float64()
	if off = math.Abs(off); math.Abs(nearest) < LeastNormal {
		return off * 2 / 3 // it was rounded twice, the first time to at most half of a unit
	}
	return off
}

// TestPow compares powers with those of 400 bits. C libraries are less than one unit in
// the last place off; the constants are DuckDB's.
func TestPow(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{1.0000001, 1e7, 2.7182816941320818}, {1 + 0.05/365, 365 * 30, 4.481228688522581}, {1.000000000123, -2147483648, 0.7678655656291713},
		{2, 0.5, math.Sqrt2}, {10, 2, 100}, {10, 22, 1e22}, {3, 40, 12157665459056928801}, {-2, 63, -0x1p63}, {-8, 3, -512}, {2, -1074, 0x1p-1074}, {2, -1075, 0}, {2, 1024, math.Inf(1)},
		{0.5, 1e300, 0}, {2, 1e300, math.Inf(1)}, {-2, 1e300, math.Inf(1)}, {0, 5, 0}, {0, -1, math.Inf(1)}, {1, math.NaN(), 1}, {-1, math.Inf(1), 1}, {math.Inf(-1), 3, math.Inf(-1)},
		{0x1p-1074, 1, 0x1p-1074}, {0x1p-1074, 0.5, 0x1p-537}, {0x1p-1074, -0.5, 0x1p537}, {math.MaxFloat64, 1, math.MaxFloat64}, {math.MaxFloat64, 2, math.Inf(1)},
	} {
		if got := Pow(c.x, c.y); got != c.want {
			t.Errorf("Pow(%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
	if got := Pow(-8, 1.0/3); got == got {
		t.Errorf("Pow(-8, 1/3) = %v, want NaN", got)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 1000 {
		var x, y float64
		switch i % 4 {
		case 0: // near 1, with great exponents
			x = 1 + math.Ldexp(r.Float64()-0.5, -r.IntN(50))
			y = math.Ldexp(r.Float64()-0.5, r.IntN(60))
		case 1: // of any size
			x = math.Ldexp(0.5+r.Float64()/2, r.IntN(2100)-1050)
			y = (r.Float64() - 0.5) * 10
		case 2: // whole exponents
			x, y = math.Ldexp(r.Float64(), r.IntN(6)), float64(r.IntN(2000)-1000)
		default: // between the known logarithms
			x, y = (float64(r.IntN(256))+128.5)/256, math.Ldexp(r.Float64(), r.IntN(9))
		}
		if x <= 0 || math.IsInf(x, 0) {
			continue
		}
		e := new(big.Float).SetPrec(oracleBits).Mul(bigLn(x), bigFloat(y))
		if f, _ := e.Float64(); math.Abs(f) > 800 {
			continue
		}
		if got, want := Pow(x, y), bigExp(e); unitsOff(got, want) > 0.53 {
			t.Errorf("Pow(%v, %v) = %v, %v units off", x, y, got, unitsOff(got, want))
		}
	}
}

// TestPowSimple compares powers of simple exponents with those of 400 bits.
func TestPowSimple(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 400 {
		x := math.Ldexp(1+r.Float64(), r.IntN(300)-150)
		for _, y := range []float64{0.5, 1.5, 3, 4, -1} {
			e := bigLn(x)
			if got := PowSimple(x, y); unitsOff(got, bigExp(e.Mul(e, bigFloat(y)))) > 0.51 {
				t.Errorf("PowSimple(%v, %v) = %v", x, y, got)
			}
			if whole := y == math.Trunc(y); whole && PowSimple(-x, y) != math.Copysign(PowSimple(x, y), math.Pow(-1, y)) || !whole && PowSimple(-x, y) == PowSimple(-x, y) {
				t.Errorf("PowSimple(%v, %v) = %v", -x, y, PowSimple(-x, y))
			}
		}
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, math.MaxFloat64, -math.MaxFloat64} {
		for _, y := range []float64{0.5, 1.5, 3, 4, -1} {
			if got, want := PowSimple(x, y), Pow(x, y); math.Float64bits(got) != math.Float64bits(want) && got == got {
				t.Errorf("PowSimple(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
}

// TestMod compares remainders with the library's, which are exact.
func TestMod(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 3, 0.1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e-310, math.MaxFloat64, 1 << 53, 1<<53 - 1, 1<<53 + 2}
	pick := func() float64 {
		switch r.IntN(5) {
		case 0:
			return special[r.IntN(len(special))]
		case 1:
			return float64(r.IntN(2000) - 1000)
		case 2:
			return math.Float64frombits(r.Uint64())
		}
		return math.Ldexp(r.Float64()-0.5, r.IntN(70))
	}
	for range 200000 {
		x, y := pick(), pick()
		if r.IntN(4) == 0 { // a multiple, or the number beside one
			x = y * float64(r.IntN(1<<20))
			x = math.Nextafter(x, []float64{x, math.Inf(1), math.Inf(-1)}[r.IntN(3)])
		}
		if got, want := Mod(x, y), math.Mod(x, y); math.Float64bits(got) != math.Float64bits(want) && want == want {
			t.Fatalf("Mod(%v, %v) = %v, want %v", x, y, got, want)
		}
	}
}

// TestExp compares exponentials with those of 400 bits, at the ends of the range, too.
func TestExp(t *testing.T) {
	values := []float64{0, 1, -1, 709.78271289338397, 709.7827128933840, 709.7827128933841, 710, -708.4, -745.13321910194111, -745.2, -746, 5e-324, 1e-17, -1e-300, 1e300, -1e300}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		values = append(values, (r.Float64()-0.5)*1500, math.Ldexp(r.Float64()-0.5, -r.IntN(60)))
	}
	for _, v := range values {
		var want *big.Float
		switch {
		case v > 800:
			want = new(big.Float).SetInf(false)
		case v < -800:
			want = new(big.Float)
		default:
			want = bigExp(bigFloat(v))
		}
		if got := Exp(v); unitsOff(got, want) > 0.53 {
			t.Errorf("Exp(%v) = %v, %v units off", v, got, unitsOff(got, want))
		}
	}
	if got := Exp(math.NaN()); got == got {
		t.Errorf("Exp(NaN) = %v", got)
	}
	if got := Exp(math.Inf(-1)); got != 0 {
		t.Errorf("Exp(-Inf) = %v", got)
	}
}

// TestAtan compares the library's arctangents of small, great and other numbers with those
// of 400 bits: two units in the last place are promised.
func TestAtan(t *testing.T) {
	quarter := bigAtan(bigFloat(1)) // π/4
	half := new(big.Float).SetPrec(oracleBits).Mul(quarter, bigFloat(2))
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	values := []float64{5e-324, 1e-300, 1e-8, 0.4142135623730950, 0.66, 1, 2.414213562373095, 1e8, 1e16, 1e300, math.MaxFloat64}
	for range 500 {
		values = append(values, math.Ldexp(r.Float64(), r.IntN(80)-40))
	}
	for _, v := range values {
		want := new(big.Float).SetPrec(oracleBits)
		if v > 1 {
			want.Sub(half, bigAtan(new(big.Float).SetPrec(oracleBits).Quo(bigFloat(1), bigFloat(v))))
		} else {
			want = bigAtan(bigFloat(v))
		}
		if got := math.Atan(v); unitsOff(got, want) > 2 {
			t.Errorf("Atan(%v) = %v, %v units off", v, got, unitsOff(got, want))
		}
	}
}

// bigAtan is the arctangent of a number from 0 to 1, of which it takes the half angle four
// times and then the series.
func bigAtan(x *big.Float) *big.Float {
	x = new(big.Float).SetPrec(oracleBits).Set(x)
	one := bigFloat(1)
	for range 4 { // tan(a/2) = tan a / (1 + √(1 + tan² a))
		root := new(big.Float).SetPrec(oracleBits).Mul(x, x)
		root.Sqrt(root.Add(root, one))
		x.Quo(x, root.Add(root, one))
	}
	square := new(big.Float).SetPrec(oracleBits).Mul(x, x)
	sum, power := new(big.Float).SetPrec(oracleBits).Set(x), new(big.Float).SetPrec(oracleBits).Set(x)
	for n := 3.0; n < 200; n += 2 {
		power.Mul(power, square).Neg(power)
		sum.Add(sum, new(big.Float).Quo(power, bigFloat(n)))
	}
	return sum.Mul(sum, bigFloat(16))
}

func BenchmarkPow(b *testing.B) {
	v := 0.0
	for i := range b.N {
		v += Pow(1.0000001+float64(i&1023), 1.5)
	}
	_ = v
}
