package main

import (
	"encoding/binary"
	"math"
	"slices"
)

// fields is a Thrift struct to be written: its fields in any order. It is written
// in the compact protocol, as the format's structs are, and may be as wrong as in
// a damaged file.
type fields []field

// field is one of them. The value's Go type decides the wire type: bool, int8,
// int16, int32, int64, float64, string, []byte, list, fields or raw.
type field struct {
	id    int
	value any
}

// list is a Thrift list. claim is the length that its header states, where that
// is not the number of items.
type list struct {
	of    byte // element type on the wire
	items []any
	claim uint64
}

// raw is a value that is written as it is.
type raw struct {
	kind  byte
	bytes []byte
}

// The wire types of elements of lists here.
const (
	wireBool   = 1
	wireI32    = 5
	wireI64    = 6
	wireBinary = 8
	wireList   = 9
	wireMap    = 11
	wireStruct = 12
)

// listOf is a list of elements of one type.
func listOf[T any](of byte, items ...T) list {
	out := list{of: of}
	for _, v := range items {
		out.items = append(out.items, v)
	}
	return out
}

// with is a copy in which the given fields replace those of the same id; nil
// takes a field away.
func (s fields) with(over ...field) fields {
	out := slices.Clone(s)
	for _, o := range over {
		out = slices.DeleteFunc(out, func(f field) bool { return f.id == o.id })
		if o.value != nil {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b field) int { return a.id - b.id })
	return out
}

// bytes is the struct on the wire.
func (s fields) bytes() []byte {
	var out []byte
	last := 0
	for _, f := range s {
		kind, value := encode(f.value, false)
		if delta := f.id - last; delta > 0 && delta < 16 {
			out = append(out, byte(delta)<<4|kind)
		} else {
			out = append(append(out, kind), zigzag(int64(f.id))...)
		}
		out, last = append(out, value...), f.id
	}
	return append(out, 0)
}

// encode gives a value's wire type and bytes. A boolean field's value is in its
// type; a boolean element takes a byte.
func encode(v any, element bool) (kind byte, out []byte) {
	switch v := v.(type) {
	case bool:
		kind = 2
		if v {
			kind = 1
		}
		if element {
			return wireBool, []byte{kind}
		}
		return kind, nil
	case int8:
		return 3, []byte{byte(v)}
	case int16:
		return 4, zigzag(int64(v))
	case int32:
		return wireI32, zigzag(int64(v))
	case int64:
		return wireI64, zigzag(v)
	case float64:
		return 7, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))
	case string:
		return encode([]byte(v), element)
	case []byte:
		return wireBinary, append(uvarint(uint64(len(v))), v...)
	case fields:
		return wireStruct, v.bytes()
	case raw:
		return v.kind, v.bytes
	case list:
		return wireList, v.bytes()
	}
	panic("no such Thrift value")
}

func (l list) bytes() []byte {
	n := uint64(len(l.items))
	if l.claim != 0 {
		n = l.claim
	}
	out := []byte{byte(n<<4) | l.of}
	if n >= 15 {
		out = append([]byte{0xf0 | l.of}, uvarint(n)...)
	}
	for _, v := range l.items {
		_, b := encode(v, true)
		out = append(out, b...)
	}
	return out
}

func uvarint(v uint64) []byte { return binary.AppendUvarint(nil, v) }

func zigzag(v int64) []byte { return uvarint(uint64(v<<1) ^ uint64(v>>63)) }
