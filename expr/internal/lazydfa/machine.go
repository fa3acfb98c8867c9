package lazydfa

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// machine is an automaton that reads texts forward, or back.
type machine struct {
	prog    *syntax.Prog
	classes *classes
	longest bool // the longest match counts, not the one that is tried first
	loop    bool // a match may begin at every place
	late    bool // it has a \b or \B: a match is noted when the character behind it is read

	takes  [][]bool // for each instruction, which classes it reads
	words  []bool   // which classes are of words; only where late
	states []state
	ids    map[string]int32
	// next has for each state and each class the state behind it, as twice the place of its first
	// class here, and 1 more if it matches: see the constants.
	next   []int32
	begins [3]int32 // the first states: within the text, there behind a character of a word, and at its beginning

	list []int32 // of the state that is made
	word bool    // it is behind a character of a word; only where late
	open []int32 // a list whose \b are known
	seen []uint32
	mark uint32
	hit  bool // the list has a match
	key  []byte

	listed int // the lengths of all lists
	read   int // bytes since the states were forgotten
	off    bool
}

// state is where the expression may be at a place of a text.
type state struct {
	list  []int32 // instructions, in the order in which they are tried
	match bool
	word  bool     // it is behind a character of a word; only where late
	atEnd tristate // it matches where the text ends
}

type tristate int8

const (
	notKnown tristate = iota
	no
	yes
)

// Transitions that are not the state that follows.
const (
	unknown = -1
	dead    = 0 // nothing matches from here on; also the number of that state
)

// again is the instruction by which a match may begin at the next place too.
const again = -1

const (
	// maxCells is the room for transitions, and maxListed that for the lists of states. Where they are not
	// enough, all states are forgotten.
	maxCells, maxListed = 1 << 16, 1 << 16
	// bytesPerState is how many bytes have to be read for each state, or making them takes longer than
	// package regexp.
	bytesPerState = 10
)

// reset forgets all states.
func (m *machine) reset() {
	if m.takes == nil {
		m.prepare()
	}
	m.states, m.next = append(m.states[:0], state{}), m.next[:0]
	m.listed, m.read = 0, 0
	for range m.classes.from {
		m.next = append(m.next, dead)
	}
	clear(m.ids)
	m.begins = [3]int32{unknown, unknown, unknown}
}

// prepare computes which classes the instructions read.
func (m *machine) prepare() {
	m.takes, m.seen, m.ids = make([][]bool, len(m.prog.Inst)), make([]uint32, len(m.prog.Inst)), map[string]int32{}
	for i := range m.prog.Inst {
		switch inst := &m.prog.Inst[i]; inst.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			m.takes[i] = make([]bool, len(m.classes.from))
			for class, first := range m.classes.from {
				m.takes[i][class] = inst.MatchRune(first)
			}
		}
	}
	for _, first := range m.classes.from {
		m.words = append(m.words, syntax.IsWordChar(first))
	}
}

// end is the end of the first match that begins at from or behind, or of any one if that is enough; -1 if
// there is none.
func (m *machine) end(s string, from int, any bool) (end int, ok bool) {
	t, ok := m.begin(from == 0, before(s, from))
	if !ok {
		return -1, false
	}
	if end = -1; t&1 != 0 {
		if end = from; any {
			return end, true
		}
	}
	at, i, next := int(t>>1), from, m.next
	for i < len(s) {
		c, size := s[i], 1
		class := 0
		if c < utf8.RuneSelf {
			class = int(m.classes.ascii[c])
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			class = m.classes.of(r)
		}
		t := next[at+class]
		if t <= dead || t&1 != 0 {
			if t == unknown {
				if t, ok = m.step(at, class, i-from); !ok {
					return -1, false
				}
				next = m.next
			}
			if t == dead {
				m.read += i - from
				return end, true
			}
			if t&1 != 0 {
				if end = i; !m.late {
					end += size
				}
				if any {
					return end, true
				}
			}
		}
		at, i = int(t>>1), i+size
	}
	if m.read += i - from; m.matchesAtEnd(at) {
		end = len(s)
	}
	return end, true
}

// start is the first place, not before from, from which on the text matches up to end; -1 if there is none.
func (m *machine) start(s string, from, end int) (start int, ok bool) {
	t, ok := m.begin(end == len(s), behind(s, end))
	if !ok {
		return -1, false
	}
	if start = -1; t&1 != 0 {
		start = end
	}
	at, i := int(t>>1), end
	for i > from {
		class, size := 0, 1
		if c := s[i-1]; c < utf8.RuneSelf {
			class = int(m.classes.ascii[c])
		} else {
			var r rune
			r, size = utf8.DecodeLastRuneInString(s[from:i])
			class = m.classes.of(r)
		}
		t := m.next[at+class]
		if t == unknown {
			if t, ok = m.step(at, class, end-i); !ok {
				return -1, false
			}
		}
		if t == dead {
			break
		}
		if m.late && t&1 != 0 {
			start = i
		}
		if at, i = int(t>>1), i-size; !m.late && t&1 != 0 {
			start = i
		}
	}
	m.read += end - i
	switch {
	case i == 0 && m.matchesAtEnd(at):
		start = 0
	case i > 0 && i == from && m.late: // the character before from says whether the match may begin there
		r, _ := utf8.DecodeLastRuneInString(s[:i])
		class := m.classes.of(r)
		t := m.next[at+class]
		if t == unknown {
			if t, ok = m.step(at, class, end-i); !ok {
				return -1, false
			}
		}
		if t&1 != 0 {
			start = i
		}
	}
	return start, true
}

