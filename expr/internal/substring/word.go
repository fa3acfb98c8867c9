package substring

import "math/bits"

const (
	eachOne  = 0x0101010101010101 // 1 in each byte
	eachHigh = 0x8080808080808080 // the high bit of each byte
)

// load8 is the first 8 bytes of s, little-endian.
func load8(s string) uint64 {
	s = s[:8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// zeros has the high bit of each byte of x that is 0, and of some behind such a byte.
func zeros(x uint64) uint64 { return (x - eachOne) &^ x & eachHigh }

// firstByte is the number of the first byte of which bits has a bit.
func firstByte(hits uint64) int { return bits.TrailingZeros64(hits) / 8 }

// lane is a byte to look for in the bytes of a word: it, and the bits that matter, in each.
type lane struct{ value, mask uint64 }

func (f Fold) lane(c byte) lane {
	mask := ^uint64(0)
	if lower := c | caseBit; f != Exact && 'a' <= lower && lower <= 'z' {
		mask = ^uint64(caseBit * eachOne)
	}
	return lane{uint64(c) * eachOne & mask, mask}
}

// exact reports whether only one byte is that of the lane.
func (l lane) exact() bool { return l.mask == ^uint64(0) }

// differ is 0 in the bytes of a word that are that of the lane.
func (l lane) differ(word uint64) uint64 { return word&l.mask ^ l.value }
