package number

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// TestRounding compares the loops with the library's functions, and with those of one value.
func TestRounding(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	in := []float64{0, math.Copysign(0, -1), 0.5, -0.5, 0.49999999999999994, 1.5, 2.5, 1 << 52, 1<<52 + 1, 1<<53 - 1, 5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for range 2000 {
		in = append(in, math.Float64frombits(r.Uint64()), float64(r.IntN(4000)-2000)/4, (r.Float64()-0.5)*1e6)
	}
	same := func(name string, f loop, want func(float64) float64) {
		out := make([]float64, len(in))
		f.run(in, nil, len(in), out)
		for i, v := range in {
			if w := want(v); math.Float64bits(out[i]) != math.Float64bits(w) && w == w {
				t.Errorf("%s(%v) = %v, want %v", name, v, out[i], w)
			}
		}
		few := make([]float64, len(in))
		f.run(in, []int32{3, 7}, len(in), few)
		if few[3] != out[3] || few[7] != out[7] || few[5] != 0 {
			t.Errorf("%s of two rows: %v", name, few[:8])
		}
	}
	same("ROUND", roundNearest.floats, math.Round)
	same("CEIL", roundUp.floats, math.Ceil)
	same("FLOOR", roundDown.floats, math.Floor)
	same("TRUNC", roundToZero.floats, math.Trunc)
	for _, digits := range []int64{-400, -3, 0, 1, 2, 15, 308, 309} {
		same("ROUND to digits", roundNearest.floatsTo(digits), func(v float64) float64 { return roundNearest.floatTo(v, digits) })
	}
}

// TestEndsInFive compares with the remainder.
func TestEndsInFive(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 100000 {
		v := math.Ldexp(float64(r.IntN(1<<30)), r.IntN(60)-30)
		if r.IntN(2) == 0 {
			v = math.Floor(v) + 5
		}
		if got := endsInFive(v); got != (math.Mod(v, 10) == 5) {
			t.Fatalf("seed %d: %v: %t", seed, v, got)
		}
	}
	for _, v := range []float64{0, 5, 15, 14.999999999999998, math.Inf(1), math.NaN(), 1 << 53, math.MaxFloat64} {
		if got := endsInFive(v); got != (math.Mod(v, 10) == 5) {
			t.Errorf("%v: %t", v, got)
		}
	}
}

// TestDecimals64 compares rounding of decimals of 64 bits with that of 128.
func TestDecimals64(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		by, m := 1+r.IntN(18), roundMode(r.IntN(4))
		zeros := 0
		if r.IntN(2) == 0 {
			zeros = r.IntN(by + 1)
		}
		in := vector.New(vector.DecimalType(18, by), 30)
		for i := range in.I64 {
			in.I64[i] = (r.Int64() >> r.IntN(63)) % 1e18
			if r.IntN(3) == 0 { // half way
				in.I64[i] = (r.Int64N(2000) - 1000) * scalar.Powers64[by] / 2 % 1e18
			}
		}
		var out kernel.Result
		out.Reset(in.Type, in.Len)
		none := func(vector.Int128) (vector.Int128, kernel.Outcome) { return vector.Int128{}, kernel.Outcome{} }
		if err := m.decimals64(by, zeros, 18, none)()([]*vector.Vector{in}, nil, in.Len, &out); err != nil {
			t.Fatal(err)
		}
		for i, v := range in.I64 {
			if want, _ := m.decimal(vector.Int128From(v), by, false); want.Int64()*scalar.Powers64[zeros] != out.I64[i] {
				t.Fatalf("mode %d, %d without %d digits, with %d zeros: %d, want %v", m, v, by, zeros, out.I64[i], want)
			}
		}
	}
}
