package nested

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/vector"
)

// This file turns single stored values into SQL values.

var (
	errDecimal = errors.New("a value has more digits than the type")
	errLong    = fmt.Errorf("a DECIMAL of more than %d bytes, the most that can be read", vector.MaxDecimalBytes)
)

const (
	julianEpoch = 2440588 // the Julian day of 1970-01-01
	nanosPerDay = 86400 * 1_000_000_000
)

// int96Nanos is an INT96 timestamp as nanoseconds since 1970: 8 bytes of
// nanoseconds of the day, then 4 bytes of Julian day, little-endian. Some writers
// store more nanoseconds than a day has; they count too.
func int96Nanos(v column.Int96) vector.Int128 {
	nanos := int64(binary.LittleEndian.Uint64(v[:8]))
	day := int64(int32(binary.LittleEndian.Uint32(v[8:])))
	return vector.MulInt64(day-julianEpoch, nanosPerDay).Add(vector.Int128From(nanos))
}

// halfToFloat widens an IEEE 754 binary16, exactly.
func halfToFloat(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero or subnormal: a multiple of 2^-24
		f := float32(fraction) * (1.0 / (1 << 24))
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f: // infinity or NaN
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// floatToHalf is the reverse; it is false if f is no binary16 value. NaN has many
// encodings, so it has no reverse.
func floatToHalf(f float32) (uint16, bool) {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	exponent, fraction := int(b>>23&0xff)-127, b&0x7fffff
	var h uint16
	switch {
	case f == 0:
		h = sign
	case exponent > 15:
		h = sign | 0x7c00
	case exponent >= -14:
		h = sign | uint16(exponent+15)<<10 | uint16(fraction>>13)
	case exponent >= -24:
		h = sign | uint16((fraction|0x800000)>>uint(-exponent-1)) // 23 fraction bits to units of 2^-24
	}
	return h, halfToFloat(h) == f
}

// intervalOf reads 12 bytes of little-endian months, days and milliseconds.
func intervalOf(s string) vector.IntervalValue {
	u32 := func(i int) int64 {
		return int64(uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24)
	}
	return vector.IntervalValue{Months: u32(0), Days: u32(4), Micros: u32(8) * 1000}
}

// word reads up to eight bytes of big-endian two's complement.
func word(s string) int64 {
	if len(s) == 8 {
		return int64(uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 |
			uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56)
	}
	if s == "" {
		return 0
	}
	v := int64(int8(s[0]))
	for i := 1; i < len(s); i++ {
		v = v<<8 | int64(s[i])
	}
	return v
}

// extends reports whether s only extends the sign of the bytes that follow it.
func extends(s string, sign int64) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != byte(sign) {
			return false
		}
	}
	return true
}

// twos64 reads big-endian two's complement of any length; it is false if the
// number does not fit. An empty string is 0.
func twos64(s string) (int64, bool) {
	if len(s) <= 8 {
		return word(s), true
	}
	split := len(s) - 8
	v := word(s[split:])
	return v, extends(s[:split], v>>63)
}

// twos128 is twos64 for 128 bits.
func twos128(s string) (vector.Int128, bool) {
	if len(s) <= 8 {
		return vector.Int128From(word(s)), true
	}
	split := max(0, len(s)-16)
	low := len(s) - 8
	v := vector.Int128{Hi: word(s[split:low]), Lo: uint64(word(s[low:]))}
	return v, extends(s[:split], v.Hi>>63)
}

// mayExceed reports whether a leaf can have values of more digits than its type DECIMAL(p, s) has.
// Arithmetic, casts and what is known of ranges rely on the p digits, so that such a value is an
// error where it is read. Nothing relies on a precision above 38, and only memory limits those.
func mayExceed(n *fileformat.Node, t vector.Type) bool {
	if t.Kind != vector.Decimal || t.Storage() == vector.StoreString {
		return false
	}
	switch n.Physical {
	case fileformat.Int32:
		return t.Precision < 10 // the digits of 1<<31
	case fileformat.Int64:
		return t.Precision < 19 // the digits of 1<<63
	}
	return true
}

// exceeds64 reports whether a value has more than this many digits, at most 18. It has no branch
// per value: a difference is below 0 if the value is beyond the limit on that side.
func exceeds64(v []int64, digits int) bool {
	most := int64(1)
	for range digits {
		most *= 10
	}
	most--
	bad := int64(0)
	for _, x := range v {
		bad |= (most - x) | (most + x)
	}
	return bad < 0
}

// exceeds128 is exceeds64 for at most 38 digits.
func exceeds128(v []vector.Int128, digits int) bool {
	most := vector.Int128From(1)
	for range digits {
		most = most.Mul64(10)
	}
	least := most.Neg()
	for _, x := range v {
		if !x.Less(most) || !least.Less(x) {
			return true
		}
	}
	return false
}

// tooLong is the error of a value that exceeds its type.
func (c *converter) tooLong() error { return fmt.Errorf("%v: %w", c.typ, errDecimal) }

// decimals converts BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY values.
func (c *converter) decimals(v []string, valid vector.Validity, rows int, out *vector.Vector) error {
	switch c.typ.Storage() {
	case vector.StoreInt64:
		dense, all := own(&c.own.I64, len(v), rows), true
		for i, s := range v {
			x, ok := twos64(s)
			dense[i] = x
			all = all && ok
		}
		if !all || exceeds64(dense, c.typ.Precision) {
			return c.tooLong()
		}
		out.I64 = spread(&c.own.I64, dense, valid, rows)
	case vector.StoreInt128:
		dense, all := own(&c.own.I128, len(v), rows), true
		for i, s := range v {
			x, ok := twos128(s)
			dense[i] = x
			all = all && ok
		}
		if !all || exceeds128(dense, c.typ.Precision) {
			return c.tooLong()
		}
		out.I128 = spread(&c.own.I128, dense, valid, rows)
	default:
		for _, s := range v {
			if len(s) > vector.MaxDecimalBytes && !shortDecimal(s) {
				return errLong
			}
		}
		out.Str = spread(&c.own.Str, c.bigDecimals(len(v), rows, func(dst []byte, i int) []byte {
			return vector.AppendBigDecimalBytes(dst, v[i])
		}), valid, rows)
	}
	return nil
}

// shortDecimal reports whether all but the last MaxDecimalBytes of a long number only extend its sign.
func shortDecimal(s string) bool {
	split := len(s) - vector.MaxDecimalBytes
	return extends(s[:split], int64(int8(s[split]))>>7)
}

// bigFromInts converts integers whose declared precision is above 38.
func (c *converter) bigFromInts(n, rows int, at func(int) int64) []string {
	return c.bigDecimals(n, rows, func(dst []byte, i int) []byte {
		var twos [8]byte
		binary.BigEndian.PutUint64(twos[:], uint64(at(i)))
		return vector.AppendBigDecimalBytes(dst, string(twos[:]))
	})
}

// bigDecimals writes n big decimals into one string and cuts it. The string is
// new for each batch, since strings outlive their batch.
func (c *converter) bigDecimals(n, rows int, add func(dst []byte, i int) []byte) []string {
	ends := make([]int, n)
	c.arena = c.arena[:0]
	for i := range ends {
		c.arena = add(c.arena, i)
		ends[i] = len(c.arena)
	}
	dense, text, start := own(&c.own.Str, n, rows), string(c.arena), 0
	for i, end := range ends {
		dense[i], start = text[start:end], end
	}
	return dense
}
