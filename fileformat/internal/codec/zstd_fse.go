package codec

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

var (
	errZstdAccuracy = errors.New("zstd: table of codes is larger than the format allows")
	errZstdSymbol   = errors.New("zstd: code that the format does not have")
)

// zstdTable is a code of finite state entropy (RFC 8878, section 4.1). An entry
// says what its state stands for and how the next one is found:
//
//	bits 0 to 7    number of bits that are read and added to the value
//	bits 8 to 15   number of bits that are read and added to the next state
//	bits 16 to 31  next state
//	bits 32 to 63  value
//
// So the sum of three entries has in its lowest two bytes how many bits a
// sequence takes. Whatever bits follow, the next state is below 1<<log.
type zstdTable struct {
	entries [1 << zstdMaxAccuracy]uint64
	log     uint // of the number of states
	known   bool // what a block may repeat is there
}

// zstdMaxAccuracy is the most that the logarithm of a table's length can be
// (section 3.1.1.3.2.1).
const zstdMaxAccuracy = 9

// zstdCodes is one of the three alphabets: what its codes stand for, as entries
// without states, and the table that a block need not state.
type zstdCodes struct {
	values     []uint64
	accuracy   uint // most that a table's logarithm may be
	predefined zstdTable
}

// The codes for numbers of literals, for offsets and for lengths of matches
// (section 3.1.1.3.2.1.1), with their default probabilities (section
// 3.1.1.3.2.2).
var (
	zstdRuns = newZstdCodes(9, zstdLengths(0, 16, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
		6, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1)
	zstdOffsets = newZstdCodes(8, zstdDistances(),
		5, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1)
	zstdMatches = newZstdCodes(9, zstdLengths(3, 32, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
		6, 1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1)
)

func newZstdCodes(accuracy uint, values []uint64, log uint, probabilities ...int16) *zstdCodes {
	c := &zstdCodes{values: values, accuracy: accuracy}
	c.predefined.build(log, probabilities, values)
	return c
}

// zstdLengths are the codes of lengths from base on: so many that stand for one
// each, then those that are followed by bits.
func zstdLengths(base uint64, single int, bits ...uint64) (values []uint64) {
	for _, n := range append(make([]uint64, single), bits...) {
		values = append(values, base<<32|n)
		base += 1 << n
	}
	return values
}

// zstdRecent and the three values behind it stand for one of the recent offsets.
// They are above all offsets, the largest of which is 2^31-4: no match of a page
// can reach farther back.
const zstdRecent = 1 << 31

// zstdDistances are the codes of offsets, which are followed by as many bits as
// their number: 3 more than the offset, but for 1, 2 and 3.
func zstdDistances() []uint64 {
	values := []uint64{zstdRecent << 32, (zstdRecent+1)<<32 | 1}
	for n := uint64(2); n <= 30; n++ {
		values = append(values, (1<<n-3)<<32|n)
	}
	return values
}

// build makes the table of these probabilities, which add up to 1<<log; -1 is
// less than 1 and has one state, of those at the end (section 4.1.1).
func (t *zstdTable) build(log uint, probabilities []int16, values []uint64) {
	size := uint(1) << log
	entries := t.entries[:size]
	var next [64]uint16
	high := size - 1
	for s, p := range probabilities {
		if next[s] = uint16(p); p < 0 {
			next[s] = 1
			entries[high] = uint64(s)
			high--
		}
	}
	at, step := uint(0), size>>1+size>>3+3
	for s, p := range probabilities {
		for range p {
			entries[at] = uint64(s)
			for at = (at + step) & (size - 1); at > high; at = (at + step) & (size - 1) {
			}
		}
	}
	// Of the states of a symbol each takes a part of all next states, a power of
	// two; the first ones take twice as many as the others.
	for i, s := range entries {
		x := uint(next[s&63])
		next[s&63]++
		n := log + 1 - uint(bits.Len(x))
		entries[i] = values[s] | uint64(n)<<8 | uint64(x<<n-size)<<16
	}
	t.log, t.known = log, true
}

// same makes the table in which one code comes always.
func (t *zstdTable) same(value uint64) {
	t.entries[0] = value
	t.log, t.known = 0, true
}

// become makes the table of another one.
func (t *zstdTable) become(other *zstdTable) {
	copy(t.entries[:1<<other.log], other.entries[:])
	t.log, t.known = other.log, true
}

// read makes the table whose probabilities src begins with (section 4.1.1) and
// gives the number of their bytes. A table with one code only is taken, though
// encoders ought to say it in another way.
func (t *zstdTable) read(src []byte, c *zstdCodes) (int, error) {
	log := uint(zstdPeek(src, 0)&15) + 5
	if log > c.accuracy {
		return 0, errZstdAccuracy
	}
	var probabilities [64]int16
	at, s := uint(4), 0
	for left := 1 << log; left > 0; s++ {
		if s >= len(c.values) {
			return 0, errZstdSymbol
		}
		// The value is from 0 to left+1. As many of the lowest as n bits have too
		// much room for take one bit less.
		n := bits.Len(uint(left + 1))
		few := 1<<n - 1 - (left + 1)
		v := int(zstdPeek(src, at) & (1<<n - 1))
		if low := v & (1<<(n-1) - 1); low < few {
			v = low
			n--
		} else if v >= 1<<(n-1) {
			v -= few
		}
		at += uint(n)
		probabilities[s] = int16(v - 1)
		left -= max(v-1, 1-v)
		if v != 1 {
			continue
		}
		for more := 3; more == 3; { // codes of no probability that follow
			more = int(zstdPeek(src, at) & 3)
			at += 2
			if s += more; s >= len(c.values) {
				return 0, errZstdSymbol
			}
		}
	}
	n := int(at+7) / 8
	if n > len(src) {
		return 0, errZstdInput
	}
	t.build(log, probabilities[:s], c.values)
	return n, nil
}

// zstdPeek is at least 25 bits of src from bit at on, zeros behind the end.
func zstdPeek(src []byte, at uint) uint32 {
	var b [4]byte
	copy(b[:], src[min(at/8, uint(len(src))):])
	return binary.LittleEndian.Uint32(b[:]) >> (at & 7)
}
