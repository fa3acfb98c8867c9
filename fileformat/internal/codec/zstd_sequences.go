package codec

import (
	"errors"
	"math/bits"
)

var (
	errZstdBits     = errors.New("zstd: sequences do not end where their bits do")
	errZstdModes    = errors.New("zstd: reserved bits are set")
	errZstdOffset   = errors.New("zstd: match reaches before the start of its window")
	errZstdNoOffset = errors.New("zstd: match at a distance of 0")
	errZstdTaken    = errors.New("zstd: sequences take more literals than there are")
)

// readSequences decodes the rest of a block, which ends at end: the number of
// sequences, the tables of their codes, their bits (RFC 8878, section
// 3.1.1.3.2). Literals that no sequence takes follow the last one.
func (d *zstdDecoder) readSequences(end int) error {
	n, err := d.sequenceCount(end)
	if err != nil {
		return err
	}
	if n > 0 {
		if err = d.readTables(end); err != nil {
			return err
		}
		if err = d.startBits(end); err != nil {
			return err
		}
		if err = d.decodeSequences(n); err != nil {
			return err
		}
		d.in = end
	}
	if d.in != end {
		return errZstdBits
	}
	rest := d.literals[d.literal:]
	if len(rest) > d.limit-d.out {
		return d.full()
	}
	d.out += copy(d.dst[d.out:], rest)
	return nil
}

// decodeSequences decodes the n sequences that all bits are for: in assembly as
// long as that can go on without looking for the end of anything.
func (d *zstdDecoder) decodeSequences(n int) error {
	for n > 0 {
		left, ok := n, true
		if !d.plain {
			left, ok = zstdFast(d, n)
		}
		switch {
		case !ok && d.recent[0] == 0:
			return errZstdNoOffset
		case !ok:
			return errZstdOffset
		}
		if err := d.settle(); err != nil {
			return err
		}
		if err := d.sequence(left == 1); err != nil {
			return err
		}
		n = left - 1
	}
	if d.in != d.first || d.count != 0 {
		return errZstdBits
	}
	return nil
}

// sequenceCount reads one byte, two or three (section 3.1.1.3.2.1).
func (d *zstdDecoder) sequenceCount(end int) (int, error) {
	src := d.src[d.in:end]
	switch {
	case len(src) > 0 && src[0] < 128:
		d.in++
		return int(src[0]), nil
	case len(src) > 1 && src[0] < 255:
		d.in += 2
		return int(src[0]-128)<<8 | int(src[1]), nil
	case len(src) > 2:
		d.in += 3
		return int(src[1]) + int(src[2])<<8 + 0x7F00, nil
	}
	return 0, errZstdInput
}

// readTables reads in which of four ways each of the three tables is stated, from
// the highest two bits of a byte on, and makes them.
func (d *zstdDecoder) readTables(end int) error {
	if d.in == end {
		return errZstdInput
	}
	modes := d.src[d.in]
	if d.in++; modes&3 != 0 {
		return errZstdModes
	}
	for i, t := range [3]*zstdTable{&d.runs, &d.offsets, &d.matches} {
		src, codes := d.src[d.in:end], [3]*zstdCodes{zstdRuns, zstdOffsets, zstdMatches}[i]
		switch modes >> (6 - 2*i) & 3 {
		case 0:
			t.become(&codes.predefined)
		case 1:
			if len(src) == 0 {
				return errZstdInput
			}
			if int(src[0]) >= len(codes.values) {
				return errZstdSymbol
			}
			t.same(codes.values[src[0]])
			d.in++
		case 2:
			size, err := t.read(src, codes)
			if err != nil {
				return err
			}
			d.in += size
		default:
			if !t.known {
				return errZstdRepeat
			}
		}
	}
	return nil
}

// startBits begins to read bits, behind the highest one that is set in the last
// byte, with the three states.
func (d *zstdDecoder) startBits(end int) (err error) {
	if d.in == end || d.src[end-1] == 0 {
		return errZstdBits
	}
	d.first, d.in, d.bits, d.count = d.in, end, 0, 0
	_, err = d.take(uint64(9 - bits.Len8(d.src[end-1])))
	for i, state := range [3]*uint{&d.run, &d.offset, &d.match} {
		if err == nil {
			*state, err = d.take(uint64([3]*zstdTable{&d.runs, &d.offsets, &d.matches}[i].log))
		}
	}
	return err
}

// take is the next n bits, at most 56; of n the lowest byte counts.
func (d *zstdDecoder) take(n uint64) (uint, error) {
	if n &= 255; d.count < uint(n) {
		d.bits = d.bits >> (64 - d.count) << (64 - d.count)
		for ; d.count <= 56 && d.in > d.first; d.count += 8 {
			d.in--
			d.bits |= uint64(d.src[d.in]) << (56 - d.count)
		}
		if d.count < uint(n) {
			return 0, errZstdBits
		}
	}
	v := d.bits >> (64 - n)
	d.bits <<= n
	d.count -= uint(n)
	return uint(v), nil
}

// settle takes no more for bits than there are.
func (d *zstdDecoder) settle() error {
	if more := 8 * (d.first - d.in); more > 0 {
		if uint(more) > d.count {
			return errZstdBits
		}
		d.in, d.count = d.first, d.count-uint(more)
	}
	return nil
}

// recall gives the offset that a code's value stands for and makes it the most
// recent one (section 3.1.1.5). Behind no literals the values for recent offsets
// begin with the second, for the first would only lengthen the match before; the
// third value is then one less than the first.
func (d *zstdDecoder) recall(value uint, noLiterals bool) uint {
	r := &d.recent
	if value >= zstdRecent {
		if noLiterals {
			value++
		}
		switch value {
		case zstdRecent:
			return r[0]
		case zstdRecent + 1:
			r[0], r[1] = r[1], r[0]
			return r[0]
		case zstdRecent + 2:
			value = r[2]
		default:
			value = r[0] - 1
		}
	}
	r[0], r[1], r[2] = value, r[0], r[1]
	return value
}

// sequence decodes one sequence anywhere, and where it is not the last one the
// states that follow.
//
// A sequence is a match behind literals of its own. Its bits are those behind its
// offset, the match's length and the literals' length, then those of the states
// that follow: of the literals, the match and the offset.
func (d *zstdDecoder) sequence(last bool) error {
	r, m, o := d.runs.entries[d.run&511], d.matches.entries[d.match&511], d.offsets.entries[d.offset&511]
	var values [3]uint
	for i, e := range [3]uint64{o, m, r} {
		more, err := d.take(e)
		if err != nil {
			return err
		}
		values[i] = uint(e>>32) + more
	}
	if !last {
		for i, e := range [3]uint64{r, m, o} {
			more, err := d.take(e >> 8)
			if err != nil {
				return err
			}
			*[3]*uint{&d.run, &d.match, &d.offset}[i] = uint(e>>16&0xFFFF) + more
		}
	}
	distance, length, literals := values[0], values[1], values[2]
	switch {
	case literals > uint(len(d.literals)-d.literal):
		return errZstdTaken
	case literals+length > uint(d.limit-d.out):
		return d.full()
	}
	copy(d.dst[d.out:], d.literals[d.literal:d.literal+int(literals)])
	d.literal, d.out = d.literal+int(literals), d.out+int(literals)
	distance = d.recall(distance, literals == 0)
	switch {
	case distance == 0:
		return errZstdNoOffset
	case distance > uint(d.out-d.start) || distance > d.window:
		return errZstdOffset
	}
	repeat(d.dst[d.out-int(distance):d.out+int(length)], int(distance))
	d.out += int(length)
	return nil
}
