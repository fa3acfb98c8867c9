package anchored

import (
	"math/bits"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// set is a set of characters: any of ASCII, and all others or none of them. Bytes that are
// not UTF-8 count as others, as regexp has them match U+FFFD. So a text is looked at byte
// by byte.
type set struct {
	ascii  [2]uint64
	others bool
}

// setOf is the set of an expression that matches one character.
func setOf(re *syntax.Regexp) (set, bool) {
	var out set
	switch re.Op {
	case syntax.OpAnyChar:
		return set{ascii: [2]uint64{^uint64(0), ^uint64(0)}, others: true}, true
	case syntax.OpAnyCharNotNL:
		return set{ascii: [2]uint64{^uint64(1 << '\n'), ^uint64(0)}, others: true}, true
	case syntax.OpLiteral:
		if len(re.Rune) != 1 || re.Rune[0] >= utf8.RuneSelf || re.Flags&syntax.FoldCase != 0 {
			return out, false
		}
		out.addByte(byte(re.Rune[0]))
		return out, true
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= min(re.Rune[i+1], utf8.RuneSelf-1); r++ {
				out.addByte(byte(r))
			}
			if re.Rune[i+1] >= utf8.RuneSelf {
				if re.Rune[i] > utf8.RuneSelf || re.Rune[i+1] != unicode.MaxRune {
					return out, false
				}
				out.others = true
			}
		}
		return out, true
	}
	return out, false
}

func (s *set) addByte(b byte) {
	if b >= utf8.RuneSelf {
		s.others = true
		return
	}
	s.ascii[b>>6] |= 1 << (b & 63)
}

func (s *set) addAll(o set) {
	s.ascii[0] |= o.ascii[0]
	s.ascii[1] |= o.ascii[1]
	s.others = s.others || o.others
}

func (s set) meets(o set) bool {
	return s.ascii[0]&o.ascii[0]|s.ascii[1]&o.ascii[1] != 0 || s.others && o.others
}

func (s *set) has(b byte) bool {
	if b >= utf8.RuneSelf {
		return s.others
	}
	return s.ascii[b>>6]>>(b&63)&1 != 0
}

// span is how many bytes of the text, from its beginning, are in the set.
func (s *set) span(text string) int {
	if b, ok := s.allBut(); ok {
		if i := strings.IndexByte(text, b); i >= 0 {
			return i
		}
		return len(text)
	}
	for i := range len(text) {
		if !s.has(text[i]) {
			return i
		}
	}
	return len(text)
}

// allBut is the one character that is not in the set, if there is just one.
func (s *set) allBut() (byte, bool) {
	low, high := ^s.ascii[0], ^s.ascii[1]
	if !s.others || bits.OnesCount64(low)+bits.OnesCount64(high) != 1 {
		return 0, false
	}
	if low != 0 {
		return byte(bits.TrailingZeros64(low)), true
	}
	return byte(64 + bits.TrailingZeros64(high)), true
}
