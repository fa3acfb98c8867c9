package codec

import (
	"encoding/binary"
	"errors"

	"github.com/parquetsql/parquetsql/fileformat"
)

var (
	errSnappyLength = errors.New("snappy: the block does not begin with its length")
	errSnappyInput  = errors.New("snappy: the block ends inside an element")
	errSnappyOutput = errors.New("snappy: the elements are longer than the block states")
	errSnappyOffset = errors.New("snappy: a copy reaches before the start of the data")
)

// A copy of at most 64 bytes takes 3 bytes of input, or 2 for at most 11.
const (
	snappyRatio = 22
	snappySlack = 64
)

// decompressSnappy decodes one block (format_description.txt of google/snappy), which
// begins with its uncompressed length. The rest is elements, each with a tag byte whose
// low bits say its kind:
//
//	LLLLLL00  literal of 1+L bytes; L of 60 to 63: that many minus 59 bytes with L follow
//	HHHLLL01  copy of 4+L bytes; the low byte of the offset follows, H is above it
//	LLLLLL10  copy of 1+L bytes; 2 bytes of offset follow
//	LLLLLL11  copy of 1+L bytes; 4 bytes of offset follow
//
// The offset of a copy counts back from the end of the output; it is never 0.
func decompressSnappy(dst, src []byte, size int, look *looks) ([]byte, error) {
	from, err := snappyHead(src, size)
	if err != nil {
		return nil, err
	}
	if dst, err = sized(fileformat.Snappy, dst, src, size); err != nil {
		return nil, err
	}
	s := snappyDecoder{src: src, dst: dst, in: from}
	if 10*len(src) < 3*size {
		s.loop = snappyByElement // most are copies, without a look
	}
	for s.in < len(src) {
		if s.out > s.stop-snappyOut && s.stop < len(dst) {
			if err := look.at(s.out); err != nil {
				return nil, err
			}
			s.stop = min(s.out+lookBytes, len(dst))
		}
		if s.elements(); s.in == len(src) {
			break
		}
		if err := s.element(); err != nil {
			return nil, err
		}
	}
	if s.out != size {
		return nil, errShort
	}
	return dst, nil
}

// snappyDecoder decodes src[in:] to dst[out:].
type snappyDecoder struct {
	src, dst []byte
	in, out  int
	stop     int // elements stops before so many bytes of dst
	loop     snappyLoop
}

// element decodes one element of any kind.
func (s *snappyDecoder) element() error {
	tag := s.src[s.in]
	s.in++
	n, extra := int(tag>>2)+1, int(tag&3)
	switch {
	case extra == 3:
		extra = 4
	case extra == 0 && n > 60:
		extra = n - 60
	}
	if extra > len(s.src)-s.in {
		return errSnappyInput
	}
	var more [8]byte
	copy(more[:], s.src[s.in:s.in+extra])
	number := binary.LittleEndian.Uint64(more[:])
	s.in += extra
	switch tag & 3 {
	case 0:
		if n > 60 {
			return s.literal(number + 1)
		}
		return s.literal(uint64(n))
	case 1:
		n, number = 4+int(tag>>2&7), uint64(tag>>5)<<8|number
	}
	if number == 0 || number > uint64(s.out) {
		return errSnappyOffset
	}
	if n > len(s.dst)-s.out {
		return errSnappyOutput
	}
	s.copy(n, int(number))
	return nil
}

// copy repeats n bytes from offset bytes before the end of the output.
func (s *snappyDecoder) copy(n, offset int) {
	if offset >= n {
		copy(s.dst[s.out:s.out+n], s.dst[s.out-offset:])
	} else {
		repeat(s.dst[s.out-offset:s.out+n], offset)
	}
	s.out += n
}

func (s *snappyDecoder) literal(n uint64) error {
	switch {
	case n > uint64(len(s.src)-s.in):
		return errSnappyInput
	case n > uint64(len(s.dst)-s.out):
		return errSnappyOutput
	}
	copy(s.dst[s.out:], s.src[s.in:s.in+int(n)])
	s.in, s.out = s.in+int(n), s.out+int(n)
	return nil
}
