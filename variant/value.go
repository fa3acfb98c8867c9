package variant

import (
	"errors"
	"fmt"
)

// Value is a Variant, or a value within one: a view of the bytes. It is checked
// lazily: each method checks the bytes that it looks at, and Check all of them.
type Value struct {
	names Metadata
	data  raw
}

// raw is the bytes of a value, whose field names are in a dictionary elsewhere. What
// is behind the value is not part of it.
type raw string

// Parse is the Variant of two byte strings. It checks their headers only.
func Parse(metadata, value string) (Value, error) {
	if metadata == emptyMetadata.bytes { // as primitive values have it in canonical vectors
		data, err := raw(value).cut()
		return Value{emptyMetadata, data}, err
	}
	names, err := ParseMetadata(metadata)
	if err != nil {
		return Value{}, err
	}
	data, err := raw(value).cut()
	return Value{names, data}, err
}

// Bytes are the two byte strings of v.
func (v *Value) Bytes() (metadata, value string) { return v.names.bytes, string(v.data) }

// Kind is what a value is. Numbers up to 20 are the type IDs of VariantEncoding.md,
// "Encoding types", where True and False are types of their own.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	True
	False
	Int8
	Int16
	Int32
	Int64
	Double
	Decimal4
	Decimal8
	Decimal16
	Date
	Timestamp    // of microseconds, adjusted to UTC
	TimestampNTZ // of microseconds, without a time zone
	Float
	Binary
	String
	TimeNTZ           // of microseconds
	TimestampNanos    // adjusted to UTC
	TimestampNTZNanos // without a time zone
	UUID
	shortString // never the Kind of a Value, which is String
	Object
	Array
	unknown // a primitive type that did not exist when this was written
)

// The basic types (VariantEncoding.md, "Basic Type"): the low 2 bits of a value.
const (
	basicPrimitive = iota
	basicShortString
	basicObject
	basicArray
)

// kind tells short strings from others.
func (d raw) kind() Kind {
	if d == "" {
		return unknown
	}
	header := d[0]
	switch header & 3 {
	case basicShortString:
		return shortString
	case basicObject:
		return Object
	case basicArray:
		return Array
	}
	if k := Kind(header >> 2); k <= UUID {
		return k
	}
	return unknown
}

// Kind is what v is.
func (v *Value) Kind() Kind {
	k := v.data.kind()
	if k == shortString {
		return String
	}
	return k
}

// IsNull reports whether v is the Variant null, which is a value and not SQL's
// NULL.
func (v *Value) IsNull() bool { return v.data.kind() == Null }

// names of the kinds: those that CAST takes, and OBJECT, ARRAY and NULL.
var typeNames = [...]string{
	Null: "NULL", True: "BOOLEAN", False: "BOOLEAN", Int8: "TINYINT", Int16: "SMALLINT", Int32: "INTEGER", Int64: "BIGINT",
	Double: "DOUBLE", Decimal4: "DECIMAL", Decimal8: "DECIMAL", Decimal16: "DECIMAL", Date: "DATE",
	Timestamp: "TIMESTAMPTZ", TimestampNTZ: "TIMESTAMP", Float: "FLOAT", Binary: "BLOB", String: "VARCHAR",
	TimeNTZ: "TIME", TimestampNanos: "TIMESTAMPTZ", TimestampNTZNanos: "TIMESTAMP", UUID: "UUID",
	shortString: "VARCHAR", Object: "OBJECT", Array: "ARRAY",
}

// TypeName is the answer of VARIANT_TYPE: OBJECT, ARRAY, NULL for the Variant null,
// or the name of the SQL type that has the value, without parameters, as CAST and
// VARIANT_GET take it and JSON_TYPE answers. (DuckDB's variant_typeof answers with
// the names of its storage instead, such as INT32, BOOL_TRUE and ARRAY(3).)
func (k Kind) TypeName() string {
	if int(k) < len(typeNames) {
		return typeNames[k]
	}
	return "UNKNOWN"
}

