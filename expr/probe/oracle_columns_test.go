package probe

import (
	"math"
	"math/big"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// oracleColumn is a column type and the values to test it with: few, so that equal
// values are frequent, and at every edge that a rule must handle.
type oracleColumn struct {
	t      vector.Type
	values []vector.Scalar
}

func ints(t vector.Type, values ...int64) oracleColumn {
	c := oracleColumn{t: t}
	for _, v := range values {
		c.values = append(c.values, vector.Scalar{Type: t, I64: v, I128: vector.Int128From(v)})
	}
	return c
}

func instant(s string) int64 {
	t, err := time.Parse("2006-01-02 15:04:05", s)
	if err != nil {
		panic(err)
	}
	return t.UnixMicro()
}

func oracleColumns() []oracleColumn {
	double := oracleColumn{t: vector.Of(vector.Double)}
	for _, v := range []float64{math.Inf(-1), -1.5, math.Copysign(0, -1), 0, 0.5, 2, math.Inf(1), math.NaN()} {
		double.values = append(double.values, vector.FloatScalar(v))
	}
	float := oracleColumn{t: vector.Of(vector.Float)}
	for _, v := range []float32{-1.5, 0, 0.1, 16777216, float32(math.NaN())} {
		float.values = append(float.values, vector.Scalar{Type: float.t, F32: v})
	}
	text := oracleColumn{t: vector.Of(vector.Varchar)}
	for _, v := range []string{"", "a", "ab", "abc", "b", "a\xff", "a\xff\xff", "\xff", "ä", "%", "a%", "A"} {
		text.values = append(text.values, vector.StringScalar(v))
	}
	boolean := oracleColumn{t: vector.Of(vector.Boolean), values: []vector.Scalar{vector.BoolScalar(false), vector.BoolScalar(true)}}
	unsigned := oracleColumn{t: vector.Of(vector.UBigInt)}
	for _, v := range []uint64{0, 1, 7, math.MaxInt64, math.MaxUint64} {
		unsigned.values = append(unsigned.values, vector.Scalar{Type: unsigned.t, U64: v})
	}
	stamps := []int64{
		instant("2024-01-29 23:59:59"), instant("2024-01-30 10:00:00"), instant("2024-01-31 09:00:00"), instant("2024-02-01 00:00:00"),
		instant("2024-02-29 12:00:00"), instant("1969-12-31 23:59:59"), instant("2023-12-31 00:00:00"), math.MaxInt64 - 5, math.MinInt64 + 5,
	}
	return []oracleColumn{
		ints(vector.Of(vector.BigInt), 0, 1, 2, 5, -3, math.MaxInt64, math.MinInt64, 1<<53+1),
		ints(vector.Of(vector.Integer), 0, 1, 2, 5, -3, math.MaxInt32, math.MinInt32),
		ints(vector.DecimalType(4, 1), 0, 5, 10, 15, 24, 25, -5, -15, 9999),
		ints(vector.DecimalType(20, 2), 0, 50, 100, 149, 150, -150),
		ints(vector.Of(vector.Date), 0, -1, 19752, 19753, 19782, 19783, 19784),
		ints(vector.TimestampType(vector.Micros, false), stamps...),
		double, float, text, boolean, unsigned,
		ints(vector.TimestampType(vector.Millis, true), stamps[0]/1000, stamps[1]/1000, stamps[5]/1000, 0, math.MaxInt64, math.MinInt64, 1<<53),
		ints(vector.TimestampType(vector.Nanos, false), stamps[0]*1000, stamps[1]*1000, stamps[3]*1000, -1, 0, 1, math.MaxInt64, math.MinInt64),
		wideStamps(stamps[:7]),
		ints(vector.TimeType(vector.Micros), 0, 1, 3600e6, 86400e6-1, 86400e6),
		ints(vector.Of(vector.TinyInt), 0, 1, -3, 127, -128), ints(vector.Of(vector.SmallInt), 0, 5, -3, math.MaxInt16, math.MinInt16),
		ints(vector.Of(vector.UTinyInt), 0, 1, 5, 255), ints(vector.Of(vector.UInteger), 0, 2, 5, math.MaxInt32, math.MaxUint32),
		ints(vector.DecimalType(9, 0), 0, 1, 2, -3, 999999999), ints(vector.DecimalType(18, 18), 0, 1, -1, 5e17, 1e18-1),
		decimals(60, 2, "0", "150", "-150", "1e59", "-1e59", "12345678901234567890123456789012345678901234567890"),
		decimals(38, 0, "0", "1", "5", "-3", "99999999999999999999999999999999999999"),
		half(), intervals(),
		bytesOf(vector.Blob, "", "\x00", "a", "ab", "\xff", "a\xff"), bytesOf(vector.Enum, "", "a", "ab", "b", "A"), bytesOf(vector.JSON, "1", "{}", `"a"`, "a"),
		bytesOf(vector.UUID, "0123456789abcdef", "\xff123456789abcdef", "0123456789abcdeg"),
	}
}

func bytesOf(k vector.Kind, values ...string) oracleColumn {
	c := oracleColumn{t: vector.Of(k)}
	for _, v := range values {
		c.values = append(c.values, vector.Scalar{Type: c.t, Str: v})
	}
	return c
}

func decimals(precision, scale int, unscaled ...string) oracleColumn {
	c := oracleColumn{t: vector.DecimalType(precision, scale)}
	for _, v := range unscaled {
		r, ok := new(big.Rat).SetString(v)
		if !ok {
			panic(v)
		}
		s := vector.Scalar{Type: c.t, Str: vector.EncodeBigDecimal(r.Num())}
		s.I128, _ = vector.Int128FromBig(r.Num())
		c.values = append(c.values, s)
	}
	return c
}

func wideStamps(micros []int64) oracleColumn {
	c := oracleColumn{t: vector.TimestampType(vector.Wide, false)}
	for _, v := range append(micros, math.MaxInt64, math.MinInt64, 1<<40) {
		c.values = append(c.values, vector.Scalar{Type: c.t, I128: vector.MulInt64(v, 1000)})
	}
	return c
}

func half() oracleColumn {
	c := oracleColumn{t: vector.Of(vector.Half)}
	for _, v := range []float32{0, float32(math.Copysign(0, -1)), 1.5, -1.5, 65504, float32(math.Inf(-1)), float32(math.NaN())} {
		c.values = append(c.values, vector.Scalar{Type: c.t, F32: v})
	}
	return c
}

func intervals() oracleColumn {
	c := oracleColumn{t: vector.Of(vector.Interval)}
	for _, v := range []vector.IntervalValue{{}, {Months: 1}, {Days: 30}, {Days: 29, Micros: 24 * 3600e6}, {Months: -1}, {Days: 1}, {Micros: 1}, {Months: 12}} {
		c.values = append(c.values, vector.Scalar{Type: c.t, Interval: v})
	}
	return c
}
