package aggregate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestSums compares the sums of both kinds with those of math/big.
func TestSums(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		var short, other shortSum
		var long wideSum
		want, top := new(big.Int), int64(0)
		for range r.IntN(50) {
			v := int64(r.Uint64()) >> r.IntN(64)
			switch r.IntN(5) {
			case 0:
				v = math.MinInt64
			case 1:
				v = math.MaxInt64
			}
			if r.IntN(2) == 0 {
				short.Add(v)
			} else {
				other.Add(v)
			}
			if r.IntN(10) == 0 {
				top += short.Fold()
			}
			long.Add(uint64(v), uint64(v>>63), v>>63)
			want.Add(want, big.NewInt(v))
		}
		short.Merge(&other)
		var none shortSum
		if less := short; r.IntN(2) == 0 {
			less.Subtract(&other)
			less.Merge(&other)
			short.Subtract(&less)
			if short.Int128() != (vector.Int128{}) || short.N != 0 {
				t.Fatalf("a sum less itself is %v; seed %d", short, seed)
			}
			short.Merge(&less)
		}
		none.Subtract(&short)
		if got := none.Int128(); got != short.Int128().Neg() {
			t.Fatalf("nothing less %v is %v; seed %d", short.Int128(), got, seed)
		}
		got := short.Int128().Big()
		if got.Add(got, new(big.Int).Lsh(big.NewInt(top), 64)); got.Cmp(want) != 0 {
			t.Fatalf("Short is %v and %d above it, want %v; seed %d", short, top, want, seed)
		}
		sum, ok := long.Int128()
		if float, _ := new(big.Float).SetInt(want).Float64(); !ok || sum.Big().Cmp(want) != 0 || long.Float64() != float {
			t.Fatalf("Sum is %v, want %v; seed %d", long, want, seed)
		}
	}
}

// TestWideSum adds two numbers of 127 bits.
func TestWideSum(t *testing.T) {
	var s wideSum
	for range 2 {
		s.Add(math.MaxUint64, math.MaxInt64, 0)
	}
	if v, ok := s.Int128(); ok || s.Float64() != 0x1p128 {
		t.Errorf("2 * (2^127 - 1) is %v %v, %g", v, ok, s.Float64())
	}
}

// TestLimbs compares with math/big.
func TestLimbs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		x, y := big.NewInt(int64(r.Uint64())>>r.IntN(64)), big.NewInt(int64(r.Uint64())>>r.IntN(64))
		x.Mul(x, big.NewInt(int64(r.Uint64())>>r.IntN(64)))
		a, ok := limbsOf(x)
		b, ok2 := limbsOf(y)
		if !ok || !ok2 {
			t.Fatalf("%v or %v does not fit", x, y)
		}
		value := func(l limbs) *big.Int {
			v := vector.Int128{Hi: int64(l[2]), Lo: l[1]}.Big()
			return v.Add(v.Lsh(v, 64), new(big.Int).SetUint64(l[0]))
		}
		if got, want := value(a.Mul(b)), new(big.Int).Mul(x, y); got.Cmp(want) != 0 {
			t.Fatalf("%v * %v is %v", x, y, got)
		}
		if got, want := value(a.Add(b)), new(big.Int).Add(x, y); got.Cmp(want) != 0 {
			t.Fatalf("%v + %v is %v", x, y, got)
		}
	}
	if _, ok := limbsOf(new(big.Int).Lsh(big.NewInt(1), 127)); ok {
		t.Error("2^127 fits 127 bits")
	}
}
