// Package anchored matches simple regular expressions that begin with ^ some ten times as
// fast as package regexp: sequences of literals, classes, repeated classes and optional
// parts, with groups around them, such as ^https?://(?:www\.)?([^/]+)/.*$.
//
// No step of a Matcher gives back what it has taken: a class is only repeated where what
// may follow begins with no character of it. Only an optional part is tried with and
// without, and there are few of them, so the time is linear in the text.
package anchored

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// maxOptions is how many optional parts an expression may have. Each may double the time.
const maxOptions = 3

// Matcher is a compiled expression. It is immutable.
type Matcher struct {
	steps []step
	slots int // two for each group, the whole match among them
}

// Slots is the length of what Match fills.
func (m *Matcher) Slots() int { return m.slots }

// step is what is done at a place of the text.
type step struct {
	kind kind
	text string // of literal; of folded its lower case
	set  set    // of one and run
	min  int    // of run: 0 or 1 characters
	n    int    // of option: the step behind it; of mark: the slot
}

type kind uint8

const (
	literal kind = iota // the text
	folded              // the text, in letters of either case
	one                 // a character of the set
	run                 // as many characters of the set as there are
	option              // the steps up to n, or nothing
	mark                // a group begins or ends
	end                 // the text ends
)

// Compile compiles an expression, or returns nil if it is not one that the package
// matches.
func Compile(re *syntax.Regexp) *Matcher {
	c := compiler{slots: 2 * (re.MaxCap() + 1)}
	re = re.Simplify()
	if re.Op != syntax.OpConcat || re.Sub[0].Op != syntax.OpBeginText {
		return nil
	}
	for _, sub := range re.Sub[1:] {
		if !c.add(sub) {
			return nil
		}
	}
	for i, s := range c.steps {
		if s.kind == run && s.set.meets(c.first(i+1)) {
			return nil
		}
	}
	return &Matcher{steps: c.steps, slots: c.slots}
}

type compiler struct {
	steps    []step
	slots    int
	options  int
	optional bool // the steps are those of an option
}

func (c *compiler) add(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return true
	case syntax.OpLiteral:
		text := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 {
			text = strings.ToLower(text)
			c.steps = append(c.steps, step{kind: folded, text: text})
			return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
		}
		c.steps = append(c.steps, step{kind: literal, text: text})
		return !strings.ContainsRune(text, utf8.RuneError)
	case syntax.OpEndText:
		c.steps = append(c.steps, step{kind: end})
		return true
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !c.add(sub) {
				return false
			}
		}
		return true
	case syntax.OpCapture:
		if c.optional { // whether it has taken part would have to be undone
			return false
		}
		c.steps = append(c.steps, step{kind: mark, n: 2 * re.Cap})
		ok := c.add(re.Sub[0])
		c.steps = append(c.steps, step{kind: mark, n: 2*re.Cap + 1})
		return ok
	case syntax.OpQuest:
		return c.addOption(re)
	case syntax.OpStar, syntax.OpPlus:
		s, ok := setOf(re.Sub[0])
		atLeast := 0
		if re.Op == syntax.OpPlus {
			atLeast = 1
		}
		c.steps = append(c.steps, step{kind: run, set: s, min: atLeast})
		return ok && re.Flags&syntax.NonGreedy == 0
	}
	s, ok := setOf(re)
	c.steps = append(c.steps, step{kind: one, set: s})
	return ok
}

// beyondASCII is what a letter is too, if either case is meant; "" for most.
func beyondASCII(b byte) string {
	switch b {
	case 'k':
		return "\u212A" // the Kelvin sign
	case 's':
		return "ſ"
	}
	return ""
}

// foldedPrefix is how many bytes of s are the text, whose letters are lower ones, in either case; -1 if s does
// not begin so.
func foldedPrefix(s, text string) int {
	pos := 0
	for i := range len(text) {
		b := text[i]
		if pos < len(s) && (s[pos] == b || 'a' <= b && b <= 'z' && s[pos] == b-'a'+'A') {
			pos++
			continue
		}
		other := beyondASCII(b)
		if other == "" || !strings.HasPrefix(s[pos:], other) {
			return -1
		}
		pos += len(other)
	}
	return pos
}

func (c *compiler) addOption(re *syntax.Regexp) bool {
	if c.options++; c.options > maxOptions || c.optional || re.Flags&syntax.NonGreedy != 0 {
		return false
	}
	at := len(c.steps)
	c.steps = append(c.steps, step{kind: option})
	c.optional = true
	ok := c.add(re.Sub[0])
	c.optional = false
	c.steps[at].n = len(c.steps)
	return ok
}

// first is the characters with which the text may go on at a step. After the last step
// anything may follow, and nothing has to.
func (c *compiler) first(at int) set {
	var out set
	for at < len(c.steps) {
		s := c.steps[at]
		switch s.kind {
		case literal:
			out.addByte(s.text[0])
			return out
		case folded:
			out.addByte(s.text[0])
			out.addByte(strings.ToUpper(s.text[:1])[0])
			out.others = out.others || beyondASCII(s.text[0]) != ""
			return out
		case one, run:
			out.addAll(s.set)
			if s.kind == one || s.min > 0 {
				return out
			}
		case option:
			out.addAll(c.first(at + 1))
			at = s.n
			continue
		case end:
			return out
		}
		at++
	}
	return out
}

// Match reports whether the expression matches s from its beginning, and fills the places
// of the groups as regexp.FindStringSubmatchIndex does. slots has Slots elements.
func (m *Matcher) Match(s string, slots []int) bool {
	for i := range slots {
		slots[i] = -1
	}
	stop, ok := m.match(s, 0, 0, slots)
	slots[0], slots[1] = 0, stop
	return ok
}

func (m *Matcher) match(s string, at, pos int, slots []int) (int, bool) {
	for at < len(m.steps) {
		step := &m.steps[at]
		at++
		switch step.kind {
		case literal:
			if !strings.HasPrefix(s[pos:], step.text) {
				return 0, false
			}
			pos += len(step.text)
		case folded:
			n := foldedPrefix(s[pos:], step.text)
			if n < 0 {
				return 0, false
			}
			pos += n
		case one:
			if pos == len(s) || !step.set.has(s[pos]) {
				return 0, false
			}
			_, width := utf8.DecodeRuneInString(s[pos:])
			pos += width
		case run:
			n := step.set.span(s[pos:])
			if n < step.min {
				return 0, false
			}
			pos += n
		case option:
			if stop, ok := m.match(s, at, pos, slots); ok {
				return stop, true
			}
			at = step.n
		case mark:
			slots[step.n] = pos
		case end:
			if pos != len(s) {
				return 0, false
			}
		}
	}
	return pos, true
}
