package vector

import (
	"encoding/binary"
	"math/big"
)

// A DECIMAL of more than 38 digits is stored as a string, its "big decimal": the
// unscaled value, encoded so that the byte order of two encodings is the order of
// the numbers, and so that equal numbers have equal bytes:
//
//	4 bytes   sign and length n, big-endian: 0x80000000+n for numbers from 0
//	          on, 0x7fffffff-n for negative ones
//	n bytes   the number in big-endian two's complement, without redundant
//	          leading bytes; at least one
//
// Of two non-negative numbers the longer one is greater, of two negative numbers
// the longer one is less. For numbers of the same sign and length the order of
// two's complement is that of unsigned bytes. So -256 < -1 < 0 < 127 < 128 is
//
//	7ffffffd ff00 < 7ffffffe ff < 80000001 00 < 80000001 7f < 80000002 0080
//
// The length depends on the value, not on the type: a file may declare a
// precision of two billion digits, and padding each value to it would let a
// small file allocate any amount of memory.

const bigHeader = 4

// A file may say that its decimals have two billion digits, but no number of a DECIMAL column
// has more than MaxDecimalDigits: reading a longer one is an error. So it is known without
// computing it that a number times a large power of ten is greater than each number of a column.
const (
	MaxDecimalDigits = 1 << 14
	// MaxDecimalBytes is the greatest length of an unscaled value in two's complement: 2^(8*6803-1) < 10^16384.
	MaxDecimalBytes = 6803
)

// EncodeBigDecimal encodes an unscaled value.
func EncodeBigDecimal(v *big.Int) string { return string(AppendBigDecimal(nil, v)) }

// AppendBigDecimal appends what EncodeBigDecimal returns.
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
// number of any length; an empty string is 0.
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

// BigDecimalBytes is the shortest big-endian two's complement of the number; it
// shares the memory of s.
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
