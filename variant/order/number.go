package order

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// What follows the double in the key of a number: where the number is, relative to
// the double, and its class.
const (
	belowDouble = iota // an exact number
	exactNumber
	floatNumber
	doubleNumber
	aboveDouble // an exact number
)

// exact is an exact number: unscaled/10^scale.
type exact struct {
	unscaled vector.Int128
	scale    int
}

// exactOf is the number of an integer or decimal.
func exactOf(v *variant.Value) exact {
	switch v.Kind() {
	case variant.Decimal4, variant.Decimal8, variant.Decimal16:
		unscaled, scale, _ := v.Decimal() // a checked value has no error
		return exact{unscaled, scale}
	}
	return exact{vector.Int128From(v.Int()), 0}
}

// appendExactKey appends the key of an exact number. That of every number is
//
//	8 bytes   the nearest double, so that a greater number never has a less one:
//	          big-endian, with the sign bit inverted, or all bits if it is set
//	1 byte    whether the number is the double, and of what class, or below or above it
//	          which only an exact one can be
//	          if it is not the double, the digits: see appendDigitsKey
func appendExactKey(dst []byte, x exact) []byte {
	double, side := x.nearest()
	dst = append(appendDoubleKey(dst, double), byte(side))
	if side != exactNumber {
		dst = appendDigitsKey(dst, x)
	}
	return dst
}

func appendDoubleKey(dst []byte, f float64) []byte {
	switch {
	case f == 0:
		f = 0 // not -0
	case f != f:
		f = math.NaN()
	}
	bits := math.Float64bits(f)
	if bits>>63 != 0 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}

// exactDouble is 2^53: integers up to it are doubles.
const exactDouble = 1 << 53

// nearest is the double nearest to x, and on which side of it x is: belowDouble,
// exactNumber or aboveDouble.
func (x exact) nearest() (double float64, side int) {
	unscaled, scale := x.unscaled, x.scale
	if v := unscaled.Int64(); unscaled.IsInt64() && v <= exactDouble && v >= -exactDouble && scale <= len(powers)-1 {
		power := powers[scale]
		double = float64(v) / power // correctly rounded, since both are exact
		switch rest := math.FMA(double, power, -float64(v)); {
		case rest > 0:
			return double, belowDouble
		case rest < 0:
			return double, aboveDouble
		}
		return double, exactNumber
	}
	wide := new(big.Rat).SetFrac(unscaled.Big(), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
	double, _ = wide.Float64()
	return double, exactNumber + sideOf(wide.Cmp(new(big.Rat).SetFloat64(double)))
}

// sideOf is the distance of belowDouble or aboveDouble from exactNumber.
func sideOf(compared int) int {
	switch {
	case compared < 0:
		return belowDouble - exactNumber
	case compared > 0:
		return aboveDouble - exactNumber
	}
	return 0
}

// powers are the powers of ten that are doubles.
var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// appendDigitsKey appends bytes that order exact numbers, which are not 0, of the
// same sign: the number of digits before the point plus 64, the digits without zeros
// at the end, and 00; all bits inverted for negative ones.
func appendDigitsKey(dst []byte, x exact) []byte {
	start, unscaled := len(dst), x.unscaled
	negative := unscaled.Sign() < 0
	if negative {
		unscaled = unscaled.Neg()
	}
	dst = vector.AppendDecimal128(append(dst, 0), unscaled, 0)
	digits := len(dst) - start - 1
	dst[start] = byte(digits - x.scale + 64)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	dst = append(dst, 0)
	if negative {
		for i := range dst[start:] {
			dst[start+i] = ^dst[start+i]
		}
	}
	return dst
}
