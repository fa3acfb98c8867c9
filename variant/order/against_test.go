package order

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// encode is the VARIANT of an SQL value.
func encode(t testing.TB, s vector.Scalar) variant.Value {
	t.Helper()
	var w variant.Writer
	var out vector.Vector
	if err := w.Encode(vector.NewConstant(s, 1), nil, 1, &out); err != nil {
		t.Fatal(err)
	}
	v, ok := variant.Get(&out, 0)
	if !ok {
		t.Fatal("NULL")
	}
	return v
}

func doubleOf(f float64) vector.Scalar { return vector.Scalar{Type: vector.Of(vector.Double), F64: f} }
func floatOf(f float32) vector.Scalar  { return vector.Scalar{Type: vector.Of(vector.Float), F32: f} }
func intOf(i int64) vector.Scalar      { return vector.Scalar{Type: vector.Of(vector.BigInt), I64: i} }
func decimalOf(u int64, scale int) vector.Scalar {
	return vector.Scalar{Type: vector.DecimalType(18, scale), I64: u}
}
func textOf(s string) vector.Scalar { return vector.Scalar{Type: vector.Of(vector.Varchar), Str: s} }

// check compares a value with a constant in every way that there is.
func check(t testing.TB, value, constant vector.Scalar, want int) {
	t.Helper()
	v, c := encode(t, value), encode(t, constant)
	a, err := NewAgainst(&c, constant.Type)
	if err != nil {
		t.Fatal(err)
	}
	what := fmt.Sprintf("%s %s and %s %s", value.Type, v.AppendJSON(nil), constant.Type, c.AppendJSON(nil))
	if got := a.Value(&v); got != int64(want) {
		t.Errorf("%s: %d, want %d", what, got, want)
	}
	n := NumbersOf(constant.Type)
	if got := bytes.Compare(AppendKeyAs(n, nil, &v), AppendKeyAs(n, nil, &c)); got != want {
		t.Errorf("%s: the keys compare as %d, want %d", what, got, want)
	}
	column := vector.New(value.Type, 3)
	for i := range 3 {
		column.Set(i, value)
	}
	dictionary := &vector.Vector{Type: value.Type, Len: 3, Form: vector.Dictionary, Dict: column, Codes: []int32{2, 0, 1}}
	for _, form := range []*vector.Vector{column, dictionary, vector.NewConstant(value, 3)} {
		out := make([]int64, 3)
		if a.Column(form, out); out[0] != int64(want) || out[2] != int64(want) {
			t.Errorf("%s: a column compares as %d, want %d", what, out, want)
		}
	}
}

// TestAgainst: what an SQL value is equal to, by what the contract says.
func TestAgainst(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		value, constant vector.Scalar
		want            int
	}{
		{doubleOf(9.99), decimalOf(999, 2), 0}, {floatOf(9.99), decimalOf(999, 2), 0}, {decimalOf(99900, 4), decimalOf(999, 2), 0},
		{doubleOf(1), intOf(1), 0}, {decimalOf(100, 2), intOf(1), 0}, {floatOf(1), intOf(1), 0},
		{doubleOf(0.30000000000000004), decimalOf(3, 1), 1}, {doubleOf(0.3), decimalOf(30, 2), 0},
		{doubleOf(1 << 53), intOf(1<<53 + 1), -1}, {doubleOf(1 << 53), intOf(1 << 53), 0},
		{intOf(1<<53 + 1), doubleOf(1 << 53), 0}, {intOf(1<<53 + 3), doubleOf(1 << 53), 1},
		{decimalOf(999, 2), doubleOf(9.99), 0}, {decimalOf(999000000000001, 14), doubleOf(9.99), 1},
		{floatOf(9.99), doubleOf(9.99), -1}, {doubleOf(9.99), floatOf(9.99), 1}, {floatOf(9.99), floatOf(9.99), 0},
		{doubleOf(math.Copysign(0, -1)), intOf(0), 0}, {doubleOf(math.Copysign(0, -1)), doubleOf(0), 0}, {floatOf(0), decimalOf(0, 7), 0},
		{doubleOf(nan), intOf(1), 1}, {doubleOf(nan), doubleOf(nan), 0}, {doubleOf(inf), doubleOf(nan), -1}, {intOf(1), doubleOf(nan), -1},
		{doubleOf(inf), intOf(math.MaxInt64), 1}, {doubleOf(-inf), intOf(math.MinInt64), -1}, {doubleOf(1e300), intOf(1), 1},
		{doubleOf(5e-324), intOf(0), 1}, {doubleOf(-5e-324), intOf(0), -1}, {floatOf(1e-45), intOf(0), 1},
		{intOf(1), decimalOf(15, 1), -1}, {intOf(2), decimalOf(15, 1), 1}, {intOf(-1), decimalOf(-15, 1), 1}, {intOf(-2), decimalOf(-15, 1), -1},
		{textOf("b"), textOf("a"), 1}, {textOf("1"), intOf(1), 1}, {intOf(1), textOf("1"), -1}, {textOf("a"), textOf("a"), 0},
		{vector.BoolScalar(true), vector.BoolScalar(false), 1}, {vector.BoolScalar(true), intOf(1), -1},
		{vector.Scalar{Type: vector.TimestampType(vector.Nanos, false), I64: -1}, vector.Scalar{Type: vector.TimestampType(vector.Micros, false), I64: -1}, 1},
		{vector.Scalar{Type: vector.TimestampType(vector.Micros, true), I64: 1}, vector.Scalar{Type: vector.TimestampType(vector.Nanos, true), I64: 1001}, -1},
		{vector.Scalar{Type: vector.TimestampType(vector.Micros, true), I64: 1}, vector.Scalar{Type: vector.TimestampType(vector.Nanos, true), I64: 1000}, 0},
		{vector.Scalar{Type: vector.TimestampType(vector.Micros, true), I64: 1}, vector.Scalar{Type: vector.TimestampType(vector.Micros, false), I64: 1}, 1},
		{vector.Scalar{Type: vector.Of(vector.Date), I64: 3}, vector.Scalar{Type: vector.Of(vector.Date), I64: 4}, -1},
	} {
		check(t, c.value, c.constant, c.want)
	}
}

