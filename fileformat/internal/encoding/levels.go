package encoding

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/parquetsql/parquetsql/fileformat/internal/bitpack"
)

// Levels reads repetition or definition levels (README.md of the format, "Nested
// Encoding"), each 0..max in as many bits as max needs. Any level above max is
// an error, and so is a section that ends before the last requested level.
//
// The levels of an optional column that is not nested have one bit per value, which
// is exactly a validity bitmap: DecodeValidity then only moves bits.
type Levels struct {
	runs hybrid
	max  uint8
}

var errLevel = errors.New("level above the maximum")

// Reset starts a level section in the RLE/bit-packing hybrid, without its
// 4-byte length: n levels of 0..max.
func (l *Levels) Reset(data []byte, max uint8, n int) error {
	width := uint(bits.Len8(max))
	l.max = max
	l.runs.reset(data, width, n)
	if width == 0 { // nothing is stored: every level is 0
		l.runs.left = l.runs.n
	}
	return nil
}

// ResetBitPacked starts a level section in the deprecated encoding BIT_PACKED,
// which has no length of its own: BitPackedSize bytes.
//
// Its values are packed from the most significant bit down. No writer of the last
// ten years uses it, so the bits are reversed once and then read as one long run of
// the hybrid.
func (l *Levels) ResetBitPacked(data []byte, max uint8, n int) error {
	width := uint(bits.Len8(max))
	l.max = max
	l.runs.reset(nil, width, n)
	if width == 0 {
		l.runs.left = l.runs.n
		return nil
	}
	if size := BitPackedSize(max, n); size < int64(len(data)) {
		data = data[:size]
	}
	l.runs.packed, l.runs.groups = true, reverseBits(data, width)
	l.runs.left = min(l.runs.n, len(data)*8/int(width))
	return nil
}

// BitPackedSize returns how many bytes n levels of 0..max take in BIT_PACKED.
func BitPackedSize(max uint8, n int) int64 {
	return (int64(n)*int64(bits.Len8(max)) + 7) / 8
}

// reverseBits repacks values of width bits from the order of BIT_PACKED to that
// of the hybrid.
func reverseBits(data []byte, width uint) []byte {
	out := make([]byte, len(data)+1) // a value is written as two bytes
	for bit := uint(0); bit+width <= 8*uint(len(data)); bit += width {
		pair := uint(data[bit/8]) << 8
		if bit/8+1 < uint(len(data)) {
			pair |= uint(data[bit/8+1])
		}
		v := pair >> (16 - bit%8 - width) & (1<<width - 1) << (bit % 8)
		out[bit/8] |= uint8(v)
		out[bit/8+1] |= uint8(v >> 8)
	}
	return out[:len(data)]
}

// Decode fills dst with levels, or its beginning if fewer are left.
func (l *Levels) Decode(dst []uint8) (int, error) {
	h := &l.runs
	dst = dst[:min(len(dst), h.n)]
	from, to := len(dst), 0 // the range that holds all bit-packed levels
	for done := 0; done < len(dst); {
		if h.left == 0 {
			if err := h.next(); err != nil {
				return 0, err
			}
		}
		k := min(len(dst)-done, h.left)
		if h.packed {
			h.unpackBytes(dst[done : done+k])
			from, to = min(from, done), done+k
		} else if h.value > uint32(l.max) {
			return 0, errLevel
		} else {
			fillRun(dst[done:], k, uint8(h.value))
			h.take(k)
		}
		done += k
	}
	// One check of all levels costs less than one check per run.
	if from < to && !l.check(dst[from:to]) {
		return 0, errLevel
	}
	return len(dst), nil
}

// Skip passes n levels, or fewer if fewer are left, and returns how many.
func (l *Levels) Skip(n int) (int, error) { return l.runs.skip(n) }

