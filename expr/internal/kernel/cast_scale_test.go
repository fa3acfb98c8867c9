package kernel

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestScale64 compares casts between decimals of 64 bits with big numbers.
func TestScale64(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	ten := func(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
	for range 5000 {
		p, q := 1+r.IntN(18), 1+r.IntN(18)
		from, to := vector.DecimalType(p, r.IntN(p+1)), vector.DecimalType(q, r.IntN(q+1))
		o, err := Conversion(from, to, true)
		if err != nil {
			t.Fatal(err)
		}
		if o.Make == nil {
			continue
		}
		in := vector.New(from, 20)
		for i := range in.I64 {
			in.I64[i] = (r.Int64() >> r.IntN(63)) % ten(p).Int64()
		}
		var out Result
		out.Reset(to, in.Len)
		if err := o.Make()([]*vector.Vector{in}, nil, in.Len, &out); err != nil {
			t.Fatal(err)
		}
		for i, v := range in.I64 {
			want := big.NewInt(v)
			if by := to.Scale - from.Scale; by >= 0 {
				want.Mul(want, ten(by))
			} else { // half away from zero: |v| + half of the power, without the remainder
				half := new(big.Int).Quo(ten(-by), big.NewInt(2))
				sign := big.NewInt(int64(want.Sign()))
				want.Add(want.Abs(want), half).Quo(want, ten(-by)).Mul(want, sign)
			}
			fits := new(big.Int).Abs(want).Cmp(ten(to.Precision)) < 0
			if fits == out.IsNull(i) || fits && want.Int64() != out.I64[i] {
				t.Fatalf("%s %d to %s: %v (NULL %v), want %v", from, v, to, out.I64[i], out.IsNull(i), want)
			}
		}
	}
}
