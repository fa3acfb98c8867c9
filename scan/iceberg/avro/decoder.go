package avro

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Decoder takes values from the front of a block. After an error all values are empty.
type Decoder struct {
	data  []byte
	steps int // values that may still be taken: a null takes no bytes
	err   error
}

// NewDecoder decodes the values of data.
func NewDecoder(data []byte) *Decoder {
	return &Decoder{data: data, steps: 1<<16 + 8*len(data)}
}

var (
	errShort  = errors.New("its bytes end too early")
	errVarint = errors.New("a number has more than 64 bits")
	errEmpty  = errors.New("it has more values than its bytes are worth")
)

// Err is the first error.
func (d *Decoder) Err() error { return d.err }

// Fail makes an error of the caller the decoder's, unless there is one.
func (d *Decoder) Fail(err error) {
	if d.err == nil {
		d.err, d.data = err, nil
	}
}

// Left is how many bytes were not taken.
func (d *Decoder) Left() int { return len(d.data) }

func (d *Decoder) step() bool {
	if d.steps--; d.steps < 0 {
		d.Fail(errEmpty)
	}
	return d.err == nil
}

// take is the next n bytes, nil if they are not there. They are part of the block.
func (d *Decoder) take(n int64) []byte {
	if d.err != nil || n < 0 || n > int64(len(d.data)) {
		d.Fail(errShort)
		return nil
	}
	out := d.data[:n:n]
	d.data = d.data[n:]
	return out
}

func (d *Decoder) long() int64 {
	u, n := binary.Uvarint(d.data)
	switch {
	case d.err != nil:
		return 0
	case n == 0:
		d.Fail(errShort)
		return 0
	case n < 0:
		d.Fail(errVarint)
		return 0
	}
	d.data = d.data[n:]
	return int64(u>>1) ^ -int64(u&1)
}

// Value is a value that is not nested.
type Value struct {
	Kind  Kind // Null, Boolean, Int, Float, Double, Bytes or Fixed
	Short bool // an Int of 32 bits
	Int   int64
	Float float64 // of Float, too
	Bytes []byte  // part of the block, see File.Each
}

// Value takes a value that is not nested.
func (d *Decoder) Value(s *Schema) Value {
	s = d.Branch(s)
	if !d.step() {
		return Value{}
	}
	out := Value{Kind: s.Kind}
	switch s.Kind {
	case Null:
	case Boolean:
		if b := d.take(1); b != nil {
			out.Int = int64(b[0])
		}
		if out.Int > 1 {
			d.Fail(fmt.Errorf("a boolean is %d", out.Int))
		}
	case Int, Enum:
		out.Kind, out.Int, out.Short = Int, d.long(), s.Short
	case Float:
		if b := d.take(4); b != nil {
			out.Float = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	case Double:
		if b := d.take(8); b != nil {
			out.Float = math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	case Bytes:
		out.Bytes = d.take(d.long())
	case Fixed:
		out.Bytes = d.take(int64(s.Size))
	default:
		d.Fail(errors.New("a nested value is where another one belongs"))
	}
	if d.err != nil {
		return Value{}
	}
	return out
}

// Int takes an integer or a boolean; false: it is null.
func (d *Decoder) Int(s *Schema) (int64, bool) {
	v := d.Value(s)
	if v.Kind != Int && v.Kind != Boolean && v.Kind != Null {
		d.Fail(errors.New("a value is no integer"))
	}
	return v.Int, v.Kind == Int || v.Kind == Boolean
}

// Bytes takes bytes or a text; false: it is null.
func (d *Decoder) Bytes(s *Schema) ([]byte, bool) {
	v := d.Value(s)
	if v.Kind != Bytes && v.Kind != Fixed && v.Kind != Null {
		d.Fail(errors.New("a value is no text"))
	}
	return v.Bytes, v.Kind == Bytes || v.Kind == Fixed
}

// Branch takes which of its types a union has; other types are what they are.
func (d *Decoder) Branch(s *Schema) *Schema {
	for s.Kind == Union {
		n := d.long()
		if d.err == nil && (n < 0 || n >= int64(len(s.Branches))) {
			d.Fail(fmt.Errorf("a union of %d types has number %d", len(s.Branches), n))
		}
		if d.err != nil || !d.step() {
			return &Schema{}
		}
		s = s.Branches[n]
	}
	return s
}

// Record takes a record: field has to take each field. It is false where the record is null.
func (d *Decoder) Record(s *Schema, field func(f *Field)) bool {
	s = d.Branch(s)
	if !d.step() || s.Kind == Null {
		return false
	}
	if s.Kind != Record {
		d.Fail(errors.New("a value is no record"))
		return false
	}
	for i := range s.Fields {
		if field(&s.Fields[i]); d.err != nil {
			return false
		}
	}
	return true
}

// Array takes an array: element has to take each element. It is false where the array is null.
func (d *Decoder) Array(s *Schema, element func(of *Schema)) bool {
	s = d.Branch(s)
	if !d.step() || s.Kind == Null {
		return false
	}
	if s.Kind != Array {
		d.Fail(errors.New("a value is no array"))
		return false
	}
	d.blocks(func() { element(s.Branches[0]) })
	return d.err == nil
}

// blocks takes the blocks of an array or a map.
func (d *Decoder) blocks(element func()) {
	for d.err == nil {
		n := d.long()
		if n < 0 {
			d.long() // its bytes
			if n = -n; n < 0 {
				d.Fail(errVarint)
			}
		}
		if n == 0 {
			return
		}
		if n > int64(len(d.data)) { // each element takes a byte
			d.Fail(errEmpty)
		}
		for ; n > 0 && d.step(); n-- {
			element()
		}
	}
}

// Skip takes any value.
func (d *Decoder) Skip(s *Schema) {
	switch s = d.Branch(s); s.Kind {
	case Record:
		d.Record(s, func(f *Field) { d.Skip(f.Type) })
	case Array:
		d.Array(s, d.Skip)
	case Map:
		d.blocks(func() {
			d.take(d.long())
			d.Skip(s.Branches[0])
		})
	default:
		d.Value(s)
	}
}
