package scalar

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestParseIntegers compares with math/big, which reads fractions and exponents exactly.
func TestParseIntegers(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	inRange := [4]int{}
	for range 200_000 {
		var b strings.Builder
		b.WriteString([]string{"", "", "", "-", "+"}[r.IntN(5)])
		b.WriteString(strings.Repeat("0", r.IntN(3)))
		for range 1 + r.IntN(22) {
			b.WriteByte(byte('0' + r.IntN(10)))
		}
		if r.IntN(3) == 0 {
			b.WriteByte('.')
			b.WriteString([]string{"", "5", "49999999999999999999999999", "50000000000000000000001", "0", "999"}[r.IntN(6)])
		}
		if r.IntN(4) == 0 {
			b.WriteString([]string{"e0", "E3", "e-2", "e+1", "e-21", "e18"}[r.IntN(6)])
		}
		text := b.String()
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("math/big does not read %q", text)
		}
		scale := r.IntN(4)
		unscaled := halfAway(new(big.Rat).Mul(exact, new(big.Rat).SetInt(TenToBig(scale))))
		n, ok := ParseNumeral(text)
		if !ok {
			t.Fatalf("%q is no number", text)
		}
		if got, ok := n.Scaled(MaxPrecision, scale); ok != (len(new(big.Int).Abs(unscaled).String()) <= MaxPrecision) || ok && got.Big().Cmp(unscaled) != 0 {
			t.Fatalf("%q with scale %d is %v, %t, want %v", text, scale, got, ok, unscaled)
		}
		if got, ok := n.Big(60, scale); !ok || got.Cmp(unscaled) != 0 {
			t.Fatalf("%q with scale %d is %v, %t, want %v", text, scale, got, ok, unscaled)
		}
		whole := halfAway(exact)
		signed, ok := ParseInt64(text)
		if ok != whole.IsInt64() || ok && signed != whole.Int64() {
			t.Fatalf("%q is %d, %t, want %v", text, signed, ok, whole)
		}
		unsigned, also := ParseUint64(text)
		positive := whole.IsUint64() && (text[0] != '-' || strings.Trim(text[1:], "0") == "")
		if also != positive || also && unsigned != whole.Uint64() {
			t.Fatalf("%q is %d without a sign, %t, want %v", text, unsigned, also, whole)
		}
		if ok {
			inRange[0]++
		} else {
			inRange[1]++
		}
		if also {
			inRange[2]++
		} else {
			inRange[3]++
		}
	}
	for i, n := range inRange {
		if n < 1000 {
			t.Errorf("only %d texts of kind %d", n, i)
		}
	}
	for _, text := range []string{"", " ", "-", "+", ".", "1x", "x", "1 2", "--1", "1-", "1e", "e1", "1.2.3", "_1", "1_", "12:30"} {
		if v, ok := ParseInt64(text); ok {
			t.Errorf("%q is %d", text, v)
		}
		if v, ok := ParseUint64(text); ok {
			t.Errorf("%q is %d", text, v)
		}
	}
	for text, want := range map[string]int64{" 7 ": 7, "1_000": 1000, "0x1F": 31, "0b101": 5, ".5": 1, "-.5": -1, "5.": 5, "-0": 0, "0.49": 0} {
		if v, ok := ParseInt64(text); !ok || v != want {
			t.Errorf("%q is %d, %t, want %d", text, v, ok, want)
		}
	}
}

// halfAway rounds half away from zero.
func halfAway(v *big.Rat) *big.Int {
	twice := new(big.Int).Mul(v.Num(), big.NewInt(2))
	twice.Add(twice, new(big.Int).Mul(v.Denom(), big.NewInt(int64(v.Sign()))))
	return twice.Quo(twice, new(big.Int).Mul(v.Denom(), big.NewInt(2)))
}
