// Package thrift reads Thrift's compact protocol, as far as Parquet needs it,
// from bytes that cannot be trusted.
//
// In the compact protocol (thrift-compact-protocol.md of Apache Thrift) a
// struct is a sequence of fields and a zero byte. A field begins with one byte
// dddd tttt: tttt is its type, dddd the distance of its id from the previous
// field's; where dddd is 0 the id follows as a zigzag varint. Then comes the
// value: nothing for booleans (the type says which), a zigzag varint for
// integers, 8 bytes little-endian for a double, a varint length and bytes for
// strings, a struct, or a collection. A list begins with nnnn tttt, n elements
// of type t; where nnnn is 15 the count follows as a varint.
//
//	15 02      field 1, i32: zigzag(2) = 1
//	19 1c      field 2 (1+1), list of 1 struct
//	   15 00   its field 1, i32: 0
//	   00      end of the element
//	00         end of the struct
//
// Every length is checked: a string must lie within the input, and a collection
// cannot have more elements than bytes are left, because an element of any type
// takes at least one byte. Unknown fields are skipped, to a limited depth.
package thrift

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Type is a field's or an element's type on the wire.
type Type uint8

// The types of the compact protocol.
const (
	Stop   Type = 0
	True   Type = 1
	False  Type = 2
	I8     Type = 3
	I16    Type = 4
	I32    Type = 5
	I64    Type = 6
	Double Type = 7
	Binary Type = 8
	List   Type = 9
	Set    Type = 10
	Map    Type = 11
	Struct Type = 12
	UUID   Type = 13
)

// maxDepth is how deep unknown values may nest. Parquet's own structs nest less
// than ten deep.
const maxDepth = 64

// ErrShort says that the input ends within a value. With more bytes the value might
// be complete.
var ErrShort = errors.New("thrift: the input ends early")

// Reader reads from a slice. The first error stays: after it every read returns a
// zero value, Next returns false, and Err returns the error.
type Reader struct {
	buf    []byte
	pos    int
	err    error
	errPos int
	wrong  bool // the current field has another type than the one requested
}

// NewReader reads buf, which is retained.
func NewReader(buf []byte) *Reader { return &Reader{buf: buf} }

// Err is the first error.
func (r *Reader) Err() error { return r.err }

// Pos is how many bytes were consumed, up to the error if there is one.
func (r *Reader) Pos() int {
	if r.err != nil {
		return r.errPos
	}
	return r.pos
}

// Since is the input from an earlier Pos up to the current one.
func (r *Reader) Since(pos int) []byte { return r.buf[pos:r.pos] }

// Left is how many bytes are left.
func (r *Reader) Left() int { return len(r.buf) - r.pos }

// Fail sets the reader's error, unless it already has one.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err, r.errPos = err, r.pos
		r.pos = len(r.buf)
	}
}

// Failf is Fail with a formatted message.
func (r *Reader) Failf(format string, args ...any) { r.Fail(fmt.Errorf("thrift: "+format, args...)) }

// Field is the header of a struct's field. The zero Field stands before the first
// field.
type Field struct {
	ID   int16
	Type Type
}

// Next reads the header of a struct's next field into f, which holds the previous
// field's header. It returns false at the struct's end or after an error. The
// field's value must be read before Next is called again:
//
//	for f := (thrift.Field{}); r.Next(&f); {
//		switch f.ID {
//		case 1:
//			x = r.I32(f)
//		default:
//			r.Skip(f)
//		}
//	}
//
// A field of another type than the requested one is skipped and reads as the zero
// value, as in Apache Thrift's own readers: a field id may have had another meaning
// in a draft of the format. Matched reports whether the type was right.
func (r *Reader) Next(f *Field) bool {
	r.wrong = false
	b := r.byte()
	if r.err != nil || b == 0 {
		return false
	}
	f.Type = Type(b & 15)
	if delta := int32(b >> 4); delta != 0 {
		id := int32(f.ID) + delta
		if id > math.MaxInt16 {
			r.Failf("field id %d", id)
			return false
		}
		f.ID = int16(id)
		return true
	}
	id := r.zigzag()
	if id < math.MinInt16 || id > math.MaxInt16 {
		r.Failf("field id %d", id)
	}
	f.ID = int16(id)
	return r.err == nil
}

