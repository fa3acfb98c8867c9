package thrift

import "encoding/binary"

func (r *Reader) byte() byte {
	if r.pos >= len(r.buf) {
		r.Fail(ErrShort)
		return 0
	}
	b := r.buf[r.pos]
	r.pos++
	return b
}

// bytes is a view of the next n bytes, which the caller knows to be ≥ 0.
func (r *Reader) bytes(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > r.Left() {
		r.Fail(ErrShort)
		return nil
	}
	b := r.buf[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	return b
}

func (r *Reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.buf[r.pos:])
	if n > 0 {
		r.pos += n
		return v
	}
	if n == 0 {
		r.Fail(ErrShort)
	} else {
		r.Failf("a varint of more than 64 bits")
	}
	return 0
}

func (r *Reader) zigzag() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// listHeader is the count, at most Left, and the element type of a list or set.
func (r *Reader) listHeader() (int, Type) {
	b := r.byte()
	n := uint64(b >> 4)
	if n == 15 {
		n = r.uvarint()
	}
	return r.count(n), Type(b & 15)
}

// count checks a collection's size against the number of bytes left.
func (r *Reader) count(n uint64) int {
	if n > uint64(r.Left()) {
		r.Fail(ErrShort)
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

// skip passes a value. A boolean field must not be passed by it, because its value
// is in its header; in collections a boolean takes one byte.
func (r *Reader) skip(t Type, depth int) {
	if depth > maxDepth {
		r.Failf("values nest more than %d deep", maxDepth)
		return
	}
	switch t {
	case True, False, I8:
		r.byte()
	case I16, I32, I64:
		r.uvarint()
	case Double:
		r.bytes(8)
	case Binary:
		r.ElementBinary()
	case UUID:
		r.bytes(16)
	case List, Set:
		n, element := r.listHeader()
		for i := 0; i < n && r.err == nil; i++ {
			r.skip(element, depth+1)
		}
	case Map:
		r.skipMap(depth)
	case Struct:
		for f := (Field{}); r.Next(&f); {
			if f.Type != True && f.Type != False {
				r.skip(f.Type, depth+1)
			}
		}
	default:
		r.Failf("unknown type %d", t)
	}
}

func (r *Reader) skipMap(depth int) {
	n := r.count(r.uvarint())
	if n == 0 {
		return
	}
	types := r.byte()
	for i := 0; i < n && r.err == nil; i++ {
		r.skip(Type(types>>4), depth+1)
		r.skip(Type(types&15), depth+1)
	}
}