// begin is the transition to the first state. last is a byte of the character before it.
func (m *machine) begin(atBegin bool, last byte) (t int32, ok bool) {
	if m.off {
		return unknown, false
	}
	if m.states == nil {
		m.reset()
	}
	k, flags := 0, syntax.EmptyOp(0)
	switch {
	case atBegin:
		k, flags = 2, syntax.EmptyBeginText
	case m.late && syntax.IsWordChar(rune(last)):
		k = 1
	}
	if m.begins[k] == unknown {
		m.clearList()
		m.word = k == 1
		if m.add(uint32(m.prog.Start), flags); m.loop && !m.cut() {
			m.list = append(m.list, again)
		}
		m.begins[k] = m.intern()
	}
	return m.begins[k], true
}

// step is the transition from the state whose transitions are at a place. read is how much of the text was read.
func (m *machine) step(at, class, read int) (t int32, ok bool) {
	from := &m.states[at/len(m.classes.from)]
	list, late := from.list, int32(0)
	if m.late {
		m.know(from, m.words[class], 0)
		if m.hit {
			late = 1
		}
		m.open = append(m.open[:0], m.list...)
		list = m.open
	}
	m.clearList()
	m.word = m.late && m.words[class]
	for _, pc := range list {
		if pc == again {
			if m.add(uint32(m.prog.Start), 0); !m.cut() {
				m.list = append(m.list, again)
			}
		} else if takes := m.takes[pc]; takes != nil && takes[class] {
			m.add(m.prog.Inst[pc].Out, 0)
		}
		if m.cut() {
			break
		}
	}
	if len(m.next)+len(m.classes.from) <= maxCells && m.listed+len(m.list) <= maxListed {
		t = m.intern() | late
		m.next[at+class] = t
		return t, true
	}
	if m.read+read < bytesPerState*len(m.states) {
		m.off, m.states, m.next, m.ids = true, nil, nil, nil
		return unknown, false
	}
	m.reset()
	m.read = -read
	return m.intern() | late, true
}

// cut reports that what would be tried later does not count.
func (m *machine) cut() bool { return m.hit && !m.longest }

func (m *machine) clearList() {
	m.list, m.hit = m.list[:0], false
	if m.mark++; m.mark == 0 {
		clear(m.seen)
		m.mark = 1
	}
}

// add adds the instructions that read a character, or wait for the end of the text, from one on.
func (m *machine) add(pc uint32, flags syntax.EmptyOp) {
	if m.seen[pc] == m.mark || m.cut() {
		return
	}
	m.seen[pc] = m.mark
	switch inst := &m.prog.Inst[pc]; inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		m.add(inst.Out, flags)
		m.add(inst.Arg, flags)
	case syntax.InstCapture, syntax.InstNop:
		m.add(inst.Out, flags)
	case syntax.InstEmptyWidth:
		switch need := syntax.EmptyOp(inst.Arg) &^ flags; {
		case need == 0:
			m.add(inst.Out, flags)
		case need == syntax.EmptyEndText, flags&boundaries == 0 && need&boundaries != 0:
			m.list = append(m.list, int32(pc))
		}
	case syntax.InstMatch:
		m.hit = true
		m.list = append(m.list, int32(pc))
	case syntax.InstFail:
	default:
		m.list = append(m.list, int32(pc))
	}
}

// matchesAtEnd reports whether the state matches where the text ends.
func (m *machine) matchesAtEnd(at int) bool {
	s := &m.states[at/len(m.classes.from)]
	if s.atEnd == notKnown {
		if m.late {
			m.know(s, false, syntax.EmptyEndText)
		} else {
			m.clearList()
			m.hit = s.match
			for _, pc := range s.list {
				if pc != again && m.prog.Inst[pc].Op == syntax.InstEmptyWidth {
					m.add(m.prog.Inst[pc].Out, syntax.EmptyEndText)
				}
			}
		}
		if s.atEnd = no; m.hit {
			s.atEnd = yes
		}
	}
	return s.atEnd == yes
}

// intern is the transition to the state of the list, which is made unless there is one.
func (m *machine) intern() int32 {
	if len(m.list) == 0 {
		return dead
	}
	if m.longest {
		slices.Sort(m.list)
	}
	m.key = m.key[:0]
	if m.word {
		m.key = append(m.key, 1) // others have an even length
	}
	for _, pc := range m.list {
		m.key = append(m.key, byte(pc), byte(pc>>8))
	}
	if t, ok := m.ids[string(m.key)]; ok {
		return t
	}
	t := int32(2 * len(m.next))
	if m.hit && !m.late {
		t++
	}
	m.listed += len(m.list)
	m.states = append(m.states, state{list: slices.Clone(m.list), match: m.hit, word: m.word})
	for range m.classes.from {
		m.next = append(m.next, unknown)
	}
	m.ids[string(m.key)] = t
	return t
}
