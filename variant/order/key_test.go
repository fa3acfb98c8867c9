package order

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// built is a Variant without names.
func built(t testing.TB, f func(b *variant.Builder)) variant.Value {
	t.Helper()
	var b variant.Builder
	b.Reset(nil)
	f(&b)
	metadata, value, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, metadata, string(value))
}

func decimal(unscaled int64, scale int) func(*variant.Builder) {
	return func(b *variant.Builder) { b.Decimal(vector.Int128From(unscaled), scale) }
}

// TestOrder has Variants in their order, by equivalence class (VariantEncoding.md,
// "Encoding types"): those of one line are equal.
func TestOrder(t *testing.T) {
	text := func(s string) func(*variant.Builder) { return func(b *variant.Builder) { b.String(s) } }
	double := func(f float64) func(*variant.Builder) { return func(b *variant.Builder) { b.Double(f) } }
	float := func(f float32) func(*variant.Builder) { return func(b *variant.Builder) { b.Float(f) } }
	integer := func(i int64) func(*variant.Builder) { return func(b *variant.Builder) { b.Int(i) } }
	long := func(k variant.Kind, i int64) func(*variant.Builder) { return func(b *variant.Builder) { b.Long(k, i) } }
	array := func(elements ...func(*variant.Builder)) func(*variant.Builder) {
		return func(b *variant.Builder) {
			b.BeginArray()
			for _, e := range elements {
				e(b)
			}
			b.End()
		}
	}
	object := func(name string, e func(*variant.Builder)) func(*variant.Builder) {
		return func(b *variant.Builder) {
			b.BeginObject()
			b.Name(name)
			e(b)
			b.End()
		}
	}
	null := func(b *variant.Builder) { b.Null() }
	lines := [][]func(*variant.Builder){
		{func(b *variant.Builder) { b.Bool(false) }},
		{func(b *variant.Builder) { b.Bool(true) }},
		{float(float32(math.Inf(-1)))}, {double(math.Inf(-1))},
		{double(-1e300)},
		{decimal(-12345, 2)},
		{integer(-2), decimal(-200, 2)}, {double(-2)},
		{integer(0), decimal(0, 5)}, {float(0), float(float32(math.Copysign(0, -1)))}, {double(0), double(math.Copysign(0, -1))},
		{decimal(1, 38)},
		{double(0.1)}, // is above 1/10
		{float(0.1)},  // is above the double
		{integer(1), decimal(100, 2), long(variant.Int64, 1), func(b *variant.Builder) {
			b.Vector(vector.NewConstant(vector.Scalar{Type: vector.DecimalType(38, 2), I128: vector.Int128From(100)}, 1), 0)
		}},
		{float(1)}, {double(1)},
		{decimal(101, 2)},
		{integer(exactDouble)}, {double(exactDouble)}, {integer(exactDouble + 1)}, {integer(exactDouble + 2)},
		{integer(math.MaxInt64)}, {double(math.MaxInt64)},
		{double(1e38)}, {func(b *variant.Builder) { b.Decimal(maxDecimal, 0) }}, // the double is 2251190176543965970431 less
		{float(float32(math.Inf(1)))}, {double(math.Inf(1))},
		{float(float32(math.NaN()))}, {double(math.NaN()), double(math.Float64frombits(0xfff8000000000001))},
		{func(b *variant.Builder) { b.Date(-1) }}, {func(b *variant.Builder) { b.Date(20000) }},
		{long(variant.TimeNTZ, 5)},
		{long(variant.TimestampNTZ, -1), long(variant.TimestampNTZNanos, -1000)}, {long(variant.TimestampNTZNanos, -999)}, {long(variant.TimestampNTZ, 0)}, {long(variant.TimestampNTZNanos, 1)},
		{long(variant.Timestamp, math.MinInt64)}, {long(variant.Timestamp, 7), long(variant.TimestampNanos, 7000)}, {long(variant.Timestamp, 8)},
		{text("")}, {text("\x00")}, {text("\x00\x00")}, {text("a")}, {text("a\x00")}, {text("a\x01")}, {text("ab")},
		{text("b"), longB},
		{func(b *variant.Builder) { b.Binary("") }}, {func(b *variant.Builder) { b.Binary("a") }},
		{func(b *variant.Builder) { b.UUID("0123456789abcdef") }},
		{array()}, {array(text("a"))}, {array(text("a"), text("a"))}, {array(text("b"))}, {array(array())}, {array(null)},
		{object("a", integer(1)), object("a", decimal(10, 1))}, {object("a", integer(2))}, {object("a", null)}, {object("b", integer(1))},
		{null},
	}
	for i, line := range lines {
		for j, other := range lines {
			for _, f := range line {
				for _, g := range other {
					a, b := built(t, f), built(t, g)
					if got := Compare(&a, &b); sign(got) != sign(i-j) || Equal(&a, &b) != (i == j) {
						t.Errorf("%s (line %d) and %s (line %d): %d", a.AppendJSON(nil), i, b.AppendJSON(nil), j, got)
					}
				}
			}
		}
	}
}

