package variant

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// encodedCase is a value of a SQL type, and its Variant: the kind and the JSON text by
// the contract, section 3; "" where the cast fails.
type encodedCase struct {
	s    vector.Scalar
	kind Kind
	text string
}

func scalarOf(t vector.Type, set func(s *vector.Scalar)) vector.Scalar {
	s := vector.Scalar{Type: t}
	set(&s)
	return s
}

func i64(t vector.Type, v int64) vector.Scalar {
	return scalarOf(t, func(s *vector.Scalar) { s.I64 = v })
}

func str(t vector.Type, v string) vector.Scalar {
	return scalarOf(t, func(s *vector.Scalar) { s.Str = v })
}

func i128(t vector.Type, v vector.Int128) vector.Scalar {
	return scalarOf(t, func(s *vector.Scalar) { s.I128 = v })
}

var encodedCases = []encodedCase{
	{vector.BoolScalar(true), True, "true"}, {vector.BoolScalar(false), False, "false"},
	{i64(vector.Of(vector.TinyInt), -128), Int8, "-128"}, {i64(vector.Of(vector.UTinyInt), 255), Int16, "255"},
	{i64(vector.Of(vector.SmallInt), -5), Int16, "-5"}, {i64(vector.Of(vector.USmallInt), 65535), Int32, "65535"},
	{i64(vector.Of(vector.Integer), math.MinInt32), Int32, "-2147483648"}, {i64(vector.Of(vector.UInteger), math.MaxUint32), Int64, "4294967295"},
	{vector.IntScalar(math.MinInt64), Int64, "-9223372036854775808"},
	{scalarOf(vector.Of(vector.UBigInt), func(s *vector.Scalar) { s.U64 = 7 }), Int64, "7"},
	{scalarOf(vector.Of(vector.UBigInt), func(s *vector.Scalar) { s.U64 = math.MaxUint64 }), Decimal16, "18446744073709551615"},
	{scalarOf(vector.Of(vector.Half), func(s *vector.Scalar) { s.F32 = 0.5 }), Float, "0.5"},
	{scalarOf(vector.Of(vector.Float), func(s *vector.Scalar) { s.F32 = 0.1 }), Float, "0.1"},
	{vector.FloatScalar(math.NaN()), Double, `"NaN"`}, {vector.FloatScalar(1e300), Double, "1e+300"},
	{i64(vector.DecimalType(5, 2), -5), Decimal4, "-0.05"}, {i64(vector.DecimalType(18, 0), 999_999_999_999_999_999), Decimal8, "999999999999999999"},
	{i128(vector.DecimalType(38, 38), vector.Int128From(1)), Decimal4, "0." + strings.Repeat("0", 37) + "1"},
	{i128(vector.DecimalType(38, 1), maxUnscaled.Neg()), Decimal16, "-" + strings.Repeat("9", 37) + ".9"},
	{str(vector.DecimalType(50, 2), vector.EncodeBigDecimal(big.NewInt(1))), 0, ""},
	{i64(vector.Of(vector.Date), -1), Date, `"1969-12-31"`}, {i64(vector.Of(vector.Date), 1<<40), 0, ""},
	{i64(vector.TimeType(vector.Millis), 1001), TimeNTZ, `"00:00:01.001000"`}, {i64(vector.TimeType(vector.Micros), 1), TimeNTZ, `"00:00:00.000001"`},
	{i64(vector.TimeType(vector.Nanos), 5000), TimeNTZ, `"00:00:00.000005"`}, {i64(vector.TimeType(vector.Nanos), 1), 0, ""},
	{i64(vector.TimestampType(vector.Millis, false), 1), TimestampNTZ, `"1970-01-01T00:00:00.001"`}, {i64(vector.TimestampType(vector.Millis, true), math.MaxInt64), 0, ""},
	{i64(vector.TimestampType(vector.Micros, true), -1), Timestamp, `"1969-12-31T23:59:59.999999Z"`},
	{i64(vector.TimestampType(vector.Nanos, false), 1), TimestampNTZNanos, `"1970-01-01T00:00:00.000000001"`},
	{i64(vector.TimestampType(vector.Nanos, true), 0), TimestampNanos, `"1970-01-01T00:00:00Z"`},
	{i128(vector.TimestampType(vector.Wide, false), vector.Int128From(2000)), TimestampNTZNanos, `"1970-01-01T00:00:00.000002"`},
	{i128(vector.TimestampType(vector.Wide, false), vector.MulInt64(math.MaxInt64, 1000)), TimestampNTZ, `"294247-01-10T04:00:54.775807"`},
	{i128(vector.TimestampType(vector.Wide, false), vector.MulInt64(math.MaxInt64, 999)), 0, ""},
	{scalarOf(vector.Of(vector.Interval), func(s *vector.Scalar) { s.Interval.Months = 14 }), String, `"P1Y2M"`},
	{vector.StringScalar("a\"ä"), String, `"a\"ä"`}, {str(vector.Of(vector.Enum), strings.Repeat("x", 64)), String, `"` + strings.Repeat("x", 64) + `"`},
	{vector.StringScalar("\xff"), 0, ""}, {str(vector.Of(vector.JSON), ` {"b": [1.50], "a": 1, "b": null}`), Object, `{"a":1,"b":null}`},
	{str(vector.Of(vector.JSON), "{"), 0, ""}, {str(vector.Of(vector.Blob), "\xff\x00"), Binary, `"/wA="`}, {str(vector.Of(vector.Geometry), "\x01"), Binary, `"AQ=="`},
	{str(vector.Of(vector.UUID), "0123456789abcdef"), UUID, `"30313233-3435-3637-3839-616263646566"`},
	{str(vector.Of(vector.BSON), ""), 0, ""},
}

// TestEncode casts values of all types to VARIANT.
func TestEncode(t *testing.T) {
	var w Writer
	for _, c := range encodedCases {
		for _, src := range []*vector.Vector{vector.NewConstant(c.s, 3), flat(c.s, 3)} {
			var out vector.Vector
			err := w.Encode(src, []int32{1}, src.Len, &out)
			if err != nil || c.text == "" {
				if c.text != "" || err == nil {
					t.Errorf("%s: %v, want %s", c.s.Type, err, c.text)
				}
				continue
			}
			v, ok := Get(&out, 1)
			if !ok || v.Check() != nil || v.Kind() != c.kind || string(v.AppendJSON(nil)) != c.text || !out.IsNull(0) || !out.IsNull(2) || out.Len != 3 {
				t.Errorf("%s: %s of type %s, want %s", c.s.Type, v.AppendJSON(nil), v.Kind().TypeName(), c.text)
			}
		}
	}
}

func flat(s vector.Scalar, n int) *vector.Vector {
	v := vector.New(s.Type, n)
	for i := range n {
		v.Set(i, s)
	}
	return v
}

// TestBuilderErrors: what a Variant cannot have is an error of Finish.
func TestBuilderErrors(t *testing.T) {
	for name, f := range map[string]func(b *Builder){
		"field twice": func(b *Builder) {
			b.BeginObject()
			for range 2 {
				b.Name("a")
				b.Null()
			}
			b.End()
		},
		"depth": func(b *Builder) {
			for range MaxDepth + 1 {
				b.BeginArray()
			}
			for range MaxDepth + 1 {
				b.End()
			}
		},
		"scale": func(b *Builder) { b.Decimal(vector.Int128From(1), 39) },
	} {
		var b Builder
		b.Reset(nil)
		f(&b)
		if _, _, err := b.Finish(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
