package kernel

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestCompareScaled compares decimals of different scales with math/big.
func TestCompareScaled(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	random := func() vector.Int128 {
		v := vector.Int128{Hi: int64(r.Uint64()), Lo: r.Uint64()}
		for range r.IntN(8) { // of all lengths
			v, _ = v.DivMod(vector.Int128From(int64(1 + r.IntN(1e6))))
		}
		return v
	}
	ten := big.NewInt(10)
	for range 100_000 {
		a, b, by := random(), random(), r.IntN(39)
		up := new(big.Int).Mul(a.Big(), new(big.Int).Exp(ten, big.NewInt(int64(by)), nil))
		if r.IntN(3) == 0 { // near each other
			if v, ok := vector.Int128FromBig(new(big.Int).Add(up, big.NewInt(int64(r.IntN(3)-1)))); ok {
				b = v
			}
		}
		want := up.Cmp(b.Big())
		if got := compareScaled(a, b, by); got != want {
			t.Fatalf("%s * 10^%d and %s: %d, want %d (seed %d)", a, by, b, got, want, seed)
		}
		if got := compareScaled(b, a, -by); got != -want {
			t.Fatalf("%s and %s * 10^%d: %d, want %d (seed %d)", b, a, by, got, -want, seed)
		}
	}
}
