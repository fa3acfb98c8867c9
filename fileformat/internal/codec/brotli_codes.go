package codec

import (
	"errors"
	"math/bits"
	"slices"
)

var (
	errBrotliSimple  = errors.New("brotli: simple prefix code with a symbol twice or outside of the alphabet")
	errBrotliLengths = errors.New("brotli: lengths of codes that are no prefix code")
)

// An entry of a table says what the code at the lower end of the bits is:
//
//	bits 0 to 3  length of the code
//	bit 4        brotliLong: the code is longer than the table is wide, and here is
//	             how wide the second table for its other bits is
//	from bit 5   what the symbol stands for; of a long code, where in the table the
//	             second one begins
//
// It has 64 bits where a symbol comes with base values and numbers of extra bits.
// Each code of the format is complete, so that there are no bits without meaning.
type brotliEntry interface{ uint16 | uint64 }

const (
	brotliLong  = 1 << 4
	brotliValue = 5
)

// brotliCode is a symbol that a code has, and the length of its own.
type brotliCode struct {
	symbol uint16
	length uint8
}

// brotliCodes has what reading a code takes, and the tables.
type brotliCodes struct {
	codes []brotliCode   // in the order of the alphabet
	own   [1 << 5]uint16 // table of the code for lengths
	small []uint16       // of a context map's

	literalTable                []uint16
	commandTable, distanceTable []uint64
}

// brotliTable reads a code for the symbols of an alphabet (sections 3.4 and 3.5) and
// appends its table, whose first part has 1<<width entries, to table.
func brotliTable[E brotliEntry](d *brotliDecoder, table []E, width uint, symbols []E) ([]E, error) {
	var err error
	if skip := d.take(2); skip == 1 {
		err = d.simpleCode(uint(len(symbols)))
	} else {
		err = d.complexCode(len(symbols), int(skip))
	}
	switch {
	case d.over():
		return table, errBrotliInput
	case err != nil:
		return table, err
	}
	return appendTable(table, width, d.codes, symbols), nil
}

// simpleCode reads up to four symbols. A single one has a code of no bits.
func (d *brotliDecoder) simpleCode(alphabet uint) error {
	n := 1 + d.take(2)
	width := uint(bits.Len(alphabet - 1))
	d.codes = d.codes[:0]
	for i := range n {
		s := d.take(width)
		if s >= alphabet || slices.ContainsFunc(d.codes, func(c brotliCode) bool { return uint(c.symbol) == s }) {
			return errBrotliSimple
		}
		d.codes = append(d.codes, brotliCode{uint16(s), brotliSimple[n-1][i]})
	}
	if n == 4 && d.take(1) != 0 {
		for i := range d.codes {
			d.codes[i].length = brotliSimple[4][i]
		}
	}
	slices.SortFunc(d.codes, func(a, b brotliCode) int { return int(a.symbol) - int(b.symbol) })
	return nil
}

var brotliSimple = [5][4]uint8{{0}, {1, 1}, {1, 2, 2}, {2, 2, 2, 2}, {1, 2, 3, 3}}

