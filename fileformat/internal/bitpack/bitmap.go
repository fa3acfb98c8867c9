package bitpack

import (
	"encoding/binary"
	"math/bits"
)

// SetBits sets or clears bits offset..offset+n of a bitmap of 64 bits per word, the
// least significant first.
func SetBits(bitmap []uint64, offset, n int, set bool) {
	for n > 0 {
		at := uint(offset) & 63
		k := min(n, int(64-at))
		mask := (uint64(1)<<uint(k) - 1) << at
		if set {
			bitmap[offset>>6] |= mask
		} else {
			bitmap[offset>>6] &^= mask
		}
		offset += k
		n -= k
	}
}

// CopyBits copies n bits of src, beginning at the given bit, to offset..offset+n of a
// bitmap and returns how many of them are set. src must hold them all.
func CopyBits(bitmap []uint64, offset int, src []byte, bit uint, n int) (ones int) {
	src, bit = src[bit>>3:], bit&7
	for n > 0 {
		at := uint(offset) & 63
		k := min(n, int(64-at))
		mask := uint64(1)<<uint(k) - 1
		x := load64(src) >> bit
		if int(bit)+k > 64 {
			x |= uint64(src[8]) << (64 - bit)
		}
		x &= mask
		ones += bits.OnesCount64(x)
		word := &bitmap[offset>>6]
		*word = *word&^(mask<<at) | x<<at
		offset += k
		n -= k
		bit += uint(k)
		src, bit = src[bit>>3:], bit&7
	}
	return ones
}

// load64 is the next eight bytes, with zeros for missing bytes.
func load64(src []byte) uint64 {
	if len(src) >= 8 {
		return binary.LittleEndian.Uint64(src)
	}
	var tail [8]byte
	copy(tail[:], src)
	return binary.LittleEndian.Uint64(tail[:])
}
