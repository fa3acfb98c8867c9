package variant

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// load32 and load64 are little-endian integers at a position, which the caller has
// checked.
func load32(s raw, at int) uint32 { return loadUint(s, at, 4) }

func load64(s raw, at int) uint64 {
	return uint64(loadUint(s, at, 4)) | uint64(loadUint(s, at+4, 4))<<32
}

// text is the string of a String or Binary.
func (d raw) text() (string, error) {
	size, err := d.size()
	if err != nil {
		return "", err
	}
	if d.kind() == shortString {
		return string(d[1:size]), nil
	}
	return string(d[5:size]), nil
}

// Text is the bytes of a String, Binary or UUID that has passed Check; "" for other
// values.
func (v *Value) Text() string {
	switch v.Kind() {
	case String, Binary:
		s, _ := v.data.text()
		return s
	case UUID:
		return string(v.data[1:])
	}
	return ""
}

// Int is the value of an integer, date, time or timestamp that has passed Check, 0 for
// other values.
func (v *Value) Int() int64 {
	switch k := v.Kind(); k {
	case Int8, Int16, Int32, Int64, Date, Timestamp, TimestampNTZ, TimeNTZ, TimestampNanos, TimestampNTZNanos:
		return v.data.int64(k)
	}
	return 0
}

// Float is the value of a Double or Float that has passed Check, 0 for other values.
func (v *Value) Float() float64 {
	switch v.Kind() {
	case Double:
		return v.data.double()
	case Float:
		return float64(math.Float32frombits(load32(v.data, 1)))
	}
	return 0
}

// Decimal is the unscaled value and the scale of a decimal.
func (v *Value) Decimal() (unscaled vector.Int128, scale int, err error) {
	switch v.Kind() {
	case Decimal4, Decimal8, Decimal16:
		return v.data.decimal()
	}
	return vector.Int128{}, 0, nil
}

// int64 is the value of an integer, date, time or timestamp, whose size has been
// checked.
func (d raw) int64(k Kind) int64 {
	switch k {
	case Int8:
		return int64(int8(d[1]))
	case Int16:
		return int64(int16(loadUint(d, 1, 2)))
	case Int32, Date:
		return int64(int32(load32(d, 1)))
	}
	return int64(load64(d, 1))
}

// double is the value of a Double, whose size has been checked.
func (d raw) double() float64 { return math.Float64frombits(load64(d, 1)) }

// maxUnscaled is 10^38-1, the largest unscaled value of 38 digits.
var maxUnscaled = vector.Int128{Hi: 0x4b3b4ca85a86c47a, Lo: 0x098a223fffffffff}

// decimal is the unscaled value and the scale of a decimal.
func (d raw) decimal() (unscaled vector.Int128, scale int, err error) {
	size, err := d.size()
	if err != nil {
		return unscaled, 0, err
	}
	scale = int(d[1])
	if scale > maxScale {
		return unscaled, 0, fmt.Errorf("a decimal of a Variant has the scale %d, where at most %d are allowed", scale, maxScale)
	}
	switch size {
	case 6:
		return vector.Int128From(int64(int32(load32(d, 2)))), scale, nil
	case 10:
		return vector.Int128From(int64(load64(d, 2))), scale, nil
	}
	unscaled = vector.Int128{Lo: load64(d, 2), Hi: int64(load64(d, 10))}
	if unscaled.Cmp(maxUnscaled) > 0 || unscaled.Cmp(maxUnscaled.Neg()) < 0 {
		return unscaled, 0, fmt.Errorf("a decimal of a Variant has more than %d digits", maxScale)
	}
	return unscaled, scale, nil
}

// naturals are the SQL types of the primitive types but decimals.
var naturals = [...]vector.Type{
	Null: vector.Of(vector.Null), True: vector.Of(vector.Boolean), False: vector.Of(vector.Boolean),
	Int8: vector.Of(vector.TinyInt), Int16: vector.Of(vector.SmallInt), Int32: vector.Of(vector.Integer), Int64: vector.Of(vector.BigInt),
	Double: vector.Of(vector.Double), Decimal4: {}, Decimal8: {}, Decimal16: {}, Date: vector.Of(vector.Date),
	Timestamp: vector.TimestampType(vector.Micros, true), TimestampNTZ: vector.TimestampType(vector.Micros, false),
	Float: vector.Of(vector.Float), Binary: vector.Of(vector.Blob), String: vector.Of(vector.Varchar), TimeNTZ: vector.TimeType(vector.Micros),
	TimestampNanos: vector.TimestampType(vector.Nanos, true), TimestampNTZNanos: vector.TimestampType(vector.Nanos, false),
	UUID: vector.Of(vector.UUID), shortString: vector.Of(vector.Varchar),
}

// Scalar is v as a value of its natural SQL type: the type of the column that a
// Parquet file would have for it (VariantEncoding.md, "Equivalent Parquet Type").
// Decimals are DECIMAL(18, s), or DECIMAL(38, s) where they are wider or the scale
// is. The Variant null is NULL. It is false for objects and arrays.
func (v *Value) Scalar() (vector.Scalar, bool, error) { return v.data.scalar() }

func (d raw) scalar() (vector.Scalar, bool, error) {
	k := d.kind()
	if k == Object || k == Array {
		return vector.Scalar{}, false, nil
	}
	if _, err := d.size(); err != nil {
		return vector.Scalar{}, false, err
	}
	s := vector.Scalar{Type: naturals[k]}
	switch k {
	case Null:
		s.Null = true
	case True:
		s.Bool = true
	case Int8, Int16, Int32, Int64, Date, Timestamp, TimestampNTZ, TimeNTZ, TimestampNanos, TimestampNTZNanos:
		s.I64 = d.int64(k)
	case Double:
		s.F64 = d.double()
	case Float:
		s.F32 = math.Float32frombits(load32(d, 1))
	case Decimal4, Decimal8, Decimal16:
		unscaled, scale, err := d.decimal()
		if err != nil {
			return vector.Scalar{}, false, err
		}
		s = decimalScalar(unscaled, scale, k == Decimal16)
	case UUID:
		s.Str = string(d[1:17])
	case Binary, String, shortString:
		s.Str, _ = d.text()
	}
	return s, true, nil
}

// narrowDigits are the digits of a DECIMAL in 64 bits.
const narrowDigits = 18

func decimalScalar(unscaled vector.Int128, scale int, wide bool) vector.Scalar {
	if wide || scale > narrowDigits || unscaled.Cmp(vector.Int128From(maxNarrow)) > 0 || unscaled.Cmp(vector.Int128From(-maxNarrow)) < 0 {
		return vector.Scalar{Type: vector.DecimalType(maxScale, scale), I128: unscaled}
	}
	return vector.Scalar{Type: vector.DecimalType(narrowDigits, scale), I64: unscaled.Int64()}
}

// maxNarrow is the largest unscaled value of 18 digits. A decimal8 may be greater.
const maxNarrow = 999_999_999_999_999_999
