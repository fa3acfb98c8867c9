package codec

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
)

// ErrFar says that a page refers to bytes that were made too long ago to be still there:
// it cannot be decompressed in pieces.
var ErrFar = errors.New("a copy reaches further back than the bytes that are kept")

// Pieces decompresses a page a piece at a time. Of the bytes that were made the caller
// keeps the last ones, of which it has Back at least, or all if they are fewer.
type Pieces interface {
	// Decode decodes src, the next compressed bytes, to dst[out:]; dst[:out] are the last
	// bytes made. It uses all of src unless dst gets full, for which LeastRoom bytes have
	// to be free. An error but ErrFar is damage.
	Decode(dst []byte, out int, src []byte) (end, used int, err error)
	// Made is how many bytes were made.
	Made() int
	// End is called at the end of the compressed bytes.
	End() error
}

const (
	// Back is how far copies reach back in what writers make: compressors of Snappy work on
	// blocks of so many bytes.
	Back = 64 << 10
	// LeastRoom is the longest output of one step.
	LeastRoom = 64
	// MostHead is how long the head of a page may be: see NewPieces.
	MostHead = binary.MaxVarintLen32
)

// InPieces reports whether there are Pieces of a codec.
func InPieces(id fileformat.Codec) bool { return id == fileformat.Snappy }

// NewPieces begins to decompress a page of stored bytes to one of size bytes, of a codec that
// has Pieces. head is the first MostHead of them, or all if they are fewer. Decode gets what
// follows the first used.
func NewPieces(head []byte, stored int64, size int) (p Pieces, used int, err error) {
	if err := check(size, stored, stored*snappyRatio+snappySlack); err != nil {
		return nil, 0, err
	}
	used, err = snappyHead(head, size)
	return &snappyPieces{size: size}, used, err
}

// snappyHead reads the length that a block begins with.
func snappyHead(src []byte, size int) (used int, err error) {
	n, used := binary.Uvarint(src)
	if used <= 0 {
		return 0, errSnappyLength
	}
	if n != uint64(size) {
		return 0, fmt.Errorf("snappy: a block of %d bytes where the page header states %d", n, size)
	}
	return used, nil
}

// snappyPieces is the state between two pieces of a block.
type snappyPieces struct {
	size, made int
	literal    int     // bytes of a literal that are still to come
	begun      [5]byte // an element whose tag and length, or offset, are not there as a whole
	have       int
}

func (p *snappyPieces) Made() int { return p.made }

func (p *snappyPieces) End() error {
	switch {
	case p.have > 0 || p.literal > 0:
		return errSnappyInput
	case p.made != p.size:
		return errShort
	}
	return nil
}

func (p *snappyPieces) Decode(dst []byte, out int, src []byte) (end, used int, err error) {
	before := p.made - out // bytes that are not kept
	dst = dst[:min(len(dst), p.size-before)]
	s := snappyDecoder{src: src, dst: dst, out: out, stop: len(dst)}
	defer func() { end, used, p.made = s.out, s.in, before+s.out }()
	for s.in < len(src) {
		if p.literal == 0 && p.have == 0 {
			if s.elements(); s.in == len(src) {
				break
			}
		}
		if p.literal > 0 {
			n := min(p.literal, len(src)-s.in, len(s.dst)-s.out)
			copy(s.dst[s.out:], src[s.in:s.in+n])
			s.in, s.out, p.literal = s.in+n, s.out+n, p.literal-n
			if p.literal > 0 && s.out == len(s.dst) {
				return 0, 0, p.full(&s, before)
			}
			continue
		}
		p.begun[p.have] = src[s.in]
		s.in++
		p.have++
		if p.have < snappyHeader(p.begun[0]) {
			continue
		}
		if full, err := p.element(&s, before); full || err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, nil
}

// full is called when there is no room for what comes: that is an error at the end of the
// block.
func (p *snappyPieces) full(s *snappyDecoder, before int) error {
	if before+len(s.dst) == p.size {
		return errSnappyOutput
	}
	return nil
}

// snappyHeader is how many bytes the tag of an element and what follows it, a length or an
// offset, have.
func snappyHeader(tag byte) int {
	switch n := int(tag >> 2); {
	case tag&3 == 3:
		return 5
	case tag&3 > 0:
		return 1 + int(tag&3)
	case n >= 60:
		return 1 + n - 59
	}
	return 1
}

// element decodes the element that begun is. It may find no room for a copy.
func (p *snappyPieces) element(s *snappyDecoder, before int) (full bool, err error) {
	var more [8]byte
	copy(more[:], p.begun[1:p.have])
	number, tag := binary.LittleEndian.Uint64(more[:]), p.begun[0]
	n := int(tag>>2) + 1
	switch tag & 3 {
	case 0:
		length := uint64(n)
		if n > 60 {
			length = number + 1
		}
		if length > uint64(p.size-before-s.out) {
			return false, errSnappyOutput
		}
		p.literal, p.have = int(length), 0
		return false, nil
	case 1:
		n, number = 4+int(tag>>2&7), uint64(tag>>5)<<8|number
	}
	switch {
	case number == 0 || number > uint64(before+s.out):
		return false, errSnappyOffset
	case number > uint64(s.out):
		return false, ErrFar
	case n > len(s.dst)-s.out:
		// Its last byte is read again.
		s.in--
		p.have--
		return true, p.full(s, before)
	}
	p.have = 0
	s.copy(n, int(number))
	return false, nil
}