// sizes has, by the first byte, the bytes of the primitive values and short strings
// that have always the same; 0 for others.
var sizes = func() (out [256]uint8) {
	for k, n := range [...]uint8{
		Null: 1, True: 1, False: 1, Int8: 2, Int16: 3, Int32: 5, Int64: 9, Double: 9, Decimal4: 6, Decimal8: 10, Decimal16: 18,
		Date: 5, Timestamp: 9, TimestampNTZ: 9, Float: 5, TimeNTZ: 9, TimestampNanos: 9, TimestampNTZNanos: 9, UUID: 17,
	} {
		out[k<<2+basicPrimitive] = n
	}
	for n := range 64 {
		out[n<<2+basicShortString] = uint8(1 + n)
	}
	return out
}()

// size is the number of bytes of the value, checked to be there. It takes the same
// time for values of all sizes, since containers say where their last value ends.
func (d raw) size() (int, error) {
	if d == "" {
		return 0, errShort
	}
	if n := int(sizes[d[0]]); n != 0 && n <= len(d) {
		return n, nil
	}
	return d.variableSize()
}

// variableSize is the size of a container, a long string or binary, or the error.
func (d raw) variableSize() (int, error) {
	switch k := d.kind(); {
	case k == Object || k == Array:
		var c container
		if err := d.container(&c); err != nil {
			return 0, err
		}
		return c.values + int(c.total), nil
	case k == unknown:
		return 0, fmt.Errorf("a Variant has a value of the unknown type %d", d[0]>>2)
	case k != String && k != Binary || len(d) < 5:
		return 0, errShort
	}
	n := 5 + uint64(loadUint(d, 1, 4))
	if n > uint64(len(d)) {
		return 0, errShort
	}
	return int(n), nil
}

// cut is the value without what is behind it.
func (d raw) cut() (raw, error) {
	size, err := d.size()
	return d[:size], err
}

// container is the header of an object or array (VariantEncoding.md, "Value Data
// for Object" and "for Array"), whose size has been checked.
type container struct {
	count       uint32
	total       uint32 // bytes of all values
	idWidth     uint8  // object
	offsetWidth uint8
	ids         int // where in data the field ids begin
	offsets     int
	values      int
}

var errContainer = errors.New("the Variant is no object or array")

// container reads the header into c, where it stays: a result of this size is copied at
// once, and the processor waits for the small writes that made it.
func (d raw) container(c *container) error {
	if d == "" {
		return errShort
	}
	header := d[0] >> 2
	large := header>>4&1 != 0
	offsetWidth, idWidth, ids := header&3+1, header>>2&3+1, 2
	switch d[0] & 3 {
	case basicObject:
	case basicArray:
		idWidth, large = 0, header>>2&1 != 0
	default:
		return errContainer
	}
	if large {
		ids = 5
	}
	if len(d) < ids {
		return errShort
	}
	count := loadUint(d, 1, uint8(ids-1))
	offsets := uint64(ids) + uint64(count)*uint64(idWidth)
	values := offsets + (uint64(count)+1)*uint64(offsetWidth)
	if values > uint64(len(d)) {
		return errShort
	}
	total := loadUint(d, int(values)-int(offsetWidth), offsetWidth)
	if uint64(total) > uint64(len(d))-values {
		return errShort
	}
	c.count, c.total, c.idWidth, c.offsetWidth = count, total, idWidth, offsetWidth
	c.ids, c.offsets, c.values = ids, int(offsets), int(values)
	return nil
}

// element is the i-th value of a container, which has it. Offsets need not ascend:
// the value ends where it says itself, but within the container.
func (d raw) element(c *container, i uint32) (raw, error) {
	start := loadUint(d, c.offsets+int(i)*int(c.offsetWidth), c.offsetWidth)
	if start >= c.total {
		return "", errBehind(i)
	}
	return d[c.values+int(start) : c.values+int(c.total)].cut()
}

func errBehind(i uint32) error {
	return fmt.Errorf("the value %d of a Variant's object or array lies behind its end", i)
}

// fieldName is the name of the i-th field of an object, which has it.
func (d raw) fieldName(names *Metadata, c *container, i uint32) (string, error) {
	return names.name(loadUint(d, c.ids+int(i)*int(c.idWidth), c.idWidth))
}
