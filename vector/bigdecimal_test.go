package vector

import (
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestBigDecimalBytes has the examples of the format's comment.
func TestBigDecimalBytes(t *testing.T) {
	for _, c := range []struct {
		number int64
		hex    string
	}{
		{-256, "7ffffffdff00"}, {-1, "7ffffffeff"}, {0, "8000000100"}, {127, "800000017f"}, {128, "800000020080"},
		{-128, "7ffffffe80"}, {-129, "7ffffffdff7f"}, {255, "8000000200ff"}, {256, "800000020100"},
	} {
		if got := hex.EncodeToString([]byte(EncodeBigDecimal(big.NewInt(c.number)))); got != c.hex {
			t.Errorf("%d: %s, want %s", c.number, got, c.hex)
		}
	}
	if got := DecodeBigDecimal(string(AppendBigDecimalBytes(nil, ""))); got.Sign() != 0 {
		t.Errorf("no bytes: %v", got)
	}
}

// TestBigDecimalOrder compares with math/big, over numbers of all lengths and
// their neighbours, with redundant sign bytes in front of them.
func TestBigDecimalOrder(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	number := func() *big.Int {
		v := new(big.Int).Lsh(big.NewInt(1), uint(r.IntN(300)))
		v.Add(v, big.NewInt(int64(r.IntN(5)-2)))
		if r.IntN(2) == 0 {
			v.Neg(v)
		}
		return v
	}
	for range 20000 {
		a, b := number(), number()
		ea, eb := EncodeBigDecimal(a), EncodeBigDecimal(b)
		if got, want := strings.Compare(ea, eb), a.Cmp(b); got != want {
			t.Fatalf("%v and %v compare as %d", a, b, got)
		}
		if got := DecodeBigDecimal(ea); got.Cmp(a) != 0 {
			t.Fatalf("%v comes back as %v", a, got)
		}
		padding := "\x00"
		if a.Sign() < 0 {
			padding = "\xff"
		}
		if got := string(AppendBigDecimalBytes(nil, strings.Repeat(padding, r.IntN(4))+BigDecimalBytes(ea))); got != ea {
			t.Fatalf("%v: padded %x, else %x", a, got, ea)
		}
	}
}
