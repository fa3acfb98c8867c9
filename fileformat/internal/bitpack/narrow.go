package bitpack

import (
	"encoding/binary"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// spread1 puts the eight lowest bits of b into the lowest bits of eight bytes.
//
// Multiplied by 1 + 1<<7 + 1<<14 + …, bit i of b lands on each of i, i+7, i+14 …,
// thus once on i*8, and nothing else lands on a multiple of 8. Copies of seven
// bits at a distance of seven do not overlap; the eighth is added on its own.
func spread1(b uint64) uint64 {
	const copies = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42
	return b&0x7F*copies&0x0101010101010101 | b>>7&1<<56
}

// A spreader moves eight values of w bits, side by side at the lower end of a
// word, to the eight bytes of the word, by halves: four values go to the upper
// 32 bits, then two of each four up by 16, then one of each two up by 8.
type spreader struct {
	w                        uint
	low4, high4, low2, high2 uint64
	low1, high1              uint64
	shift4, shift2, shift1   uint
}

func newSpreader(w uint) spreader {
	ones := func(n uint) uint64 { return 1<<n - 1 }
	s := spreader{w: w, shift4: 32 - 4*w, shift2: 16 - 2*w, shift1: 8 - w}
	s.low4 = ones(4 * w)
	s.high4 = s.low4 << (4 * w)
	s.low2 = ones(2*w) * (1 | 1<<32)
	s.high2 = s.low2 << (2 * w)
	s.low1 = ones(w) * (1 | 1<<16 | 1<<32 | 1<<48)
	s.high1 = s.low1 << w
	return s
}

func (s *spreader) spread(x uint64) uint64 {
	x = x&s.low4 | x&s.high4<<(s.shift4&63)
	x = x&s.low2 | x&s.high2<<(s.shift2&63)
	return x&s.low1 | x&s.high1<<(s.shift1&63)
}

// Bytes unpacks values of w bits, w from 1 to 8, from the beginning of src,
// which must hold them all.
func Bytes(dst []uint8, src []byte, w uint) {
	switch w {
	case 1:
		for len(dst) >= 8 {
			binary.LittleEndian.PutUint64(dst, spread1(uint64(src[0])))
			dst, src = dst[8:], src[1:]
		}
	case 8:
		copy(dst, src)
		return
	default:
		s := newSpreader(w)
		for len(dst) >= 8 && len(src) >= 8 {
			binary.LittleEndian.PutUint64(dst, s.spread(binary.LittleEndian.Uint64(src)))
			dst, src = dst[8:], src[w:]
		}
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
	for len(dst) >= 8 {
		le.SetBools((*[8]bool)(dst), spread1(uint64(src[0])))
		dst, src = dst[8:], src[1:]
	}
	for i := range dst {
		dst[i] = src[0]>>i&1 != 0
	}
}
