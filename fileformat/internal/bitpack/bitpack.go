// Package bitpack unpacks integers of a fixed number of bits.
//
// The order is that of the RLE/bit-packing hybrid (Encodings.md, "RLE"): value i
// of width w takes bits i*w to (i+1)*w-1, counted from the least significant bit
// of the first byte. 0 to 7 in three bits are three bytes:
//
//	value  2   1   0      5   4   3  2      7   6   5
//	bits  10 001 000   1 100 011 0  ..   111 110 10
//	byte  0x88         0xC6              0xFA
//
// The fast path is 32 values at a time (Unpack, UnpackSum): one generated
// straight-line function per width, in which all shifts, masks and offsets are
// constants and only the length of the input is checked, once. It unpacks more than
// one value per cycle. UnpackGroups does the same for groups of eight, of which runs
// consist, and UnpackFew unpacks the remaining values at the ends. Bytes and Bools
// write narrow values eight at a time, and CopyBits moves single bits 64 at a time
// without unpacking them.
package bitpack

import "encoding/binary"

//go:generate go run gen/main.go

// Int is what the kernels of 32 values write.
type Int interface{ int32 | int64 }

// UnpackFew unpacks any number of values of w bits, w from 1 to 64, beginning at the
// given bit of src. src must hold them all; no byte after it is read.
func UnpackFew[T Int | uint8](dst []T, src []byte, bit, w uint) {
	mask := uint64(1)<<w - 1 // all ones where w is 64
	i := 0
	for ; i < len(dst); i++ {
		at := bit >> 3
		if at+9 > uint(len(src)) {
			break
		}
		x := binary.LittleEndian.Uint64(src[at:at+8]) >> (bit & 7)
		if w > 57 {
			x |= uint64(src[at+8]) << (64 - bit&7)
		}
		dst[i] = T(x & mask)
		bit += w
	}
	if i < len(dst) {
		// At most eight bytes are left: the buffer has room for them and for a load at
		// each of them.
		var tail [17]byte
		copy(tail[:], src[bit>>3:])
		UnpackFew(dst[i:], tail[:], bit&7, w)
	}
}
