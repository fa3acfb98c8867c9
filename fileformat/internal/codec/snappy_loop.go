package codec

import "github.com/parquetsql/parquetsql/fileformat/internal/le"

// snappyLoop is one of the two loops of snappyElements.
type snappyLoop uint8

const (
	snappyUnknown   snappyLoop = iota
	snappyByElement            // a branch for each element: literal or copy
	snappyByUnit               // a copy with the literal before it, if there is one, without a branch
)

// choose chooses the loop by some elements. They are not the first of the block: until there is
// something to copy most are literals.
//
// A processor foretells the branch of the other loop where literals and copies alternate, as of
// most numbers, and where there are few literals, as of texts. Between them it is often wrong.
// Copies with an offset of 8, as of sorted numbers, are faster in the other loop.
func (s *snappyDecoder) choose() {
	const first, sample = 2048, 24
	if s.out < first && s.stop > 2*first {
		s.in, s.out = snappyElements(s.src, s.dst[:first], s.in, s.out, &snappyTable, false)
	}
	s.loop = snappyByElement
	var literals, again, near, made int
	in, last := s.in, -1
	for range sample {
		if in > len(s.src)-snappyIn {
			return
		}
		e := le.Uint64(s.src, in)
		kind, literal := int(e&3), 0
		if kind == 0 {
			n := int(e & 0xFF >> 2)
			literals, literal = literals+1, 1
			in, made = in+2+n, made+1+n
		} else {
			c := int(snappyTable.copies[e&0xFF])
			if n := c & 0xFF; n-c+int(uint32(e>>8)&snappyTable.masks[kind]) == 8 {
				near++
			}
			in, made = in+1+kind, made+c&0xFF
		}
		if literal == last {
			again++
		}
		last = literal
	}
	if literals > sample/4 && again > 0 && near < sample/4 && 8*(in-s.in) > 3*made {
		s.loop = snappyByUnit
	}
}
