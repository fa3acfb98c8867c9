package codec

import "math/bits"

// An entry of a table describes the code in the lowest bits:
//
//	bits 0 to 3    length of the code
//	bits 8 to 11   number of bits that follow it and are added to the value
//	bit 13         isTable: the code is longer than the width of the table; the value
//	               is where the table for its other bits begins
//	bit 14         isSpecial: a table, the end of the block, or, if no other bit is
//	               set, an invalid code
//	bit 15         isLiteral: the value is a byte
//	bits 16 to 31  value
const (
	isTable   = 1 << 13
	isSpecial = 1 << 14
	isLiteral = 1 << 15
)

// The widths of the first tables: most codes are found there, and making a table
// is still fast. Each second table holds at least one code.
const (
	maxCode      = 15
	literalBits  = 11
	literalSubs  = 288
	distanceBits = 8
	distanceSubs = 32
)

// lengthEntries and distanceEntries are the entries of RFC 1951, section 3.2.5,
// without the codes' lengths.
var lengthEntries, distanceEntries = func() (lengths [288]uint32, distances [32]uint32) {
	for s := range uint32(256) {
		lengths[s] = isLiteral | s<<16
	}
	lengths[256] = isSpecial | 1<<16
	base := uint32(3)
	for s := range uint32(28) { // 257 to 284
		extra := max(s/4, 1) - 1
		lengths[257+s] = base<<16 | extra<<8
		base += 1 << extra
	}
	lengths[285] = maxMatch << 16
	base = 1
	for s := range uint32(30) {
		extra := max(s/2, 1) - 1
		distances[s] = base<<16 | extra<<8
		base += 1 << extra
	}
	// The fixed code has codes for these, but they must not occur.
	lengths[286], lengths[287] = isSpecial, isSpecial
	distances[30], distances[31] = isSpecial, isSpecial
	return lengths, distances
}()

// codeOrder is the order of the lengths of the code for lengths (section 3.2.7).
var codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// makeTable fills table with a first table of 1<<width entries and the second tables
// that it refers to, for codes of these lengths (section 3.2.2). symbols has the
// meaning of each code. An incomplete set of codes is an error, except for a single
// code of one bit and for no codes at all.
func makeTable(table []uint32, width uint, lengths []uint8, symbols []uint32) error {
	var counts, next [maxCode + 1]uint32
	for _, n := range lengths {
		counts[n]++
	}
	counts[0] = 0
	code, used := uint32(0), uint32(0)
	for n := 1; n <= maxCode; n++ {
		code = (code + counts[n-1]) << 1
		next[n] = code
		used += counts[n] << (maxCode - n)
	}
	if used > 1<<maxCode || used < 1<<maxCode && used != 0 && (used != 1<<(maxCode-1) || counts[1] != 1) {
		return errInflateCodes
	}
	if used < 1<<maxCode {
		for i := range table[:1<<width] {
			table[i] = isSpecial
		}
	}
	free := uint32(1) << width
	for n := range uint(len(next)) {
		if n == 0 || counts[n] == 0 {
			continue
		}
		for s, l := range lengths {
			if uint(l) != n {
				continue
			}
			reversed := uint32(bits.Reverse16(uint16(next[n]))) >> (16 - n)
			next[n]++
			e := symbols[s]
			if e != isSpecial {
				e |= uint32(n)
			}
			if n <= width {
				for i := reversed; i < 1<<width; i += 1 << n {
					table[i] = e
				}
				continue
			}
			first := &table[reversed&(1<<width-1)]
			if reversed>>width == 0 { // the first code with these bits
				*first = free<<16 | isSpecial | isTable
				free += 1 << (maxCode - width)
			}
			second := table[*first>>16:][:1<<(maxCode-width)]
			for i := reversed >> width; i < uint32(len(second)); i += 1 << (n - width) {
				second[i] = e
			}
		}
	}
	return nil
}

// fixedCodes makes the tables of section 3.2.6 unless the previous block used them:
// otherwise a block of ten bits would cost as much as thousands of bytes.
func (d *inflater) fixedCodes() error {
	if d.fixed {
		return nil
	}
	l := d.lengths[:288+32]
	for i := range l {
		switch {
		case i < 144:
			l[i] = 8
		case i < 256:
			l[i] = 9
		case i < 280:
			l[i] = 7
		case i < 288:
			l[i] = 8
		default:
			l[i] = 5
		}
	}
	err := d.makeTables(288, 32)
	d.fixed = err == nil
	return err
}

func (d *inflater) makeTables(literals, distances uint) error {
	if err := makeTable(d.literals[:], literalBits, d.lengths[:literals], lengthEntries[:]); err != nil {
		return err
	}
	return makeTable(d.distances[:], distanceBits, d.lengths[literals:literals+distances], distanceEntries[:])
}

// readCodes reads the codes at the start of a block (section 3.2.7).
func (d *inflater) readCodes() error {
	d.fixed = false
	counts, err := d.take(14)
	if err != nil {
		return err
	}
	literals, distances, codes := 257+counts&31, 1+counts>>5&31, 4+counts>>10
	if literals > 286 || distances > 30 {
		return errInflateCodes
	}
	var lengths [19]uint8
	for _, s := range codeOrder[:codes] {
		n, err := d.take(3)
		if err != nil {
			return err
		}
		lengths[s] = uint8(n)
	}
	var symbols [19]uint32
	for s := range symbols {
		symbols[s] = uint32(s) << 16
	}
	if err := makeTable(d.literals[:], literalBits, lengths[:], symbols[:]); err != nil {
		return err
	}
	for at := uint(0); at < literals+distances; {
		e, err := d.code(d.literals[:], literalBits)
		if err != nil {
			return err
		}
		value, times := uint8(e>>16), uint(1)
		if value >= 16 {
			if value, times, err = d.repetition(value, at); err != nil {
				return err
			}
		}
		if times > literals+distances-at {
			return errInflateCodes
		}
		for range times {
			d.lengths[at] = value
			at++
		}
	}
	return d.makeTables(literals, distances)
}

// repetition reads how often a length repeats, and which: the one before at, or 0.
func (d *inflater) repetition(symbol uint8, at uint) (value uint8, times uint, err error) {
	switch symbol {
	case 16:
		if at == 0 {
			return 0, 0, errInflateCodes
		}
		times, err = d.take(2)
		return d.lengths[at-1], 3 + times, err
	case 17:
		times, err = d.take(3)
		return 0, 3 + times, err
	}
	times, err = d.take(7)
	return 0, 11 + times, err
}