// valueOf is what a number means in a comparison.
func valueOf(s vector.Scalar, as Numbers) *big.Rat {
	switch s.Type.Kind {
	case vector.Double, vector.Float:
		f, bits := s.F64, 64
		if s.Type.Kind == vector.Float {
			f, bits = float64(s.F32), 32
		}
		if as == AsDouble {
			return new(big.Rat).SetFloat64(f)
		}
		r, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'e', -1, bits))
		return r
	}
	r := new(big.Rat).SetFrac(s.I128.Big(), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(s.Type.Scale)), nil))
	if s.Type.Storage() == vector.StoreInt64 {
		r.SetFrac(big.NewInt(s.I64), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(s.Type.Scale)), nil))
	}
	if as == AsDouble {
		f, _ := r.Float64()
		r.SetFloat64(f)
	}
	return r
}

// near is a number at or beside x.
func near(r *rand.Rand, x *big.Rat) vector.Scalar {
	f, _ := x.Float64()
	for range r.IntN(3) {
		f = math.Nextafter(f, math.Inf(1-2*r.IntN(2)))
	}
	scale := r.IntN(20)
	scaled := new(big.Rat).Mul(x, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
	whole := new(big.Int).Quo(scaled.Num(), scaled.Denom())
	whole.Add(whole, big.NewInt(int64(r.IntN(3)-1)))
	switch r.IntN(5) {
	case 0:
		return doubleOf(f)
	case 1:
		return floatOf(float32(f))
	case 2:
		if whole.IsInt64() && len(whole.String()) < 18 {
			return decimalOf(whole.Int64(), scale)
		}
	case 3:
		if u, ok := vector.Int128FromBig(whole); ok && u.Cmp(maxDecimal) <= 0 && u.Cmp(maxDecimal.Neg()) >= 0 {
			return vector.Scalar{Type: vector.DecimalType(38, scale), I128: u}
		}
	}
	return intOf(int64(f))
}

// TestRandomNumbers compares numbers near each other with fractions.
func TestRandomNumbers(t *testing.T) {
	r := seeded(t)
	for range 20_000 {
		x := new(big.Rat).SetFloat64(math.Ldexp(r.Float64()-0.5, r.IntN(62)-6))
		if r.IntN(2) == 0 { // few digits, as people write them
			x.SetFrac64(int64(r.IntN(20000)-10000), []int64{1, 10, 100, 1000}[r.IntN(4)])
		}
		value, constant := near(r, x), near(r, x)
		as := NumbersOf(constant.Type)
		check(t, value, constant, valueOf(value, as).Cmp(valueOf(constant, as)))
		if t.Failed() {
			return
		}
	}
}

// TestNumbersOfKeys: as decimals, keys order floats and doubles as they are.
func TestNumbersOfKeys(t *testing.T) {
	r := seeded(t)
	for range 20_000 {
		f := math.Float64frombits(r.Uint64())
		g := f
		if r.IntN(2) == 0 {
			g = math.Nextafter(f, math.Inf(1))
		}
		if f != f || g != g {
			continue
		}
		v, w := encode(t, doubleOf(f)), encode(t, doubleOf(g))
		if got := bytes.Compare(AppendKeyAs(AsDecimal, nil, &v), AppendKeyAs(AsDecimal, nil, &w)); got != cmp.Compare(f, g) {
			t.Fatalf("%v and %v: %d", f, g, got)
		}
		v, w = encode(t, floatOf(float32(f))), encode(t, floatOf(float32(g)))
		if got := bytes.Compare(AppendKeyAs(AsDecimal, nil, &v), AppendKeyAs(AsDecimal, nil, &w)); got != cmp.Compare(float32(f), float32(g)) {
			t.Fatalf("%v and %v: %d", float32(f), float32(g), got)
		}
	}
}
