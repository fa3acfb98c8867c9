package variant

import (
	"bytes"
	"encoding/binary"
)

// The classes of values that may be equal, in their order (VariantEncoding.md,
// "Encoding types", column Equivalence Class). Exact numbers, floats and doubles are
// three classes, but have one place in the order.
const (
	classBoolean = iota + 1
	classNumber
	classDate
	classTime
	classTimestampNTZ
	classTimestamp
	classString
	classBinary
	classUUID
	classArray
	classObject
	classNull
)

var classes = [...]byte{
	Null: classNull, True: classBoolean, False: classBoolean, Int8: classNumber, Int16: classNumber, Int32: classNumber,
	Int64: classNumber, Double: classNumber, Decimal4: classNumber, Decimal8: classNumber, Decimal16: classNumber,
	Date: classDate, Timestamp: classTimestamp, TimestampNTZ: classTimestampNTZ, Float: classNumber, Binary: classBinary,
	String: classString, TimeNTZ: classTime, TimestampNanos: classTimestamp, TimestampNTZNanos: classTimestampNTZ,
	UUID: classUUID, shortString: classString, Object: classObject, Array: classArray, unknown: classNull,
}

// AppendKey appends bytes that are the same for two Variants exactly if they are
// equal, and whose order is that of the Variants: a key for groups, joins and
// sorting. v has passed Check.
//
// Values are equal if they have the same equivalence class and mean the same: int8 1
// and decimal 1.00, a short and a long string, timestamps in microseconds and in
// nanoseconds. An exact number, a float and a double are never equal. NaN equals
// itself, -0.0 equals 0.0. Arrays are equal element by element, objects if they have
// the same fields with equal values.
//
// The order is: booleans, false first; numbers by their value, where an exact number
// comes before a float of the same value and this before a double, and NaN is above
// all; dates; times; timestamps without a time zone; those with one; strings and
// then bytes, byte by byte; UUIDs; arrays, element by element and then by length;
// objects as lists of their fields in the order of the names, first by name, then by
// value; the Variant null, as NULL within lists is above all others.
//
// The encoding is the class in 1 byte, and then
//
//	boolean            1 byte
//	number             see appendNumberKey
//	date, time         8 bytes, big-endian, the sign bit inverted
//	timestamp          the microseconds like that, 2 bytes for the nanoseconds
//	string, bytes      the bytes, 00 as 00 ff, ended by 00 01
//	UUID               16 bytes
//	array              01 before each element, 00 at the end
//	object             01, the name as a string, the value for each field, 00 at the end
func (v *Value) AppendKey(dst []byte) []byte { return v.data.appendKey(dst, &v.names) }

func (d raw) appendKey(dst []byte, names *Metadata) []byte {
	k := d.kind()
	dst = append(dst, classes[k])
	if k == Object || k == Array {
		return d.appendContainerKey(dst, names)
	}
	if _, err := d.size(); err != nil {
		return dst
	}
	switch k {
	case shortString, String, Binary:
		s, _ := d.text()
		return appendTextKey(dst, s)
	case True, False:
		return append(dst, byte(False-k))
	case Date, TimeNTZ:
		return appendIntKey(dst, d.int64(k))
	case Timestamp, TimestampNTZ:
		return append(appendIntKey(dst, d.int64(k)), 0, 0)
	case TimestampNanos, TimestampNTZNanos:
		x := d.int64(k)
		nanos := x % 1000
		if nanos < 0 {
			nanos += 1000
		}
		return binary.BigEndian.AppendUint16(appendIntKey(dst, (x-nanos)/1000), uint16(nanos))
	case UUID:
		return append(dst, d[1:17]...)
	case Null:
		return dst
	}
	return d.appendNumberKey(dst, k)
}

func appendIntKey(dst []byte, x int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(x)^1<<63)
}

func appendTextKey(dst []byte, s string) []byte {
	for i := range len(s) {
		if dst = append(dst, s[i]); s[i] == 0 {
			dst = append(dst, 0xff)
		}
	}
	return append(dst, 0, 1)
}

func (d raw) appendContainerKey(dst []byte, names *Metadata) []byte {
	c, err := d.container()
	if err != nil {
		return dst
	}
	for i := range c.count {
		name, e, err := d.entry(names, &c, i)
		if err != nil {
			break
		}
		dst = append(dst, 1)
		if c.idWidth != 0 {
			dst = appendTextKey(dst, name)
		}
		dst = e.appendKey(dst, names)
	}
	return append(dst, 0)
}

// Compare orders two Variants as their keys.
func Compare(a, b *Value) int {
	var roomA, roomB [128]byte
	return bytes.Compare(a.AppendKey(roomA[:0]), b.AppendKey(roomB[:0]))
}

// Equal reports whether two Variants are equal, as AppendKey defines it.
func Equal(a, b *Value) bool { return Compare(a, b) == 0 }
