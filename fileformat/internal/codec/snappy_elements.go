package codec

import (
	"encoding/binary"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// What elements needs: a literal of 16 bytes, its tag, and the next element are less than
// snappyIn, a literal and a copy, rounded up, less than snappyOut.
const (
	snappyIn  = 32
	snappyOut = 16 + 64 + 16
)

// snappyNoCopy is in snappyTables.copies for other elements: no copy is as long.
const snappyNoCopy = 255

// snappyTables is what tags and near copies mean. The assembly has the places of its fields.
type snappyTables struct {
	// copies is, by the tag of a copy, its length less what of its offset is in the tag. It is
	// larger than that of any copy for other elements.
	copies [256]int16

	// masks is, by the kind of an element, which bits of the two bytes behind its tag are offset.
	masks [4]uint32

	// near is how a copy with an offset below 8 repeats the bytes between: first masks them, and
	// times multiplies them to 8 bytes. What is period bytes before, the least multiple of the
	// offset from 8 on, is the same.
	near [8]struct{ first, times, period uint64 }

	// literal is 1 for the tags of literals of more than 3 bytes.
	literal [256]byte
}

var snappyTable = func() (t snappyTables) {
	t.masks = [4]uint32{1: 0xFF, 2: 0xFFFF}
	for tag := range 256 {
		switch t.copies[tag] = snappyNoCopy; tag & 3 {
		case 0:
			t.literal[tag] = byte(min(tag>>2/3, 1))
		case 1:
			t.copies[tag] = int16(4 + tag>>2&7 - tag>>5<<8)
		case 2:
			t.copies[tag] = int16(1 + tag>>2)
		}
	}
	for offset := 1; offset < 8; offset++ {
		near := &t.near[offset]
		near.first = 1<<(8*offset) - 1
		for at := 0; at < 8; at += offset {
			near.times |= 1 << (8 * at)
		}
		near.period = uint64((8 + offset - 1) / offset * offset)
	}
	return t
}()

// elements decodes elements up to one that it leaves to element: a copy with 4 bytes of offset,
// an error, or one near the end. It is most of the time of many queries. snappyElements does
// it in assembly where there is some, up to a few bytes before the end.
func (s *snappyDecoder) elements() {
	for more := true; more; more = s.short() && s.long() {
		if len(s.src) >= snappyIn && s.stop >= snappyOut { // places before the memory begins are no places
			if s.loop == snappyUnknown {
				s.choose()
			}
			s.in, s.out = snappyElements(s.src, s.dst[:s.stop], s.in, s.out, &snappyTable, s.loop == snappyByUnit)
		}
	}
}

// short decodes elements up to one that is no literal of at most 16 bytes and no copy with at
// most 2 bytes of offset. It tells if there may be a longer literal.
//
// In files, most literals are shorter than 16 bytes and a copy follows them, so that the
// only branch which often goes another way than before is that on a literal. The two
// kinds of copies are distinguished by a table instead. 16 bytes are copied at least,
// what is too much is overwritten. Each element waits for where the one before ends; behind a
// literal of at most 4 bytes, as between numbers, the copy is within the 8 bytes that were read.
func (s *snappyDecoder) short() (more bool) {
	src, dst, in, out := s.src, s.dst[:s.stop], s.in, s.out
elements:
	for in <= len(src)-snappyIn && out <= len(dst)-snappyOut {
		e := le.Uint64(src, in)
		if e&3 == 0 {
			if e&0xFF >= 16<<2 {
				more = true
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
		c := int(snappyTable.copies[e&0xFF])
		n, at := c&0xFF, 16
		offset := n - c + int(uint32(e>>8)&snappyTable.masks[e&3])
		if offset < 8 || offset > out {
			switch {
			case e&3 == 0:
				continue
			case offset == 0 || offset > out:
				break elements
			}
			near := &snappyTable.near[offset]
			binary.LittleEndian.PutUint64(dst[out:], le.Uint64(dst, out-offset)&near.first*near.times)
			offset, at = int(near.period), 8
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
	return more
}

// long decodes a literal of more than 16 bytes. It tells if it did: not near the end, and none
// with 4 bytes of length.
func (s *snappyDecoder) long() bool {
	src, dst := s.src, s.dst[:s.stop]
	e := le.Uint64(src, s.in)
	n, at := int(e&0xFF>>2), s.in+1
	switch {
	case n == 63:
		return false
	case n >= 60:
		bytes := n - 59
		n, at = int(e>>8&(1<<(8*bytes)-1)), at+bytes
	}
	if n >= len(src)-at-snappyIn || n >= len(dst)-s.out-snappyOut {
		return false
	}
	if n < 32 {
		le.Move16(dst, s.out, src, at)
		le.Move16(dst, s.out+16, src, at+16)
	} else {
		copy(dst[s.out:s.out+n+1], src[at:])
	}
	s.in, s.out = at+n+1, s.out+n+1
	return true
}
