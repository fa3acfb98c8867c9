package order

import (
	"bytes"
	"strconv"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// Numbers is how numbers of different classes are compared.
type Numbers uint8

// With another VARIANT, exact numbers, floats and doubles are classes of their own. A
// number of SQL is compared by value: an exact one with what a float or double shows,
// the shortest decimal that rounds to it, so that 9.99 is equal to the double 9.99; a
// FLOAT or DOUBLE with the nearest double.
const (
	ByClass Numbers = iota
	AsDecimal
	AsDouble
)

// NumbersOf is how a VARIANT is compared with a value of an SQL type.
func NumbersOf(t vector.Type) Numbers {
	switch {
	case t.IsFloat():
		return AsDouble
	case t.IsInteger() || t.Kind == vector.Decimal:
		return AsDecimal
	}
	return ByClass
}

// AppendKeyAs is AppendKey for comparisons with a value of SQL: v itself is compared
// as n says; numbers within arrays and objects are not concerned. The VARIANT of the
// SQL value has to have a key of the same n.
func AppendKeyAs(n Numbers, dst []byte, v *variant.Value) []byte {
	k := v.Kind()
	if n == ByClass || classOf(k) != classNumber {
		return AppendKey(dst, v)
	}
	dst = append(dst, classNumber)
	switch {
	case k == variant.Double || k == variant.Float:
		switch {
		case n == AsDouble:
			return append(appendDoubleKey(dst, v.Float()), doubleNumber)
		case k == variant.Float:
			return appendShortestKey(dst, v.Float(), 32)
		}
		return appendShortestKey(dst, v.Float(), 64)
	case n == AsDouble:
		double, _ := exactOf(v).nearest()
		return append(appendDoubleKey(dst, double), doubleNumber)
	}
	return appendExactKey(dst, exactOf(v))
}

// Doubles from minExact to maxExact may be equal to a decimal of 38 digits.
const (
	minExact = 1e-39
	maxExact = 1e38
)

// appendShortestKey appends the key of the shortest decimal that rounds to f, a number
// of 32 or 64 bits.
func appendShortestKey(dst []byte, f float64, bits int) []byte {
	if size := max(f, -f); size != 0 && !(size >= minExact && size <= maxExact) {
		return append(appendDoubleKey(dst, f), exactNumber) // no decimal is near
	}
	var room [32]byte
	text := strconv.AppendFloat(room[:0], f, 'e', -1, bits)
	return appendExactKey(dst, parseShortest(text))
}

// parseShortest reads what strconv writes: digits, one of them before a point, and an
// exponent that minExact and maxExact bound.
func parseShortest(text []byte) exact {
	digits, exponent, _ := bytes.Cut(text, []byte{'e'})
	power, _ := strconv.Atoi(string(exponent))
	unscaled, behind := int64(0), 0
	for i, c := range digits {
		switch c {
		case '-':
		case '.':
			behind = len(digits) - i - 1
		default:
			unscaled = unscaled*10 + int64(c-'0')
		}
	}
	if text[0] == '-' {
		unscaled = -unscaled
	}
	x := exact{vector.Int128From(unscaled), max(0, behind-power)}
	for range power - behind {
		x.unscaled = x.unscaled.Mul64(10)
	}
	return x
}
