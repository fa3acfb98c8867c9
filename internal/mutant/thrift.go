package mutant

import (
	"encoding/binary"
	"errors"
	"slices"
)

// The types of Thrift's compact protocol (thrift-compact-protocol.md of Apache Thrift).
const (
	typeTrue   = 1
	typeFalse  = 2
	typeByte   = 3
	typeI64    = 6
	typeDouble = 7
	typeBinary = 8
	typeList   = 9
	typeSet    = 10
	typeStruct = 12
	typeUUID   = 13
)

var errThrift = errors.New("not Thrift's compact protocol")

// value is a value of any type, as it was on the wire.
type value struct {
	typ     byte
	number  int64   // of integers and bytes; 1 for true
	bytes   []byte  // of binary, double and UUID
	element byte    // the type of a list's elements
	list    []value // of a list
	fields  []field // of a struct
}

type field struct {
	id int16
	value
}

// get is the field of a struct, nil if it is not there.
func (v *value) get(ids ...int16) *value {
	for _, id := range ids {
		var next *value
		for i := range v.fields {
			if v.fields[i].id == id {
				next = &v.fields[i].value
			}
		}
		if next == nil {
			return nil
		}
		v = next
	}
	return v
}

// number is get for an integer, or otherwise.
func (v *value) numberOf(otherwise int64, ids ...int16) int64 {
	if n := v.get(ids...); n != nil {
		return n.number
	}
	return otherwise
}

// set sets an integer of a struct, where it is there.
func (v *value) set(n int64, ids ...int16) {
	if f := v.get(ids...); f != nil {
		f.number = n
	}
}

// drop removes fields of a struct.
func (v *value) drop(ids ...int16) {
	v.fields = slices.DeleteFunc(v.fields, func(f field) bool { return slices.Contains(ids, f.id) })
}

// parser reads a struct at the beginning of bytes.
type parser struct {
	in    []byte
	at    int
	depth int
	err   error
}

// parseStruct returns the struct and how many bytes it took.
func parseStruct(in []byte) (*value, int, error) {
	p := &parser{in: in}
	v := p.value(typeStruct)
	return &v, p.at, p.err
}

func (p *parser) byte() byte {
	if p.at >= len(p.in) {
		p.err = errThrift
		return 0
	}
	p.at++
	return p.in[p.at-1]
}

func (p *parser) varint() uint64 {
	n, size := binary.Uvarint(p.in[min(p.at, len(p.in)):])
	if size <= 0 {
		p.err = errThrift
		return 0
	}
	p.at += size
	return n
}

func (p *parser) zigzag() int64 {
	n := p.varint()
	return int64(n>>1) ^ -int64(n&1)
}

func (p *parser) take(n uint64) []byte {
	if n > uint64(len(p.in)-p.at) {
		p.err = errThrift
		return nil
	}
	p.at += int(n)
	return p.in[p.at-int(n) : p.at]
}

func (p *parser) value(typ byte) value {
	v := value{typ: typ}
	if p.depth++; p.depth > 30 {
		p.err = errThrift
	}
	defer func() { p.depth-- }()
	if p.err != nil {
		return v
	}
	switch {
	case typ == typeTrue || typ == typeFalse: // of a list's element; a field has it in its type
		v.number = int64(p.byte())
	case typ == typeByte:
		v.number = int64(p.byte())
	case typ > typeByte && typ <= typeI64:
		v.number = p.zigzag()
	case typ == typeDouble:
		v.bytes = p.take(8)
	case typ == typeBinary:
		v.bytes = p.take(p.varint())
	case typ == typeUUID:
		v.bytes = p.take(16)
	case typ == typeList || typ == typeSet:
		head := p.byte()
		n := uint64(head >> 4)
		if v.element = head & 15; n == 15 {
			n = p.varint()
		}
		for range n {
			if p.err != nil {
				break
			}
			v.list = append(v.list, p.value(v.element))
		}
	case typ == typeStruct:
		p.fields(&v)
	default:
		p.err = errThrift
	}
	return v
}

func (p *parser) fields(v *value) {
	id := int16(0)
	for p.err == nil {
		head := p.byte()
		if head == 0 {
			return
		}
		if id += int16(head >> 4); head>>4 == 0 {
			id = int16(p.zigzag())
		}
		f := field{id: id}
		if typ := head & 15; typ == typeTrue || typ == typeFalse {
			f.value = value{typ: typ}
		} else {
			f.value = p.value(typ)
		}
		v.fields = append(v.fields, f)
	}
}

func appendZigzag(dst []byte, n int64) []byte {
	return binary.AppendUvarint(dst, uint64(n)<<1^uint64(n>>63))
}

// appendTo writes the value.
func (v *value) appendTo(dst []byte) []byte {
	switch {
	case v.typ <= typeByte:
		return append(dst, byte(v.number))
	case v.typ <= typeI64:
		return appendZigzag(dst, v.number)
	case v.typ == typeBinary:
		return append(binary.AppendUvarint(dst, uint64(len(v.bytes))), v.bytes...)
	case v.typ == typeDouble || v.typ == typeUUID:
		return append(dst, v.bytes...)
	case v.typ == typeStruct:
		for _, f := range v.fields {
			dst = appendZigzag(append(dst, f.typ), int64(f.id))
			if f.typ != typeTrue && f.typ != typeFalse {
				dst = f.appendTo(dst)
			}
		}
		return append(dst, 0)
	}
	dst = binary.AppendUvarint(append(dst, 15<<4|v.element), uint64(len(v.list)))
	for i := range v.list {
		dst = v.list[i].appendTo(dst)
	}
	return dst
}
