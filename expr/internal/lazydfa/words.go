package lazydfa

import "regexp/syntax"

// boundaries are the assertions about words.
const boundaries = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary

// before is what an automaton has to know of the text before a place: the last byte, which is 0 where there
// is none.
func before(s string, at int) byte {
	if at == 0 {
		return 0
	}
	return s[at-1]
}

// behind is the first byte of the text behind a place.
func behind(s string, at int) byte {
	if at == len(s) {
		return 0
	}
	return s[at]
}

// know makes a state's list where it is known whether the next character is of a word. What is tried later
// than a match is not in it.
func (m *machine) know(s *state, next bool, flags syntax.EmptyOp) {
	if flags |= syntax.EmptyNoWordBoundary; s.word != next {
		flags ^= boundaries
	}
	m.clearList()
	for _, pc := range s.list {
		if pc == again {
			m.list = append(m.list, again)
		} else {
			m.add(uint32(pc), flags)
		}
		if m.cut() {
			break
		}
	}
}