// brotliOrder is the order of the lengths of the code for lengths. They themselves
// have a fixed code of up to four bits, whose lengths and symbols are
// brotliFixed's two halves of a byte.
var (
	brotliOrder = [18]uint8{1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	brotliFixed = [16]uint8{
		0x20, 0x24, 0x23, 0x32, 0x20, 0x24, 0x23, 0x41,
		0x20, 0x24, 0x23, 0x32, 0x20, 0x24, 0x23, 0x45,
	}
)

// complexCode reads the lengths of the symbols' codes, which are coded as well.
func (d *brotliDecoder) complexCode(alphabet, skip int) error {
	const most = 5
	var own [18]uint8
	space := 1 << most
	for _, s := range brotliOrder[skip:] {
		if space <= 0 {
			break
		}
		d.fill()
		fixed := brotliFixed[d.bits&15]
		d.skip(uint(fixed >> 4))
		if own[s] = fixed & 15; own[s] != 0 {
			space -= 1 << most >> own[s]
		}
	}
	d.codes = d.codes[:0]
	for s, n := range own {
		if n != 0 {
			d.codes = append(d.codes, brotliCode{uint16(s), n})
		}
	}
	switch {
	case len(d.codes) == 1:
		d.codes[0].length = 0
	case space != 0:
		return errBrotliLengths
	}
	return d.codedLengths(alphabet, appendTable(d.own[:0], most, d.codes, brotliPlain[:]))
}

// codedLengths reads the lengths with their code. It ends where the codes of these
// lengths are complete: zeros are not stored for the symbols behind the last one.
func (d *brotliDecoder) codedLengths(alphabet int, table []uint16) error {
	d.codes = d.codes[:0]
	before, repeat, repeated := uint8(8), 0, uint8(0)
	space := 1 << maxCode
	for at := 0; at < alphabet && space > 0; {
		d.fill()
		e := table[d.bits&(1<<5-1)]
		d.skip(uint(e & 15))
		length, times := uint8(e>>brotliValue), 1
		if length < 16 {
			repeat = 0
		} else {
			// The same symbol twice is one repetition with more digits.
			extra := uint(length) - 14
			if repeated != length {
				repeated, repeat = length, 0
			}
			sum := 3 + int(d.take(extra))
			if repeat > 0 {
				sum += (repeat - 2) << extra
			}
			times, repeat = sum-repeat, sum
			if length = 0; repeated == 16 {
				length = before
			}
		}
		if times > alphabet-at {
			return errBrotliLengths
		}
		if length != 0 {
			before = length
			space -= times << (maxCode - length)
			for i := range times {
				d.codes = append(d.codes, brotliCode{uint16(at + i), length})
			}
		}
		at += times
	}
	if space != 0 {
		return errBrotliLengths
	}
	return nil
}

// brotliPlain are symbols that stand for themselves, so many as any alphabet of
// theirs has.
var brotliPlain = func() (symbols [256 + 16]uint16) {
	for s := range symbols {
		symbols[s] = uint16(s) << brotliValue
	}
	return symbols
}()

// appendTable appends the tables for a code (section 3.2): a first one of 1<<width
// entries, and one for each of its entries where longer codes begin, as wide as the
// longest of those needs. The code is complete, or one symbol without bits.
func appendTable[E brotliEntry](table []E, width uint, codes []brotliCode, symbols []E) []E {
	// Codes are given out by length, then in the order of the alphabet.
	var counts, next [maxCode + 1]int
	for _, c := range codes {
		counts[c.length]++
	}
	for n := range maxCode {
		next[n+1] = next[n] + counts[n]
	}
	var sorted [704]uint16
	for _, c := range codes {
		sorted[next[c.length]] = c.symbol
		next[c.length]++
	}
	base := len(table)
	table = slices.Grow(table, 1<<width)[:base+1<<width]
	first := table[base:]
	code, at := 0, next[0]
	if at > 0 {
		first[0] = symbols[sorted[0]]
	}
	for n := uint(1); n <= width; n++ {
		// What the shorter codes filled is repeated for one bit more.
		copy(first[1<<(n-1):1<<n], first)
		for ; at < next[n]; at++ {
			first[reverse(code, n)] = symbols[sorted[at]] | E(n)
			code++
		}
		code <<= 1
	}
	prefix, start, wide := 1<<width, 0, uint(0)
	for n := width + 1; n <= maxCode; n++ {
		for ; at < next[n]; at++ {
			reversed := reverse(code, n)
			if p := reversed & (1<<width - 1); p != prefix {
				wide = n - width
				for free := 1<<wide - (next[n] - at); free > 0; {
					wide++
					free = 2*free - counts[width+wide]
				}
				prefix, start = p, len(table)
				table = slices.Grow(table, 1<<wide)[:start+1<<wide]
				table[base+p] = E(start-base)<<brotliValue | brotliLong | E(wide)
			}
			for i := reversed >> width; i < 1<<wide; i += 1 << (n - width) {
				table[start+i] = symbols[sorted[at]] | E(n)
			}
			code++
		}
		code <<= 1
	}
	return table
}

// reverse is the lower n bits of code in the order in which they are read.
func reverse(code int, n uint) int {
	return int(bits.Reverse16(uint16(code)) >> (16 - n))
}

// code looks the next code up and passes over it.
func (b *brotliBits) code(table []uint16, width uint) uint {
	b.fill()
	e := table[b.bits&(1<<width-1)]
	if e&brotliLong != 0 {
		e = table[uint(e>>brotliValue)+uint(b.bits>>width)&(1<<(e&15)-1)]
	}
	b.skip(uint(e & 15))
	return uint(e >> brotliValue)
}
