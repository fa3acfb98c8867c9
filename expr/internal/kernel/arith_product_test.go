package kernel

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// TestProduct38 compares products of batches whose values have up to some number of bits,
// among them the least of so many bits, with those of big.Int.
func TestProduct38(t *testing.T) {
	typ := vector.DecimalType(38, 0)
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(38), nil)
	run, out := product38(Arithmetic{Op: scalar.OpMul, L: typ, R: typ, T: typ})(), &Result{}
	r := rand.New(rand.NewPCG(1, 2))
	value := func(bits int) vector.Int128 {
		power := vector.Int128From(1)
		for range bits {
			power = power.Add(power)
		}
		switch r.IntN(3) {
		case 0:
			return power.Neg()
		case 1:
			return power.Sub(vector.Int128From(1))
		}
		return vector.Int128From(r.Int64N(1 << min(bits, 62))).Neg()
	}
	for left := range 100 {
		for _, right := range []int{0, 1, 61 - left, 62 - left, 63 - left, 64 - left, 63, 64, 125 - left, 126 - left} {
			if right < 0 || right > 125 {
				continue
			}
			const n = 7
			x, y := vector.New(typ, n), vector.New(typ, n)
			fits, want := true, make([]*big.Int, n)
			for i := range n {
				x.I128[i], y.I128[i] = value(left), value(right)
				want[i] = new(big.Int).Mul(x.I128[i].Big(), y.I128[i].Big())
				fits = fits && want[i].CmpAbs(limit) < 0
			}
			out.Reset(typ, n)
			if err := run([]*vector.Vector{x, y}, nil, n, out); (err == nil) != fits {
				t.Fatalf("%d and %d bits: %v, and it fits: %v", left, right, err, fits)
			}
			for i := range want {
				if fits && out.I128[i].Big().Cmp(want[i]) != 0 {
					t.Fatalf("%v * %v is %v, want %v", x.I128[i].Big(), y.I128[i].Big(), out.I128[i].Big(), want[i])
				}
			}
		}
	}
}

func BenchmarkProduct38(b *testing.B) {
	const n = 2048
	x, y := vector.New(vector.DecimalType(38, 4), n), vector.New(vector.DecimalType(38, 2), n)
	for i := range n {
		x.I128[i], y.I128[i] = vector.Int128From(int64(i)*10000), vector.Int128From(int64(i%9)+100)
	}
	out := &Result{}
	out.Reset(vector.DecimalType(38, 6), n)
	run := product38(Arithmetic{Op: scalar.OpMul, L: x.Type, R: y.Type, T: out.Type})()
	for b.Loop() {
		if err := run([]*vector.Vector{x, y}, nil, n, out); err != nil {
			b.Fatal(err)
		}
	}
}
