package variant

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// Builder makes a Variant, value by value in the order of their nesting:
//
//	b.Reset(nil)
//	b.BeginObject()
//	b.Name("a")
//	b.Int(1)
//	b.End()
//	metadata, value, err := b.Finish()
//
// Numbers get the narrowest type that holds them, short strings the short form. An
// error is kept and returned by Finish.
type Builder struct {
	// Work, unless it is nil, is told of the bytes of long JSON texts as they are read. Its
	// error ends the reading. It stays when a new Variant begins.
	Work func(n int) error

	base  Metadata // names that the dictionary begins with
	added []string // more names
	ids   map[string]uint32
	// known is the last dictionary without a base that was encoded: the next Variant mostly has it too.
	known struct {
		bytes string
		added []string // parts of bytes
	}

	buf    []byte
	open   []opened
	fields []fieldAt // of all open objects and arrays
	named  int       // bytes of the names of all fields
	err    error
}

// opened is an object or array that is not complete.
type opened struct {
	object  bool
	repeats bool // a name may come twice
	start   int  // of its values in buf
	fields  int  // where its fields begin
}

// fieldAt is a value of an open object or array.
type fieldAt struct {
	name       string
	id         uint32
	start, end int // in buf
}

// manyNames is the number of added names from which on a map finds them.
const manyNames = 8

// Reset begins a new Variant. With base its dictionary begins with that one's names,
// so that values of such a Variant can be appended as they are.
func (b *Builder) Reset(base *Metadata) {
	b.base = emptyMetadata
	if base != nil {
		b.base = *base
	}
	clear(b.ids)
	b.added, b.buf, b.open, b.fields, b.err = b.added[:0], b.buf[:0], b.open[:0], b.fields[:0], nil
	b.named = 0
}

// Name is the name of the next value, which is a field of the open object.
func (b *Builder) Name(name string) { b.hinted(name, 0) }

// hinted is Name for a name that may have the number hint. It returns the number.
func (b *Builder) hinted(name string, hint uint32) uint32 {
	id := b.id(name, hint)
	if b.named += len(name); b.named > maxNamed && b.err == nil {
		b.err = errNamed
	}
	b.fields = append(b.fields, fieldAt{name: name, id: id})
	return id
}

// id finds or adds a name.
func (b *Builder) id(name string, hint uint32) uint32 {
	if id, ok := b.base.find(name, hint); ok {
		return id
	}
	if len(b.added) > manyNames {
		if b.ids == nil {
			b.ids = map[string]uint32{}
		}
		if len(b.ids) == 0 {
			for i, n := range b.added {
				b.ids[n] = uint32(i)
			}
		}
		if at, ok := b.ids[name]; ok {
			return b.base.count + at
		}
		b.ids[name] = uint32(len(b.added))
	} else if at := slices.Index(b.added, name); at >= 0 {
		return b.base.count + uint32(at)
	}
	b.added = append(b.added, name)
	return b.base.count + uint32(len(b.added)-1)
}

// begin is called before each value.
func (b *Builder) begin() {
	if len(b.open) == 0 {
		return
	}
	if o := b.open[len(b.open)-1]; !o.object {
		b.fields = append(b.fields, fieldAt{})
	}
	b.fields[len(b.fields)-1].start = len(b.buf)
}

// done is called behind each value.
func (b *Builder) done() {
	if len(b.open) > 0 {
		b.fields[len(b.fields)-1].end = len(b.buf)
	}
}

// primitive appends a header and the low bytes of a word.
func (b *Builder) primitive(k Kind, word uint64, bytes int) {
	b.begin()
	b.buf = append(b.buf, byte(k)<<2)
	for range bytes {
		b.buf = append(b.buf, byte(word))
		word >>= 8
	}
	b.done()
}

// Null appends the Variant null.
func (b *Builder) Null() { b.primitive(Null, 0, 0) }

// Bool appends a boolean.
func (b *Builder) Bool(v bool) {
	if v {
		b.primitive(True, 0, 0)
		return
	}
	b.primitive(False, 0, 0)
}

// Int appends an integer.
func (b *Builder) Int(v int64) {
	switch {
	case v == int64(int8(v)):
		b.primitive(Int8, uint64(v), 1)
	case v == int64(int16(v)):
		b.primitive(Int16, uint64(v), 2)
	case v == int64(int32(v)):
		b.primitive(Int32, uint64(v), 4)
	default:
		b.primitive(Int64, uint64(v), 8)
	}
}

// Double appends a double.
func (b *Builder) Double(v float64) { b.primitive(Double, math.Float64bits(v), 8) }

// Float appends a float.
func (b *Builder) Float(v float32) { b.primitive(Float, uint64(math.Float32bits(v)), 4) }

var errDecimal = fmt.Errorf("a DECIMAL of more than %d digits does not fit into a VARIANT; cast it to DOUBLE or VARCHAR", maxScale)

