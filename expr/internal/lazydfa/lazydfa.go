// Package lazydfa finds where regular expressions match some ten times as fast as package regexp, and in
// the same places: the leftmost match, and of several there the one that is tried first.
//
// A deterministic automaton reads each character once. Its states are ordered lists of the instructions
// that package regexp would run in turn; they are made when they are first reached, and kept in bounded
// memory. Going forward it finds the end of the match, and another one, which reads the reversed
// expression back from there, its beginning. (Cox, "Regular Expression Matching in the Wild", 2010.)
//
// Whether \b holds is known once the next character is: an automaton of such an expression notes a match one
// character later than others do.
//
// Groups within a match are not found, and there are no automata for ^ and $ of lines.
package lazydfa

import (
	"regexp/syntax"
	"slices"
)

// Matcher is a compiled expression. It is for one goroutine.
type Matcher struct {
	forward, back machine
	toEnd         bool // every match ends where the text does: it is read back alone
}

// maxInstructions is how long a compiled expression may be: a state has at most as many.
const maxInstructions = 2000

// Compile compiles an expression, or returns nil if it is not one that the package matches.
func Compile(re *syntax.Regexp) *Matcher {
	if size(re, maxInstructions) > maxInstructions {
		return nil // before it is copied and compiled
	}
	re = re.Simplify()
	if !supported(re) {
		return nil
	}
	prog, err := syntax.Compile(re)
	if err != nil || len(prog.Inst) > maxInstructions || endsBeforeBegin(prog) {
		return nil
	}
	reverse, err := syntax.Compile(reversed(re))
	if err != nil || len(reverse.Inst) > maxInstructions || endsBeforeBegin(reverse) {
		return nil
	}
	classes := newClasses(prog)
	if classes == nil {
		return nil
	}
	late := hasBoundary(re)
	return &Matcher{
		forward: machine{prog: prog, classes: classes, loop: true, late: late},
		back:    machine{prog: reverse, classes: classes, longest: true, late: late},
		toEnd:   endsText(re),
	}
}

// size is about how many instructions an expression has; beyond limit it may be fewer.
func size(re *syntax.Regexp, limit int) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		if n > limit {
			return n
		}
		n += size(sub, limit-n)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1) // each below 1001, as is their product in nested ones
	}
	return n
}

// ToEnd reports that every match ends where the text does. They are found from there, so that no other
// search in the text pays before.
func (m *Matcher) ToEnd() bool { return m.toEnd }

// Match reports whether the expression matches within s. It is not known unless ok.
func (m *Matcher) Match(s string) (found, ok bool) {
	if m.toEnd {
		start, ok := m.back.start(s, 0, len(s))
		return start >= 0, ok
	}
	end, ok := m.forward.end(s, 0, true)
	return end >= 0, ok
}

// Find is where the first match begins and ends in s that begins at from or behind; start is -1 if there
// is none. It is not known unless ok.
func (m *Matcher) Find(s string, from int) (start, end int, ok bool) {
	if m.toEnd {
		start, ok = m.back.start(s, from, len(s))
		return start, len(s), ok
	}
	if end, ok = m.forward.end(s, from, false); !ok || end < 0 {
		return -1, -1, ok
	}
	start, ok = m.back.start(s, from, end)
	return start, end, ok && start >= 0
}

// hasBoundary reports that the expression has a \b or a \B.
func hasBoundary(re *syntax.Regexp) bool {
	return re.Op == syntax.OpWordBoundary || re.Op == syntax.OpNoWordBoundary || slices.ContainsFunc(re.Sub, hasBoundary)
}

// supported reports that there are no assertions of lines.
func supported(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine:
		return false
	}
	for _, sub := range re.Sub {
		if !supported(sub) {
			return false
		}
	}
	return true
}

// endsText reports that every match ends where the text does.
func endsText(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEndText:
		return true
	case syntax.OpCapture, syntax.OpConcat:
		return len(re.Sub) > 0 && endsText(re.Sub[len(re.Sub)-1])
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if !endsText(sub) {
				return false
			}
		}
		return true
	}
	return false
}

// reversed matches the reversed texts, without groups.
func reversed(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpCapture {
		return reversed(re.Sub[0])
	}
	out := *re
	switch re.Op {
	case syntax.OpBeginText:
		out.Op = syntax.OpEndText
	case syntax.OpEndText:
		out.Op = syntax.OpBeginText
	}
	out.Rune, out.Sub = append([]rune(nil), re.Rune...), make([]*syntax.Regexp, len(re.Sub))
	last := len(re.Sub) - 1
	for i, sub := range re.Sub {
		if re.Op == syntax.OpConcat {
			out.Sub[last-i] = reversed(sub)
		} else {
			out.Sub[i] = reversed(sub)
		}
	}
	if re.Op == syntax.OpLiteral {
		for i, r := range re.Rune {
			out.Rune[len(re.Rune)-1-i] = r
		}
	}
	return &out
}

// endsBeforeBegin reports that the beginning of the text may be asserted behind its end, as in $^, or behind a
// \b. Only the empty text has both in one place, and where \b is known the beginning is forgotten.
func endsBeforeBegin(prog *syntax.Prog) bool {
	seen := make([]bool, len(prog.Inst))
	var reaches func(pc uint32) bool
	reaches = func(pc uint32) bool {
		if seen[pc] {
			return false
		}
		seen[pc] = true
		switch inst := &prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			return reaches(inst.Out) || reaches(inst.Arg)
		case syntax.InstEmptyWidth:
			return syntax.EmptyOp(inst.Arg)&syntax.EmptyBeginText != 0 || reaches(inst.Out)
		case syntax.InstCapture, syntax.InstNop:
			return reaches(inst.Out)
		}
		return false
	}
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&(syntax.EmptyEndText|boundaries) != 0 && reaches(inst.Out) {
			return true
		}
	}
	return false
}