func sign(x int) int { return min(1, max(-1, x)) }

// TestNumberOrder compares the order of random numbers near each other with that of
// fractions.
func TestNumberOrder(t *testing.T) {
	r := seeded(t)
	type number struct {
		v     variant.Value
		exact *big.Rat
		class int
	}
	var numbers []number
	for range 100 {
		f := math.Ldexp(r.Float64()-0.5, r.IntN(90)-30)
		numbers = append(numbers, number{built(t, func(b *variant.Builder) { b.Double(f) }), new(big.Rat).SetFloat64(f), 2})
		small := float32(f)
		numbers = append(numbers, number{built(t, func(b *variant.Builder) { b.Float(small) }), new(big.Rat).SetFloat64(float64(small)), 1})
		scale := r.IntN(39)
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
		near := new(big.Int).Quo(new(big.Int).Mul(new(big.Rat).SetFloat64(f).Num(), ten), new(big.Rat).SetFloat64(f).Denom())
		near.Add(near, big.NewInt(int64(r.IntN(3)-1)))
		if u, ok := vector.Int128FromBig(near); ok && u.Cmp(maxDecimal) <= 0 && u.Cmp(maxDecimal.Neg()) >= 0 {
			numbers = append(numbers, number{built(t, func(b *variant.Builder) { b.Decimal(u, scale) }), new(big.Rat).SetFrac(near, ten), 0})
		}
	}
	for i := range numbers {
		for j := range numbers {
			a, b := &numbers[i], &numbers[j]
			want := a.exact.Cmp(b.exact)
			if want == 0 {
				want = a.class - b.class
			}
			if got := Compare(&a.v, &b.v); sign(got) != sign(want) {
				t.Fatalf("%s and %s: %d, want %d", a.v.AppendJSON(nil), b.v.AppendJSON(nil), got, want)
			}
		}
	}
}

// TestKeyEncodings: keys do not depend on the dictionary and the order of values.
func TestKeyEncodings(t *testing.T) {
	r := seeded(t)
	for range 200 {
		seed := r.Uint64()
		random := func(b *variant.Builder) { randomValue(rand.New(rand.NewPCG(seed, 0)), b, 0) }
		var b variant.Builder
		b.Reset(nil)
		random(&b)
		if _, _, err := b.Finish(); err != nil {
			continue
		}
		names := built(t, func(b *variant.Builder) {
			b.BeginObject()
			b.Name("z")
			b.Null()
			b.Name("a")
			b.Null()
			b.End()
		})
		metadata, _ := names.Bytes()
		base, err := variant.ParseMetadata(metadata)
		if err != nil {
			t.Fatal(err)
		}
		b.Reset(&base)
		random(&b)
		metadata, value, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		v, other := built(t, random), parsed(t, metadata, string(value))
		if !bytes.Equal(AppendKey(nil, &v), AppendKey(nil, &other)) || !Equal(&v, &other) {
			t.Fatalf("%s has two keys", v.AppendJSON(nil))
		}
	}
}

func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// longB is "b" as a long string, which no builder makes.
func longB(b *variant.Builder) {
	v, _ := variant.Parse("\x01\x00\x00", "\x40\x01\x00\x00\x00b")
	b.Value(&v)
}
