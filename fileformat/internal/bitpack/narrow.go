package bitpack

import (
	"encoding/binary"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// spread1 has, for each byte, its eight bits as the lowest bits of eight bytes. It is
// never written to. One load from it takes a third of the instructions of shifts and
// masks, and its 2 KiB stay in the cache for long enough.
var spread1 = func() (table [256]uint64) {
	for b := range table {
		for i := range 8 {
			table[b] |= uint64(b>>i&1) << (8 * i)
		}
	}
	return table
}()

// Bytes unpacks values of w bits, w from 1 to 8, from the beginning of src, which
// must hold them all.
func Bytes(dst []uint8, src []byte, w uint) {
	switch w {
	case 1:
		for ; len(dst) >= 64 && len(src) >= 8; dst, src = dst[64:], src[8:] {
			x, out := binary.LittleEndian.Uint64(src), (*[64]uint8)(dst)
			for i := 0; i < 64; i += 8 {
				binary.LittleEndian.PutUint64(out[i:i+8], spread1[uint8(x>>i)])
			}
		}
		for ; len(dst) >= 8; dst, src = dst[8:], src[1:] {
			binary.LittleEndian.PutUint64(dst, spread1[src[0]])
		}
	case 8:
		copy(dst, src)
		return
	default:
		n := unpackBytes(dst, src, w)
		dst, src = dst[n:], src[n/8*int(w):]
	}
	UnpackFew(dst, src, 0, w)
}

// Bools unpacks single bits, beginning at a bit of src, which must hold them all.
func Bools(dst []bool, src []byte, bit uint) {
	src, bit = src[bit>>3:], bit&7
	for ; bit != 0 && len(dst) > 0; bit = (bit + 1) & 7 {
		dst[0] = src[0]>>bit&1 != 0
		dst = dst[1:]
		if bit == 7 {
			src = src[1:]
		}
	}
	for ; len(dst) >= 64 && len(src) >= 8; dst, src = dst[64:], src[8:] {
		x, out := binary.LittleEndian.Uint64(src), (*[64]bool)(dst)
		for i := 0; i < 64; i += 8 {
			le.SetBools((*[8]bool)(out[i:i+8]), spread1[uint8(x>>i)])
		}
	}
	for ; len(dst) >= 8; dst, src = dst[8:], src[1:] {
		le.SetBools((*[8]bool)(dst), spread1[src[0]])
	}
	for i := range dst {
		dst[i] = src[0]>>i&1 != 0
	}
}