// check reports whether no level is above the maximum.
func (l *Levels) check(levels []uint8) bool {
	if l.max&(l.max+1) == 0 { // all ones: no higher level fits in its bits
		return true
	}
	if l.max < 1<<7 {
		// Eight at a time: the maximum with its highest bit set, minus the level,
		// keeps that bit unless the level is above the maximum. Levels of at most
		// 7 bits borrow nothing from the next byte.
		const ones = 0x0101010101010101
		all := uint64(ones << 7)
		for ; len(levels) >= 8; levels = levels[8:] {
			all &= (uint64(l.max)|1<<7)*ones - binary.LittleEndian.Uint64(levels)
		}
		if all&(ones<<7) != ones<<7 {
			return false
		}
	}
	for _, v := range levels {
		if v > l.max {
			return false
		}
	}
	return true
}

// DecodeValidity turns the next n levels into bits offset..offset+n of bitmap
// (64 per word, least significant first): a bit is set if the level is the maximum.
// Other bits stay as they are. It returns how many bits are set. It is an error if
// fewer than n levels are left.
func (l *Levels) DecodeValidity(bitmap []uint64, offset, n int) (nonNull int, err error) {
	h := &l.runs
	if n > h.n {
		return 0, errShort
	}
	for n > 0 {
		if h.left == 0 {
			if err := h.next(); err != nil {
				return 0, err
			}
		}
		k := min(n, h.left)
		switch {
		case !h.packed:
			if h.value > uint32(l.max) {
				return 0, errLevel
			}
			set := h.value == uint32(l.max)
			bitpack.SetBits(bitmap, offset, k, set)
			if set {
				nonNull += k
			}
			h.take(k)
		case h.width == 1:
			at, bit := h.position()
			nonNull += bitpack.CopyBits(bitmap, offset, h.groups[at:], bit, k)
			h.take(k)
		default:
			k = min(k, 64)
			ones, ok := l.compare(bitmap, offset, k)
			if !ok {
				return 0, errLevel
			}
			nonNull += ones
		}
		offset += k
		n -= k
	}
	return nonNull, nil
}

// CountZeros passes n levels and returns how many of them are 0. It is an error if
// fewer than n levels are left.
func (l *Levels) CountZeros(n int) (zeros int, err error) {
	h := &l.runs
	if n > h.n {
		return 0, errShort
	}
	for n > 0 {
		if h.left == 0 {
			if err := h.next(); err != nil {
				return 0, err
			}
		}
		k := min(n, h.left)
		switch {
		case !h.packed:
			if h.value > uint32(l.max) {
				return 0, errLevel
			}
			if h.value == 0 {
				zeros += k
			}
			h.take(k)
		case h.width == 1:
			var bitmap [16]uint64
			k = min(k, 64*len(bitmap))
			at, bit := h.position()
			zeros += k - bitpack.CopyBits(bitmap[:], 0, h.groups[at:], bit, k)
			h.take(k)
		default:
			var levels [256]uint8
			k = min(k, len(levels))
			h.unpackBytes(levels[:k])
			if !l.check(levels[:k]) {
				return 0, errLevel
			}
			zeros += bytes.Count(levels[:k], []byte{0})
		}
		n -= k
	}
	return zeros, nil
}

// compare is DecodeValidity for k <= 64 bit-packed levels of more than one bit.
func (l *Levels) compare(bitmap []uint64, offset, k int) (ones int, ok bool) {
	var levels [64]uint8
	l.runs.unpackBytes(levels[:k])
	if !l.check(levels[:k]) {
		return 0, false
	}
	var packed [8]byte
	for i := range packed {
		packed[i] = equalBits(binary.LittleEndian.Uint64(levels[8*i:8*i+8]), l.max)
	}
	return bitpack.CopyBits(bitmap, offset, packed[:], 0, k), true
}

// equalBits returns a byte whose bit i is set if byte i of the eight is v.
func equalBits(eight uint64, v uint8) uint8 {
	const low7 = 0x7F7F7F7F7F7F7F7F
	x := eight ^ uint64(v)*0x0101010101010101
	// The highest bit of a byte becomes set if any other bit of the byte is set, then
	// if any of its bits is set. Bytes in which it stays clear were zero.
	x = ^(x&low7 + low7 | x | low7)
	return uint8(x >> 7 * 0x0102040810204080 >> 56)
}
