package codec

import (
	"encoding/binary"
	"errors"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/le"
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
	for s.in < len(src) {
		if s.out > s.stop-snappyOut && s.stop < len(dst) {
			if err := look.at(s.out); err != nil {
				return nil, err
			}
			s.stop = min(s.out+lookBytes, len(dst))
		}
		if s.short(); s.in == len(src) {
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
	stop     int // short stops before so many bytes of dst
}

// What short needs: a literal of 16 bytes, its tag, and the next element are less than
// snappyIn, a literal and a copy, rounded up, less than snappyOut.
const (
	snappyIn  = 32
	snappyOut = 16 + 64 + 16
)

// snappyCopies is, by the tag of a copy, its length, the high byte of its offset in bits
// 8 to 15, and above them which bits of the two bytes behind the tag are offset. It is
// 0 for the other elements.
var snappyCopies = func() (t [256]uint32) {
	for tag := range uint32(256) {
		switch tag & 3 {
		case 1:
			t[tag] = 4 + tag>>2&7 | tag>>5<<8 | 0xFF<<16
		case 2:
			t[tag] = 1 + tag>>2 | 0xFFFF<<16
		}
	}
	return t
}()

// snappyNear is how a copy with an offset below 8 repeats the bytes between: first masks
// them, and times multiplies them to 8 bytes. What is period bytes before, the least
// multiple of the offset from 8 on, is the same.
var snappyNear = func() (t [8]struct {
	first, times uint64
	period       int
}) {
	for offset := 1; offset < 8; offset++ {
		t[offset].first = 1<<(8*offset) - 1
		for at := 0; at < 8; at += offset {
			t[offset].times |= 1 << (8 * at)
		}
		t[offset].period = (8 + offset - 1) / offset * offset
	}
	return t
}()

// short decodes elements up to one that it leaves to element: a literal of more than 16
// bytes, a copy with 4 bytes of offset, an error, or one near the end.
//
// In files, most literals are shorter than 16 bytes and a copy follows them, so that the
// only branch which often goes another way than before is that on a literal. The two
// kinds of copies are distinguished by a table instead. 16 bytes are copied at least,
// what is too much is overwritten. Each element waits for where the one before ends; behind a
// literal of at most 4 bytes, as between numbers, the copy is within the 8 bytes that were read.
func (s *snappyDecoder) short() {
	src, dst, in, out := s.src, s.dst[:s.stop], s.in, s.out
elements:
	for in <= len(src)-snappyIn && out <= len(dst)-snappyOut {
		e := le.Uint64(src, in)
		if e&3 == 0 {
			if e&0xFF >= 16<<2 {
				break elements
			}
			le.Move16(dst, out, src, in+1)
			n := int(e & 0xFF >> 2)
			in, out = in+n+2, out+n+1
			if n < 4 {
				e >>= uint(n*8+16) & 63
			} else {
				e = le.Uint64(src, in)
			}
		}
		c := snappyCopies[e&0xFF]
		offset := int(c&0xFF00 | uint32(e>>8)&(c>>16))
		n, at := int(c&0xFF), 16
		if offset < 8 || offset > out {
			switch {
			case c == 0 && e&3 == 0:
				continue
			case offset == 0 || offset > out:
				break elements
			}
			near := &snappyNear[offset]
			binary.LittleEndian.PutUint64(dst[out:], le.Uint64(dst, out-offset)&near.first*near.times)
			offset, at = near.period, 8
		} else {
			le.Move8(dst, out, dst, out-offset)
			le.Move8(dst, out+8, dst, out+8-offset)
		}
		for ; at < n; at += 8 {
			le.Move8(dst, out+at, dst, out+at-offset)
		}
		in, out = in+1+int(e&3), out+n
	}
	s.in, s.out = in, out
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
