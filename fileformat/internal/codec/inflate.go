package codec

import (
	"encoding/binary"
	"errors"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

var (
	errInflateInput    = errors.New("deflate: data ends inside a block")
	errInflateBlock    = errors.New("deflate: block of unknown type")
	errInflateStored   = errors.New("deflate: length of a stored block does not match its complement")
	errInflateCodes    = errors.New("deflate: lengths of codes that are no prefix code")
	errInflateSymbol   = errors.New("deflate: bits that are no code")
	errInflateDistance = errors.New("deflate: match reaches before the start of the data")
)

// inflater decodes DEFLATE (RFC 1951) from one slice into another. Bits are taken
// from the lower end of a word that is filled up eight bytes at a time:
//
//	bits   the next bits; there may be valid bits above the first count bits
//	count  how many bits have been taken from src; in is the byte after them
//
// The output is its own window. It grows up to size as it is produced.
type inflater struct {
	src, dst []byte
	in, out  int
	start    int // first byte of the output that a match may copy
	size     int // the largest length of the output
	look     *looks
	bits     uint64
	count    uint

	literals  [1<<literalBits + literalSubs<<(maxCode-literalBits)]uint32
	distances [1<<distanceBits + distanceSubs<<(maxCode-distanceBits)]uint32
	lengths   [320]uint8
	fixed     bool // the tables are those of the fixed codes
}

// inflate decodes one stream of blocks, up to the byte after the last one.
func (d *inflater) inflate() error {
	d.bits, d.count, d.start = 0, 0, d.out
	for last := false; !last; {
		if err := d.look.at(d.out); err != nil {
			return err
		}
		header, err := d.take(3)
		if err != nil {
			return err
		}
		last = header&1 != 0
		switch header >> 1 {
		case 0:
			err = d.stored()
		case 1:
			if err = d.fixedCodes(); err == nil {
				err = d.block()
			}
		case 2:
			if err = d.readCodes(); err == nil {
				err = d.block()
			}
		default:
			err = errInflateBlock
		}
		if err != nil {
			return err
		}
	}
	d.align()
	return nil
}

// fill takes bytes until there are at least 56 bits or the input ends.
func (d *inflater) fill() {
	d.bits &= 1<<d.count - 1
	for d.count < 56 && d.in < len(d.src) {
		d.bits |= uint64(d.src[d.in]) << d.count
		d.count += 8
		d.in++
	}
}

// take returns the next n bits, at most 16.
func (d *inflater) take(n uint) (uint, error) {
	if d.count < n {
		d.fill()
	}
	if d.count < n {
		return 0, errInflateInput
	}
	v := uint(d.bits & (1<<n - 1))
	d.bits >>= n
	d.count -= n
	return v, nil
}

// align drops the bits up to the next byte and returns whole bytes to the input.
func (d *inflater) align() {
	d.in -= int(d.count / 8)
	d.bits, d.count = 0, 0
}

// room makes sure that n bytes of output fit.
func (d *inflater) room(n int) (err error) {
	d.dst, err = room(d.dst, d.out, n, d.size)
	return err
}

// stored copies a block that is not compressed (section 3.2.4).
func (d *inflater) stored() error {
	d.align()
	if len(d.src)-d.in < 4 {
		return errInflateInput
	}
	n := int(binary.LittleEndian.Uint16(d.src[d.in:]))
	if n^0xFFFF != int(binary.LittleEndian.Uint16(d.src[d.in+2:])) {
		return errInflateStored
	}
	if d.in += 4; n > len(d.src)-d.in {
		return errInflateInput
	}
	if err := d.room(n); err != nil {
		return err
	}
	copy(d.dst[d.out:], d.src[d.in:d.in+n])
	d.in, d.out = d.in+n, d.out+n
	return nil
}

// block decodes a compressed block whose codes are known.
func (d *inflater) block() error {
	for {
		if end, err := d.fast(); end || err != nil {
			return err
		}
		if end, err := d.symbol(); end || err != nil {
			return err
		}
	}
}

const (
	maxMatch = 258
	// inflateIn is how much input a round of fast reads: two fills of 8 bytes; the
	// first advances by at most 7.
	inflateIn = 16
	// inflateOut is how much output a round writes: two literals, and a match in
	// steps of 16 bytes.
	inflateOut = 2 + maxMatch + 16
)

// fast decodes symbols while it cannot pass the end of the input or of the output,
// and returns whether the block has ended.
func (d *inflater) fast() (end bool, err error) {
	src, dst := d.src, d.dst
	in, out, bits, count := d.in, d.out, d.bits, d.count
	for in <= len(src)-inflateIn && out <= len(dst)-inflateOut {
		bits |= le.Uint64(src, in) << (count & 63)
		in += int(63-count) / 8
		count |= 56
		e := d.literals[bits&(1<<literalBits-1)]
		// Three literals of at most 15 bits each, or two and a length of 20 bits, fit
		// into the 56 bits.
		if e&isLiteral != 0 {
			bits >>= e & 15
			count -= uint(e & 15)
			dst[out] = byte(e >> 16)
			out++
			e = d.literals[bits&(1<<literalBits-1)]
			if e&isLiteral != 0 {
				bits >>= e & 15
				count -= uint(e & 15)
				dst[out] = byte(e >> 16)
				out++
				e = d.literals[bits&(1<<literalBits-1)]
			}
		}
		if e&isSpecial != 0 {
			if e&isTable != 0 {
				e = d.literals[e>>16+uint32(bits>>literalBits)&(1<<(maxCode-literalBits)-1)]
			}
			if e&isSpecial != 0 {
				if e == isSpecial {
					err = errInflateSymbol
				}
				end = true
				bits >>= e & 15
				count -= uint(e & 15)
				break
			}
		}
		bits >>= e & 15
		count -= uint(e & 15)
		if e&isLiteral != 0 {
			dst[out] = byte(e >> 16)
			out++
			continue
		}
		extra := e >> 8 & 15
		length := int(e>>16) + int(bits&(1<<extra-1))
		bits >>= extra
		count -= uint(extra)

		bits |= le.Uint64(src, in) << (count & 63)
		in += int(63-count) / 8
		count |= 56
		e = d.distances[bits&(1<<distanceBits-1)]
		if e&isTable != 0 {
			e = d.distances[e>>16+uint32(bits>>distanceBits)&(1<<(maxCode-distanceBits)-1)]
		}
		if e&isSpecial != 0 {
			err = errInflateSymbol
			break
		}
		bits >>= e & 15
		count -= uint(e & 15)
		extra = e >> 8 & 15
		distance := int(e>>16) + int(bits&(1<<extra-1))
		bits >>= extra
		count -= uint(extra)
		if distance > out-d.start {
			err = errInflateDistance
			break
		}
		to := out
		if out += length; distance >= 16 {
			for ; to < out; to += 16 {
				le.Move16(dst, to, dst, to-distance)
			}
			continue
		}
		moveNear(dst, to, distance, out)
	}
	d.in, d.out, d.bits, d.count = in, out, bits, count
	return end, err
}

// moveNear fills dst[to:end] with a match whose distance is less than 16. A distance
// shorter than a move of 8 bytes is doubled by each move until it is long enough:
// the output repeats. It may write 16 bytes beyond end.
func moveNear(dst []byte, to, distance, end int) {
	for distance < 8 && to < end {
		le.Move8(dst, to, dst, to-distance)
		to += distance
		distance *= 2
	}
	for ; to < end; to += 8 {
		le.Move8(dst, to, dst, to-distance)
	}
}

// symbol decodes one symbol, with its match, also close to the ends of the buffers.
func (d *inflater) symbol() (end bool, err error) {
	e, err := d.code(d.literals[:], literalBits)
	switch {
	case err != nil:
		return false, err
	case e&isSpecial != 0:
		return true, nil
	case e&isLiteral != 0:
		if err := d.room(1); err != nil {
			return false, err
		}
		d.dst[d.out] = byte(e >> 16)
		d.out++
		return false, nil
	}
	more, err := d.take(uint(e >> 8 & 15))
	if err != nil {
		return false, err
	}
	length := int(e>>16) + int(more)
	if e, err = d.code(d.distances[:], distanceBits); err != nil {
		return false, err
	}
	if more, err = d.take(uint(e >> 8 & 15)); err != nil {
		return false, err
	}
	distance := int(e>>16) + int(more)
	if distance > d.out-d.start {
		return false, errInflateDistance
	}
	if err := d.room(length); err != nil {
		return false, err
	}
	repeat(d.dst[d.out-distance:d.out+length], distance)
	d.out += length
	return false, nil
}

// code looks up the next code and consumes it.
func (d *inflater) code(table []uint32, width uint) (uint32, error) {
	d.fill()
	e := table[d.bits&(1<<width-1)]
	if e&isTable != 0 {
		e = table[e>>16+uint32(d.bits>>width)&(1<<(maxCode-width)-1)]
	}
	n := uint(e & 15)
	switch {
	case e == isSpecial:
		return 0, errInflateSymbol
	case n > d.count:
		return 0, errInflateInput
	}
	d.bits >>= n
	d.count -= n
	return e, nil
}
