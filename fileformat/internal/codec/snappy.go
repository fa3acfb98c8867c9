package codec

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

var (
	errSnappyLength = errors.New("snappy: the block's length is cut off or too large")
	errSnappyInput  = errors.New("snappy: data ends inside an element")
	errSnappyOutput = errors.New("snappy: data is longer than stated")
	errSnappyOffset = errors.New("snappy: copy of nothing, or from before the start of the data")
)

// decompressSnappy decodes one block of the Snappy format, which begins with
// its length. The longest copy is 64 bytes for 3.
func decompressSnappy(dst, src []byte, size int) ([]byte, error) {
	n, length := binary.Uvarint(src)
	if length <= 0 || n > 1<<32-1 {
		return nil, errSnappyLength
	}
	if n != uint64(size) {
		return nil, fmt.Errorf("snappy: block of %d bytes where the page header states %d", n, size)
	}
	dst, err := sized(dst, src, size, 22, 0)
	if err != nil {
		return nil, err
	}
	return dst, snappyBlock(dst, src[length:])
}

// snappyBlock fills dst with what the elements in src stand for
// (format_description.txt of Snappy, section 2). The lowest two bits of an
// element's first byte, its tag, say what it is. N are bits of a length, O of a
// distance back from the end of the output, both little-endian:
//
//	NNNNNN00                                      N+1 literals follow; from 60 on N is in the next N-59 bytes
//	OOONNN01 OOOOOOOO                             copy of N+4, O from high to low
//	NNNNNN10 OOOOOOOO OOOOOOOO                    copy of N+1
//	NNNNNN11 OOOOOOOO OOOOOOOO OOOOOOOO OOOOOOOO  copy of N+1
//
// A distance of 0 is an error here as in Google's own decoders. S2, which shares
// the rest of the format, gives it a meaning; a decoder that knows S2 reads
// some damage as other rows.
//
// Numbers compress to elements of a few bytes, so what counts is the time per
// element: the loop moves 16 bytes where fewer are wanted, as long as there is
// room for it on both sides, and leaves long literals and both ends to
// snappyElement.
func snappyBlock(dst, src []byte) (err error) {
	d, s := 0, 0
	for s < len(src) {
		for s <= len(src)-snappyIn && d <= len(dst)-snappyOut {
			tag := src[s]
			if tag&3 == 0 {
				if tag >= snappyShort<<2 {
					break
				}
				n := int(tag>>2) + 1
				le.Move16(dst, d, src, s+1)
				s, d = s+1+n, d+n
				if tag = src[s]; tag&3 == 0 {
					continue
				}
			}
			form := snappyCopies[tag]
			distance := int(le.Uint32(src, s+1)&snappyMasks[form>>12&7]) | int(form&0x700)
			if uint(distance-1) >= uint(d) {
				return errSnappyOffset
			}
			s += 1 + int(form>>12)
			from, to := d-distance, d
			d += int(form & 0xFF)
			if distance >= 16 {
				le.Move16(dst, to, dst, from)
				for to += 16; to < d; to += 16 {
					from += 16
					le.Move16(dst, to, dst, from)
				}
				continue
			}
			moveNear(dst, to, distance, d)
		}
		if s < len(src) {
			if d, s, err = snappyElement(dst, src, d, s); err != nil {
				return err
			}
		}
	}
	if d != len(dst) {
		return errShort
	}
	return nil
}

const (
	// snappyShort is the most literals that one move of 16 bytes has.
	snappyShort = 16
	// snappyIn is how much input a round of the loop may look at: 16 literals
	// behind their tag, the tag of a copy and 4 bytes of distance.
	snappyIn = 1 + 16 + 1 + 4
	// snappyOut is how much output it may write: 16 literals, then a copy of 64
	// bytes in steps of 16.
	snappyOut = 16 + 64 + 16
)

// snappyCopies has, for the tag of a copy, its length in bits 0 to 7, its
// distance's bits 8 to 10 where they are, and from bit 12 on how many bytes of
// distance follow.
var snappyCopies = func() (forms [256]uint16) {
	for tag := range uint16(256) {
		switch tag & 3 {
		case 1:
			forms[tag] = 1<<12 | tag>>5<<8 | tag>>2&7 + 4
		case 2:
			forms[tag] = 2<<12 | tag>>2 + 1
		case 3:
			forms[tag] = 4<<12 | tag>>2 + 1
		}
	}
	return forms
}()

// snappyMasks keeps so many bytes of 4.
var snappyMasks = [8]uint32{1: 0xFF, 2: 0xFFFF, 4: 0xFFFFFFFF}

// snappyElement decodes the element at s, whatever it is, and gives the places
// behind it and behind its output.
func snappyElement(dst, src []byte, d, s int) (int, int, error) {
	tag := src[s]
	extra := int(snappyCopies[tag] >> 12)
	if tag&3 == 0 {
		extra = max(0, int(tag>>2)-59)
	}
	if s++; extra > len(src)-s {
		return d, s, errSnappyInput
	}
	operand := uint64(0)
	for i := range extra {
		operand |= uint64(src[s+i]) << (8 * i)
	}
	s += extra
	if tag&3 != 0 {
		distance := operand | uint64(snappyCopies[tag]&0x700)
		n := int(snappyCopies[tag] & 0xFF)
		switch {
		case distance == 0 || distance > uint64(d):
			return d, s, errSnappyOffset
		case n > len(dst)-d:
			return d, s, errSnappyOutput
		}
		repeat(dst[d-int(distance):d+n], int(distance))
		return d + n, s, nil
	}
	if extra == 0 {
		operand = uint64(tag >> 2)
	}
	switch {
	case operand >= uint64(len(src)-s):
		return d, s, errSnappyInput
	case operand >= uint64(len(dst)-d):
		return d, s, errSnappyOutput
	}
	n := int(operand) + 1
	copy(dst[d:], src[s:s+n])
	return d + n, s + n, nil
}

// repeat fills b with its first period bytes; what there is of them doubles with
// each round.
func repeat(b []byte, period int) {
	for ; period < len(b); period *= 2 {
		copy(b[period:], b[:period])
	}
}
