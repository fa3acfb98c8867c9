package hashtable

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// appendCanonical appends row i of v as bytes that are the same for two values of
// a type exactly if the values are equal: NULL equals NULL also within a value,
// NaN equals NaN, -0.0 equals 0.0, intervals are equal if they compare so, and two
// MAPs are equal if they have the same entries in the same order, as in DuckDB. Of
// the entries of a MAP that have the same key only the last counts. The encoding is
//
//	1 byte     0 for NULL, which ends the value, else 1
//	bool       1 byte
//	int64, uint64, float64 8 bytes, float32 4, Int128 and interval 16
//	string     uvarint length, bytes
//	LIST       uvarint length; of one with elements 1 byte, 1 if none is NULL; the elements, then without their first byte
//	MAP        uvarint number of entries, each a key and, if the type has any, a value
//	STRUCT, VARIANT the children
//
// Given the type, each value delimits itself.
func appendCanonical(dst []byte, v *vector.Vector, row int) []byte {
	if v.IsNull(row) {
		return append(dst, 0)
	}
	return appendValue(append(dst, 1), v, row)
}

// appendValue is appendCanonical of a value that is not NULL, without its first byte.
func appendValue(dst []byte, v *vector.Vector, row int) []byte {
	switch v.Form {
	case vector.Constant:
		row = 0
	case vector.Dictionary:
		row, v = int(v.Codes[row]), v.Dict
	}
	le := binary.LittleEndian
	switch v.Type.Storage() {
	case vector.StoreBool:
		if v.Bool[row] {
			return append(dst, 1)
		}
		return append(dst, 0)
	case vector.StoreInt64:
		return le.AppendUint64(dst, uint64(v.I64[row]))
	case vector.StoreUint64:
		return le.AppendUint64(dst, v.U64[row])
	case vector.StoreInt128:
		return appendInt128(dst, v.I128[row])
	case vector.StoreInterval:
		return appendInt128(dst, v.Interval[row].Normal())
	case vector.StoreFloat32:
		return le.AppendUint32(dst, math.Float32bits(canonical32(v.F32[row])))
	case vector.StoreFloat64:
		return le.AppendUint64(dst, math.Float64bits(canonical64(v.F64[row])))
	case vector.StoreString:
		dst = binary.AppendUvarint(dst, uint64(len(v.Str[row])))
		return append(dst, v.Str[row]...)
	case vector.StoreNested:
		return appendNested(dst, v, row)
	}
	return dst
}

func appendInt128(dst []byte, x vector.Int128) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, x.Lo), uint64(x.Hi))
}

// canonical32 is the representative of the floats that equal f.
func canonical32(f float32) float32 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return float32(math.NaN())
	}
	return f
}

// canonical64 is the representative of the floats that equal f.
func canonical64(f float64) float64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return math.NaN()
	}
	return f
}

func appendNested(dst []byte, v *vector.Vector, row int) []byte {
	switch {
	case !v.Type.HasElements():
		for _, c := range v.Children {
			dst = appendCanonical(dst, c, row)
		}
		return dst
	case v.Type.Kind == vector.Map:
		return appendMap(dst, v, row)
	}
	return appendElements(dst, v.Children[0], int(v.Offsets[row]), int(v.Offsets[row+1]))
}

// appendElements appends the elements of a LIST.
func appendElements(dst []byte, v *vector.Vector, from, to int) []byte {
	dst = binary.AppendUvarint(dst, uint64(to-from))
	if from == to {
		return dst
	}
	if anyNull(v, from, to) {
		dst = append(dst, 0)
		for i := from; i < to; i++ {
			dst = appendCanonical(dst, v, i)
		}
		return dst
	}
	dst = append(dst, 1)
	if v.Form == vector.Flat && v.Type.Storage() == vector.StoreInt64 {
		at := len(dst)
		dst = slices.Grow(dst, 8*(to-from))[:at+8*(to-from)]
		for _, x := range v.I64[from:to] {
			binary.LittleEndian.PutUint64(dst[at:], uint64(x))
			at += 8
		}
		return dst
	}
	for i := from; i < to; i++ {
		dst = appendValue(dst, v, i)
	}
	return dst
}

// anyNull reports whether one of the rows is NULL.
func anyNull(v *vector.Vector, from, to int) bool {
	if !v.MayHaveNulls() {
		return false
	}
	for i := from; i < to; i++ {
		if v.IsNull(i) {
			return true
		}
	}
	return false
}

func appendMap(dst []byte, v *vector.Vector, row int) []byte {
	from, to := int(v.Offsets[row]), int(v.Offsets[row+1])
	var room [256]byte
	keys, ends := room[:0], make([]int, 1, 17)
	for i := from; i < to; i++ {
		keys = appendCanonical(keys, v.Children[0], i)
		ends = append(ends, len(keys))
	}
	last := make(map[string]int, to-from) // by key: its last entry
	for i := range to - from {
		last[string(keys[ends[i]:ends[i+1]])] = i
	}
	dst = binary.AppendUvarint(dst, uint64(len(last)))
	for i := range to - from {
		key := keys[ends[i]:ends[i+1]]
		if last[string(key)] != i {
			continue
		}
		dst = append(dst, key...)
		if len(v.Children) > 1 {
			dst = appendCanonical(dst, v.Children[1], from+i)
		}
	}
	return dst
}
