// Package block is rows as bytes: columns of a number of rows, one after the other, for a file
// or for memory. The format is private to the process. A block is
//
//	4 bytes   room for what the file writes in front of a block
//	uvarint   rows
//	columns, one after the other, each
//	  1 byte    1 if a validity bitmap follows, else 0
//	  bitmap    (rows+7)/8 bytes, least significant bit first, set for values
//	  values    bool: one byte each; int64, uint64, float64: 8 bytes each,
//	            little-endian; float32: 4; Int128: 16, low half first;
//	            interval: three int64; string: a uvarint length each, then all
//	            bytes; LIST, MAP: a uvarint length each, then the children, as
//	            columns of that many rows; STRUCT: its children
//
// The types are not stored: the reader of a block knows its columns.
package block

import (
	"encoding/binary"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// Head is the length of the room at the head of a block.
const Head = 4

// Begin starts a block of n rows in the memory of data.
func Begin(data []byte, n int) []byte {
	data = append(data[:0], make([]byte, Head)...)
	return binary.AppendUvarint(data, uint64(n))
}

// AppendColumn appends a flat vector to a block.
func AppendColumn(data []byte, v *vector.Vector) []byte { return AppendPieces(data, v, nil) }

// longText is from which length on AppendPieces hands out a text as it is.
const longText = 64 << 10

// AppendPieces is AppendColumn without a copy of long texts: write, unless it is nil, gets what was appended so far with a
// long text that follows it, and returns memory for the rest.
func AppendPieces(data []byte, v *vector.Vector, write func(data []byte, text string) []byte) []byte {
	if v.Valid == nil {
		data = append(data, 0)
	} else {
		data = append(data, 1)
		for i := 0; i < v.Len; i += 8 {
			data = append(data, byte(v.Valid[i>>6]>>(uint(i)&63)))
		}
	}
	n := v.Len
	switch v.Type.Storage() {
	case vector.StoreBool:
		for _, b := range v.Bool[:n] {
			if b {
				data = append(data, 1)
			} else {
				data = append(data, 0)
			}
		}
	case vector.StoreString:
		for _, s := range v.Str[:n] {
			data = binary.AppendUvarint(data, uint64(len(s)))
		}
		for _, s := range v.Str[:n] {
			if len(s) >= longText && write != nil {
				data = write(data, s)
				continue
			}
			data = append(data, s...)
		}
	case vector.StoreNested:
		data = appendNested(data, v, write)
	default:
		data = appendFixed(data, v, n)
	}
	return data
}

func appendNested(data []byte, v *vector.Vector, write func(data []byte, text string) []byte) []byte {
	if !v.Type.HasElements() {
		for _, c := range v.Children {
			data = AppendPieces(data, c, write)
		}
		return data
	}
	for i := range v.Len {
		data = binary.AppendUvarint(data, uint64(v.Offsets[i+1]-v.Offsets[i]))
	}
	first, last := int(v.Offsets[0]), int(v.Offsets[v.Len])
	for _, c := range v.Children {
		var elements vector.Vector
		elements.Slice(c, first, last-first)
		data = AppendPieces(data, &elements, write)
	}
	return data
}

// AppendBytes appends a column of byte strings to a block: the i-th ends at ends[i] of
// all.
func AppendBytes(data, all []byte, ends []int) []byte {
	data = AppendLengths(data, ends)
	if n := len(ends); n > 0 {
		data = append(data, all[:ends[n-1]]...)
	}
	return data
}

// AppendLengths is AppendBytes without the bytes, which must follow.
func AppendLengths(data []byte, ends []int) []byte {
	from := 0
	for _, end := range ends {
		data = binary.AppendUvarint(data, uint64(end-from))
		from = end
	}
	return data
}

func appendFixed(data []byte, v *vector.Vector, n int) []byte {
	le := binary.LittleEndian
	switch v.Type.Storage() {
	case vector.StoreInt64:
		for _, x := range v.I64[:n] {
			data = le.AppendUint64(data, uint64(x))
		}
	case vector.StoreUint64:
		for _, x := range v.U64[:n] {
			data = le.AppendUint64(data, x)
		}
	case vector.StoreFloat64:
		for _, x := range v.F64[:n] {
			data = le.AppendUint64(data, math.Float64bits(x))
		}
	case vector.StoreFloat32:
		for _, x := range v.F32[:n] {
			data = le.AppendUint32(data, math.Float32bits(x))
		}
	case vector.StoreInt128:
		for _, x := range v.I128[:n] {
			data = le.AppendUint64(le.AppendUint64(data, x.Lo), uint64(x.Hi))
		}
	case vector.StoreInterval:
		for _, x := range v.Interval[:n] {
			data = le.AppendUint64(data, uint64(x.Months))
			data = le.AppendUint64(le.AppendUint64(data, uint64(x.Days)), uint64(x.Micros))
		}
	}
	return data
}
