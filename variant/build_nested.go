package variant

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

var errLarge = errors.New("the value is too large for a VARIANT, which has at most 4 GiB")

// BeginObject begins an object: Name, then a value, for each of its fields, in any
// order, then End.
func (b *Builder) BeginObject() { b.nest(true) }

// BeginMap is BeginObject where of a name that comes twice the last value counts.
func (b *Builder) BeginMap() {
	b.nest(true)
	b.open[len(b.open)-1].repeats = true
}

// BeginArray begins an array: its elements, then End.
func (b *Builder) BeginArray() { b.nest(false) }

func (b *Builder) nest(object bool) {
	b.begin()
	if len(b.open) >= MaxDepth && b.err == nil {
		b.err = errDepth
	}
	b.open = append(b.open, opened{object: object, start: len(b.buf), fields: len(b.fields)})
}

// End completes the object or array that was begun last. Two fields of one name are
// an error.
func (b *Builder) End() {
	o := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	fields := b.fields[o.fields:]
	b.fields = b.fields[:o.fields]
	if o.object {
		byName := func(x, y fieldAt) int { return cmp.Compare(x.name, y.name) }
		if !slices.IsSortedFunc(fields, byName) {
			slices.SortStableFunc(fields, byName)
		}
		fields = b.unique(o, fields)
	}
	b.seal(o, fields)
	b.done()
}

// unique leaves out all but the last field of a name, and their values, if o may
// have several.
func (b *Builder) unique(o opened, fields []fieldAt) []fieldAt {
	repeated := -1
	for i := 1; i < len(fields) && repeated < 0; i++ {
		if fields[i-1].name == fields[i].name {
			repeated = i
		}
	}
	if repeated < 0 {
		return fields
	}
	if !o.repeats {
		b.err = cmp.Or(b.err, fmt.Errorf("an object of a VARIANT cannot have two fields of the name %.100q", fields[repeated].name))
		return fields
	}
	values := bytes.Clone(b.buf[o.start:])
	kept, buf := fields[:0], b.buf[:o.start]
	for i, f := range fields {
		if i+1 < len(fields) && fields[i+1].name == f.name {
			continue
		}
		value := values[f.start-o.start : f.end-o.start]
		f.start, f.end = len(buf), len(buf)+len(value)
		kept, buf = append(kept, f), append(buf, value...)
	}
	b.buf = buf
	return kept
}

// seal puts the header before the values (VariantEncoding.md, "Value Data for
// Object" and "for Array").
func (b *Builder) seal(o opened, fields []fieldAt) {
	size := len(b.buf) - o.start
	if uint64(size) > math.MaxUint32 || uint64(len(fields)) > math.MaxUint32 {
		b.buf, b.err = b.buf[:o.start], cmp.Or(b.err, errLarge)
		return
	}
	offsetWidth, idWidth := widthOf(uint64(size)), uint8(0)
	large, header := byte(0), byte(basicArray)
	if len(fields) > math.MaxUint8 {
		large = 1
	}
	header |= (offsetWidth-1)<<2 | large<<4
	if o.object {
		maxID := uint32(0)
		for _, f := range fields {
			maxID = max(maxID, f.id)
		}
		idWidth = widthOf(uint64(maxID))
		header = basicObject | (offsetWidth-1)<<2 | (idWidth-1)<<4 | large<<6
	}
	countWidth := 1 + 3*large
	length := 1 + int(countWidth) + len(fields)*int(idWidth) + (len(fields)+1)*int(offsetWidth)
	b.buf = slices.Grow(b.buf, length)[:len(b.buf)+length]
	copy(b.buf[o.start+length:], b.buf[o.start:o.start+size])
	out := append(b.buf[:o.start], header)
	out = appendUint(out, uint32(len(fields)), countWidth)
	if o.object {
		for _, f := range fields {
			out = appendUint(out, f.id, idWidth)
		}
	}
	for _, f := range fields {
		out = appendUint(out, uint32(f.start-o.start), offsetWidth)
	}
	appendUint(out, uint32(size), offsetWidth)
}

// widthOf is the number of bytes of an unsigned integer below 2^32.
func widthOf(v uint64) uint8 {
	switch {
	case v < 1<<8:
		return 1
	case v < 1<<16:
		return 2
	case v < 1<<24:
		return 3
	}
	return 4
}

// appendUint is the reverse of loadUint.
func appendUint(dst []byte, v uint32, width uint8) []byte {
	for range width {
		dst = append(dst, byte(v))
		v >>= 8
	}
	return dst
}
