// Package order compares Variants: with each other, by keys whose bytes have their
// order, and with the values of SQL.
package order

import (
	"bytes"
	"encoding/binary"

	"github.com/parquetsql/parquetsql/variant"
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
	variant.Null: classNull, variant.True: classBoolean, variant.False: classBoolean, variant.Int8: classNumber, variant.Int16: classNumber,
	variant.Int32: classNumber, variant.Int64: classNumber, variant.Double: classNumber, variant.Decimal4: classNumber,
	variant.Decimal8: classNumber, variant.Decimal16: classNumber, variant.Date: classDate, variant.Timestamp: classTimestamp,
	variant.TimestampNTZ: classTimestampNTZ, variant.Float: classNumber, variant.Binary: classBinary, variant.String: classString,
	variant.TimeNTZ: classTime, variant.TimestampNanos: classTimestamp, variant.TimestampNTZNanos: classTimestampNTZ, variant.UUID: classUUID,
	variant.Object: classObject, variant.Array: classArray,
}

// classOf is the class of a kind. Values of kinds that are not known have passed no
// check.
func classOf(k variant.Kind) byte {
	if int(k) < len(classes) && classes[k] != 0 {
		return classes[k]
	}
	return classNull
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
//	number             see appendExactKey
//	date, time         8 bytes, big-endian, the sign bit inverted
//	timestamp          the microseconds like that, 2 bytes for the nanoseconds
//	string, bytes      the bytes, 00 as 00 ff, ended by 00 01
//	UUID               16 bytes
//	array              01 before each element, 00 at the end
//	object             01, the name as a string, the value for each field, 00 at the end
func AppendKey(dst []byte, v *variant.Value) []byte {
	k := v.Kind()
	dst = append(dst, classOf(k))
	switch k {
	case variant.Object, variant.Array:
		return appendContainerKey(dst, v)
	case variant.String, variant.Binary:
		return appendTextKey(dst, v.Text())
	case variant.True, variant.False:
		return append(dst, byte(variant.False-k))
	case variant.Date, variant.TimeNTZ:
		return appendIntKey(dst, v.Int())
	case variant.Timestamp, variant.TimestampNTZ, variant.TimestampNanos, variant.TimestampNTZNanos:
		micros, nanos := instant(k, v.Int())
		return binary.BigEndian.AppendUint16(appendIntKey(dst, micros), uint16(nanos))
	case variant.UUID:
		return append(dst, v.Text()...)
	case variant.Double:
		return append(appendDoubleKey(dst, v.Float()), doubleNumber)
	case variant.Float:
		return append(appendDoubleKey(dst, v.Float()), floatNumber)
	}
	if classOf(k) != classNumber {
		return dst
	}
	return appendExactKey(dst, exactOf(v))
}

// instant is a timestamp in microseconds, and the nanoseconds behind them.
func instant(k variant.Kind, x int64) (micros, nanos int64) {
	if k == variant.Timestamp || k == variant.TimestampNTZ {
		return x, 0
	}
	if nanos = x % 1000; nanos < 0 {
		nanos += 1000
	}
	return (x - nanos) / 1000, nanos
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

func appendContainerKey(dst []byte, v *variant.Value) []byte {
	for i := range v.Len() {
		name, e, err := v.Entry(i)
		if err != nil {
			break
		}
		dst = append(dst, 1)
		if v.Kind() == variant.Object {
			dst = appendTextKey(dst, name)
		}
		dst = AppendKey(dst, &e)
	}
	return append(dst, 0)
}

// Compare orders two Variants as their keys.
func Compare(a, b *variant.Value) int {
	var roomA, roomB [128]byte
	return bytes.Compare(AppendKey(roomA[:0], a), AppendKey(roomB[:0], b))
}

// Equal reports whether two Variants are equal, as AppendKey defines it.
func Equal(a, b *variant.Value) bool { return Compare(a, b) == 0 }
