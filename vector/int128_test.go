package vector

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// randomInt128 has a random number of significant bits, so that every
// combination of word sizes is met.
func randomInt128(r *rand.Rand) Int128 {
	v := Int128{Hi: int64(r.Uint64()), Lo: r.Uint64()}
	drop := uint(r.IntN(128))
	b := v.Big()
	b.Rsh(b, drop)
	a, _ := Int128FromBig(b)
	if r.IntN(16) == 0 {
		return Int128{Hi: -1 << 63}
	}
	return a
}

func wrap(v *big.Int) Int128 {
	m := new(big.Int).Lsh(big.NewInt(1), 128)
	v = new(big.Int).Mod(v, m)
	if v.BitLen() == 128 {
		v.Sub(v, m)
	}
	a, ok := Int128FromBig(v)
	if !ok {
		panic("wrap")
	}
	return a
}

// TestInt128 compares every operation with math/big.
func TestInt128(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200000 {
		a, b := randomInt128(r), randomInt128(r)
		x, y := a.Big(), b.Big()
		type op struct {
			name string
			got  Int128
			ok   bool
			want *big.Int
		}
		sum, okSum := a.AddChecked(b)
		diff, okDiff := a.SubChecked(b)
		product, okProduct := a.MulChecked(b)
		for _, o := range []op{
			{"add", sum, okSum, new(big.Int).Add(x, y)},
			{"sub", diff, okDiff, new(big.Int).Sub(x, y)},
			{"mul", product, okProduct, new(big.Int).Mul(x, y)},
		} {
			want, fits := Int128FromBig(o.want)
			if o.ok != fits || fits && o.got != want {
				t.Fatalf("%s(%v, %v) = %v, %v; want %v", o.name, a, b, o.got, o.ok, o.want)
			}
		}
		if got, want := a.Mul(b), wrap(new(big.Int).Mul(x, y)); got != want {
			t.Fatalf("wrapping mul(%v, %v) = %v, want %v", a, b, got, want)
		}
		if got := a.Cmp(b); got != x.Cmp(y) || a.Less(b) != (got < 0) {
			t.Fatalf("cmp(%v, %v) = %d", a, b, got)
		}
		if b.Sign() != 0 {
			q, rem := a.DivMod(b)
			wantQ, wantR := new(big.Int).QuoRem(x, y, new(big.Int))
			if q != wrap(wantQ) || rem != wrap(wantR) {
				t.Fatalf("divmod(%v, %v) = %v, %v; want %v, %v", a, b, q, rem, wantQ, wantR)
			}
		}
		want, _ := new(big.Float).SetInt(x).Float64()
		if got := a.Float64(); got != want {
			t.Fatalf("float(%v) = %v, want %v", a, got, want)
		}
	}
}