// Matched reports whether the field that was just read had the requested type.
func (r *Reader) Matched() bool { return !r.wrong }

func (r *Reader) want(f Field, t Type) bool {
	if f.Type != t {
		r.wrong = true
		r.Skip(f)
		return false
	}
	return r.err == nil
}

// Bool is a boolean field.
func (r *Reader) Bool(f Field) bool {
	return f.Type == True || r.want(f, False) && false
}

// I8 is an integer field of 8 bits.
func (r *Reader) I8(f Field) int8 {
	if !r.want(f, I8) {
		return 0
	}
	return int8(r.byte())
}

// I16 is an integer field of 16 bits.
func (r *Reader) I16(f Field) int16 {
	if !r.want(f, I16) {
		return 0
	}
	v := r.zigzag()
	if v < math.MinInt16 || v > math.MaxInt16 {
		r.Failf("%d does not fit 16 bits", v)
		return 0
	}
	return int16(v)
}

// I32 is an integer field of 32 bits.
func (r *Reader) I32(f Field) int32 {
	if !r.want(f, I32) {
		return 0
	}
	return r.ElementI32()
}

// I64 is an integer field of 64 bits.
func (r *Reader) I64(f Field) int64 {
	if !r.want(f, I64) {
		return 0
	}
	return r.zigzag()
}

// Double is a floating-point field.
func (r *Reader) Double(f Field) float64 {
	if !r.want(f, Double) {
		return 0
	}
	b := r.bytes(8)
	if b == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// Binary is a string field as a view of the input. It is nil only if the field has
// another type or the input is wrong.
func (r *Reader) Binary(f Field) []byte {
	if !r.want(f, Binary) {
		return nil
	}
	return r.ElementBinary()
}

// String is a copy of a string field.
func (r *Reader) String(f Field) string { return string(r.Binary(f)) }

// Struct reports whether the field is a struct, whose fields then follow.
func (r *Reader) Struct(f Field) bool { return r.want(f, Struct) }

// List is the number of elements of a list field, which follow, each of the
// given type (for booleans: True). It is at most Left.
func (r *Reader) List(f Field, element Type) int {
	if !r.want(f, List) {
		return 0
	}
	n, t := r.listHeader()
	if t == False {
		t = True
	}
	// An empty list may carry any element type.
	if t != element && n > 0 {
		r.wrong = true
		for i := 0; i < n && r.err == nil; i++ {
			r.skip(t, 0)
		}
		return 0
	}
	return n
}

// ElementI32 is an element of a list of 32-bit integers.
func (r *Reader) ElementI32() int32 {
	v := r.zigzag()
	if v < math.MinInt32 || v > math.MaxInt32 {
		r.Failf("%d does not fit 32 bits", v)
		return 0
	}
	return int32(v)
}

// ElementI64 is an element of a list of 64-bit integers.
func (r *Reader) ElementI64() int64 { return r.zigzag() }

// ElementBool is an element of a list of booleans.
func (r *Reader) ElementBool() bool { return r.byte() == byte(True) }

// ElementBinary is an element of a list of strings: a view of the input.
func (r *Reader) ElementBinary() []byte {
	n := r.uvarint()
	if n > uint64(r.Left()) {
		r.Fail(ErrShort)
		return nil
	}
	return r.bytes(int(n))
}

// Skip passes the value of a field.
func (r *Reader) Skip(f Field) {
	if f.Type == True || f.Type == False {
		return
	}
	r.skip(f.Type, 0)
}
