package vector

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// OrderedWidth is the number of bytes that PutOrdered writes for a value of type t, 0 for
// those that have no fixed width: strings and nested values.
func OrderedWidth(t Type) int {
	switch t.Storage() {
	case StoreBool:
		return 1
	case StoreFloat32:
		return 4
	case StoreInt64, StoreUint64, StoreFloat64:
		return 8
	case StoreInt128, StoreInterval:
		return 16
	}
	return 0
}

// OrderedPrefix is the first 8 bytes of row i, which is no NULL, as PutOrdered writes them, of a string
// its first 8 bytes: where two values differ in it, they are in its order. Nested values have 0.
func OrderedPrefix(v *Vector, i int) uint64 {
	var b [16]byte
	from, at := v.stored(), v.index(i)
	if v.Type.Storage() == StoreString {
		copy(b[:8], from.Str[at])
	} else {
		PutOrdered(b[:], from, at)
	}
	return binary.BigEndian.Uint64(b[:8])
}

// PrefixIsValue tells that values of type t are equal if their OrderedPrefix is.
func PrefixIsValue(t Type) bool {
	width := OrderedWidth(t)
	return width > 0 && width <= 8
}

const signBit = 1 << 63

// PutOrdered writes a value, at a place of the slice of v, as bytes that have the order of
// the values:
//
//	bool               1 byte
//	int64, uint64      8 bytes, big-endian, the sign bit of signed ones flipped
//	float32, float64   4 or 8 bytes: the bits, inverted for negative values, else
//	                   with the sign bit set; -0.0 as 0.0, NaN above all
//	Int128, interval   16 bytes as int64; intervals as microseconds
func PutOrdered(to []byte, v *Vector, at int) {
	switch v.Type.Storage() {
	case StoreBool:
		if to[0] = 0; v.Bool[at] {
			to[0] = 1
		}
	case StoreInt64:
		binary.BigEndian.PutUint64(to, uint64(v.I64[at])^signBit)
	case StoreUint64:
		binary.BigEndian.PutUint64(to, v.U64[at])
	case StoreFloat32:
		binary.BigEndian.PutUint32(to, orderedFloat32(v.F32[at]))
	case StoreFloat64:
		binary.BigEndian.PutUint64(to, orderedFloat64(v.F64[at]))
	case StoreInt128:
		putInt128(to, v.I128[at])
	case StoreInterval:
		putInt128(to, v.Interval[at].Normal())
	}
}

// OrderedWords is PutOrdered of BIGINT, DOUBLE and the other types with their storage, as numbers: those of the
// values at these places; negative ones are left out.
func OrderedWords(to []uint64, v *Vector, places []int32) {
	if v.Type.Storage() == StoreFloat64 {
		for i, at := range places {
			if at >= 0 {
				to[i] = orderedFloat64(v.F64[at])
			}
		}
		return
	}
	for i, at := range places {
		if at >= 0 {
			to[i] = uint64(v.I64[at]) ^ signBit
		}
	}
}

func putInt128(to []byte, v Int128) {
	binary.BigEndian.PutUint64(to, uint64(v.Hi)^signBit)
	binary.BigEndian.PutUint64(to[8:], v.Lo)
}

// OrderedFloat is OrderedPrefix of a double.
func OrderedFloat(f float64) uint64 { return orderedFloat64(f) }

// orderedFloat64 maps a double to an integer of the same order.
func orderedFloat64(f float64) uint64 {
	switch {
	case f != f:
		return math.MaxUint64
	case f == 0:
		return signBit
	}
	b := math.Float64bits(f)
	if b&signBit != 0 {
		return ^b
	}
	return b | signBit
}

func orderedFloat32(f float32) uint32 {
	switch {
	case f != f:
		return math.MaxUint32
	case f == 0:
		return 1 << 31
	}
	b := math.Float32bits(f)
	if b&(1<<31) != 0 {
		return ^b
	}
	return b | 1<<31
}

// The bytes before a value within a nested value, and at the end of a list.
const (
	orderedEnd   = 0
	orderedValue = 1
	orderedNull  = 2
)

// AppendOrdered appends row i of v, which may have any type but VARIANT, as bytes whose
// order is that of Compare, and which are equal exactly for equal values. The value
// delimits itself. NULL is above all values.
//
//	1 byte        1 for a value, 2 for NULL, which ends the value
//	string        its bytes with 00 FF for 00, then 00 00
//	LIST, MAP     the elements, or keys and values; then 0
//	STRUCT        the fields
//	INTEGER and shorter signed integers
//	              4 bytes, big-endian, the sign bit flipped
//	all others    as PutOrdered has them
func AppendOrdered(dst []byte, v *Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, orderedNull)
	}
	from, at := v.stored(), v.index(i)
	dst = append(dst, orderedValue)
	switch v.Type.Storage() {
	case StoreString:
		return appendOrderedString(dst, from.Str[at])
	case StoreNested:
		return appendOrderedChildren(dst, from, at)
	}
	if isShort(v.Type) {
		return binary.BigEndian.AppendUint32(dst, orderedShort(from.I64[at]))
	}
	n := len(dst)
	dst = append(dst, make([]byte, OrderedWidth(v.Type))...)
	PutOrdered(dst[n:], from, at)
	return dst
}

// isShort reports whether values of a type are integers of at most 32 bits.
func isShort(t Type) bool { return t.Kind == TinyInt || t.Kind == SmallInt || t.Kind == Integer }

func orderedShort(v int64) uint32 { return uint32(v) ^ 1<<31 }

func appendOrderedString(dst []byte, s string) []byte {
	for {
		zero := strings.IndexByte(s, 0)
		if zero < 0 {
			return append(append(dst, s...), 0, 0)
		}
		dst = append(append(dst, s[:zero]...), 0, 0xff)
		s = s[zero+1:]
	}
}

func appendOrderedChildren(dst []byte, v *Vector, at int) []byte {
	if !v.Type.HasElements() {
		for _, c := range v.Children {
			dst = AppendOrdered(dst, c, at)
		}
		return dst
	}
	from, to := v.Offsets[at], v.Offsets[at+1]
	if c := v.Children[0]; v.Type.Kind == List && c.Type.Storage() == StoreInt64 && c.Form == Flat && c.Valid == nil {
		dst = appendOrderedIntegers(dst, c.I64[from:to], isShort(c.Type))
		return append(dst, orderedEnd)
	}
	for e := from; e < to; e++ {
		for _, c := range v.Children {
			dst = AppendOrdered(dst, c, int(e))
		}
	}
	return append(dst, orderedEnd)
}

// appendOrderedIntegers is AppendOrdered of the values of a list.
func appendOrderedIntegers(dst []byte, values []int64, short bool) []byte {
	width := 1 + 8
	if short {
		width = 1 + 4
	}
	n := len(dst)
	dst = slices.Grow(dst, width*len(values)+1)[:n+width*len(values)]
	to := dst[n:]
	if short {
		for i, v := range values {
			b := to[5*i : 5*i+5]
			b[0] = orderedValue
			binary.BigEndian.PutUint32(b[1:], orderedShort(v))
		}
		return dst
	}
	for i, v := range values {
		b := to[9*i : 9*i+9]
		b[0] = orderedValue
		binary.BigEndian.PutUint64(b[1:], uint64(v)^signBit)
	}
	return dst
}
