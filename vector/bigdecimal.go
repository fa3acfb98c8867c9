package vector

import (
	"encoding/binary"
	"math/big"
)

// A DECIMAL of more than 38 digits lies in the String storage as a "big
// decimal": its unscaled value, written so that comparing two of them byte by
// byte compares the numbers, and so that equal numbers have equal bytes:
//
//	4 bytes   sign and length n, big-endian: 0x80000000+n where the number is
//	          not negative, 0x7fffffff-n where it is
//	n bytes   the number in big-endian two's complement, without redundant
//	          leading bytes; at least one
//
// Of two numbers that are not negative the longer one is the greater, of two
// negative ones the less; among numbers of one sign and length, two's complement
// orders as unsigned bytes do. So -256 < -1 < 0 < 127 < 128 is
//
//	7ffffffd ff00 < 7ffffffe ff < 80000001 00 < 80000001 7f < 80000002 0080
//
// The length is the value's, not the type's: padding to a declared precision,
// which a file may put at two billion digits, would let a small file ask for any
// amount of memory.

const bigHeader = 4

// EncodeBigDecimal is the big decimal of an unscaled value.
func EncodeBigDecimal(v *big.Int) string { return string(AppendBigDecimal(nil, v)) }

// AppendBigDecimal is EncodeBigDecimal into a buffer.
func AppendBigDecimal(dst []byte, v *big.Int) []byte {
	if v.Sign() >= 0 {
		n := v.BitLen()/8 + 1 // one bit more, for the sign
		dst = binary.BigEndian.AppendUint32(dst, 1<<31+uint32(n))
		return appendMagnitude(dst, v, n)
	}
	n := new(big.Int).Not(v).BitLen()/8 + 1 // -2^k needs no bit more than 2^k-1
	dst = binary.BigEndian.AppendUint32(dst, 1<<31-1-uint32(n))
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(n)*8)
	return appendMagnitude(dst, modulus.Add(modulus, v), n)
}

func appendMagnitude(dst []byte, v *big.Int, n int) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, n)...)
	v.FillBytes(dst[at:])
	return dst
}

// AppendBigDecimalBytes is AppendBigDecimal of a big-endian two's complement
// number of any length; no bytes at all are 0.
func AppendBigDecimalBytes(dst []byte, twos string) []byte {
	if twos == "" {
		twos = "\x00"
	}
	for len(twos) > 1 && (twos[0] == 0 && twos[1] < 0x80 || twos[0] == 0xff && twos[1] >= 0x80) {
		twos = twos[1:]
	}
	header := 1<<31 + uint32(len(twos))
	if twos[0] >= 0x80 {
		header = 1<<31 - 1 - uint32(len(twos))
	}
	return append(binary.BigEndian.AppendUint32(dst, header), twos...)
}

// BigDecimalBytes is the number in big-endian two's complement, as short as it
// can be, as a view of s.
func BigDecimalBytes(s string) string {
	if len(s) <= bigHeader {
		return "\x00" // not a big decimal
	}
	return s[bigHeader:]
}

// DecodeBigDecimal is the reverse of EncodeBigDecimal.
func DecodeBigDecimal(s string) *big.Int {
	twos := BigDecimalBytes(s)
	v := new(big.Int).SetBytes([]byte(twos))
	if twos[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(len(twos))*8))
	}
	return v
}