// Decimal appends a decimal of at most 38 digits and a scale of at most 38.
func (b *Builder) Decimal(unscaled vector.Int128, scale int) {
	if scale < 0 || scale > maxScale || unscaled.Cmp(maxUnscaled) > 0 || unscaled.Cmp(maxUnscaled.Neg()) < 0 {
		b.fail(errDecimal)
		return
	}
	kind, bytes := Decimal16, 0
	switch v := unscaled.Int64(); {
	case !unscaled.IsInt64() || v > maxNarrow || v < -maxNarrow:
	case v > maxDecimal4 || v < -maxDecimal4:
		kind, bytes = Decimal8, 8
	default:
		kind, bytes = Decimal4, 4
	}
	b.begin()
	b.buf = append(b.buf, byte(kind)<<2, byte(scale))
	switch bytes {
	case 4:
		b.buf = binary.LittleEndian.AppendUint32(b.buf, uint32(unscaled.Lo))
	case 8:
		b.buf = binary.LittleEndian.AppendUint64(b.buf, unscaled.Lo)
	default:
		b.buf = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b.buf, unscaled.Lo), uint64(unscaled.Hi))
	}
	b.done()
}

// maxDecimal4 is the largest unscaled value of a decimal4.
const maxDecimal4 = 999_999_999

// Date appends a date, in days since 1970-01-01.
func (b *Builder) Date(days int64) {
	if days != int64(int32(days)) {
		b.fail(fmt.Errorf("the DATE %s does not fit into a VARIANT", vector.AppendDate(nil, days)))
		return
	}
	b.primitive(Date, uint64(days), 4)
}

// Long appends a value of one of the kinds that have 64 bits, such as Timestamp.
func (b *Builder) Long(k Kind, v int64) { b.primitive(k, uint64(v), 8) }

// String appends a string.
func (b *Builder) String(s string) {
	if len(s) < 64 {
		b.begin()
		b.buf = append(append(b.buf, byte(len(s))<<2|basicShortString), s...)
		b.done()
		return
	}
	b.long(String, s)
}

// Binary appends bytes.
func (b *Builder) Binary(s string) { b.long(Binary, s) }

func (b *Builder) long(k Kind, s string) {
	if uint64(len(s)) > math.MaxUint32 {
		b.fail(errLarge)
		return
	}
	b.begin()
	b.buf = binary.LittleEndian.AppendUint32(append(b.buf, byte(k)<<2), uint32(len(s)))
	b.buf = append(b.buf, s...)
	b.done()
}

// UUID appends the 16 bytes of a UUID.
func (b *Builder) UUID(s string) {
	b.begin()
	b.buf = append(append(b.buf, byte(UUID)<<2), s...)
	b.done()
}

// Value appends a Variant that has passed Check. If its dictionary is the builder's
// base, it is appended as it is.
func (b *Builder) Value(v *Value) { b.raw(&v.names, v.data) }

func (b *Builder) raw(names *Metadata, d raw) {
	k := d.kind()
	if k != Object && k != Array || names.bytes == b.base.bytes {
		b.begin()
		b.buf = append(b.buf, d...)
		b.done()
		return
	}
	var c container
	err := d.container(&c)
	b.nest(k == Object)
	for i := uint32(0); err == nil && i < c.count; i++ {
		var name string
		var e raw
		if name, e, err = d.entry(names, &c, i); err != nil {
			break
		}
		if k == Object {
			b.Name(name)
		}
		b.raw(names, e)
	}
	b.err = cmp.Or(b.err, err)
	b.End()
}

func (b *Builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
	b.Null() // so that what surrounds it is complete
}

// Finish returns the Variant. Its metadata is a new string unless it is that of the
// base; value is valid until the next Reset.
func (b *Builder) Finish() (metadata string, value []byte, err error) {
	if b.err != nil {
		return "", nil, b.err
	}
	if len(b.added) == 0 {
		return b.base.bytes, b.buf, nil
	}
	if b.base.count > 0 {
		metadata, err = b.dictionary()
		return metadata, b.buf, err
	}
	if k := &b.known; k.bytes != "" && slices.Equal(k.added, b.added) {
		return k.bytes, b.buf, nil
	}
	metadata, err = b.dictionary()
	if err == nil {
		b.remember(metadata)
	}
	return metadata, b.buf, err
}

// remember keeps a dictionary of the names that were added.
func (b *Builder) remember(metadata string) {
	k := &b.known
	k.bytes = metadata
	k.added = append(k.added[:0], b.added...)
	end := len(metadata)
	for i := len(k.added) - 1; i >= 0; i-- {
		start := end - len(k.added[i])
		k.added[i], end = metadata[start:end], start
	}
}

// dictionary encodes the base's names and those that were added.
func (b *Builder) dictionary() (string, error) {
	base := b.base.bytes[b.base.first : b.base.first+int(b.base.offset(b.base.count))]
	total, count := len(base), uint64(b.base.count)+uint64(len(b.added))
	for _, name := range b.added {
		total += len(name)
	}
	if uint64(total) > math.MaxUint32 || count > math.MaxUint32 {
		return "", errLarge
	}
	width := widthOf(max(uint64(total), count))
	out := make([]byte, 0, 1+int(width)*(int(count)+2)+total)
	out = append(out, 1|(width-1)<<6)
	out = appendUint(out, uint32(count), width)
	for i := range b.base.count {
		out = appendUint(out, b.base.offset(i), width)
	}
	end := len(base)
	for _, name := range b.added {
		out = appendUint(out, uint32(end), width)
		end += len(name)
	}
	out = append(appendUint(out, uint32(end), width), base...)
	return string(append(out, strings.Join(b.added, "")...)), nil
}
