package text

import (
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/lazydfa"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
	"github.com/parquetsql/parquetsql/internal/quota"
)

// Package regexp cannot be stopped within a text: 50 MB take it seconds. A long text is
// given to it as a reader, which ends when the query is cancelled. And all matches of a text
// take the square of its length where each is looked for to the end, as those of a.*b|a;
// so they are found one by one.

const (
	// longWork is the work from which a text is read. A reader is slower, since the
	// package does not jump to the places of a literal in it.
	longWork = 1 << 20
	// shortWork is the work of a text all of whose matches are found at once.
	shortWork = 2 << 10
	// readerWork is about the work between two calls of work.
	readerWork = 64 << 10
	// matchWork is the work of a match besides that of its bytes.
	matchWork = 32
	// instructionsPerWork is how many instructions of a compiled expression, each of
	// which may be tried at a byte, are about as much work as a byte is elsewhere.
	instructionsPerWork = 8
)

// work notes that n bytes were matched; its error ends the search.
type work = func(n int) error

// watchedText reads a text until work fails.
type watchedText struct {
	s    string
	at   int
	next int // the place of the next call of work
	step int // how many bytes are read between two calls
	cost int // the work of a byte
	work work
	err  error
}

// ReadRune implements io.RuneReader.
func (t *watchedText) ReadRune() (rune, int, error) {
	if t.at >= t.next {
		t.next = t.at + t.step
		if t.err = t.work(t.step * t.cost); t.err != nil {
			return 0, 0, io.EOF
		}
	}
	if t.at == len(t.s) {
		return 0, 0, io.EOF
	}
	r, size := utf8.DecodeRuneInString(t.s[t.at:])
	t.at += size
	return r, size, nil
}

// index is f.Index of a text of any length.
func index(s string, f *substring.Finder, work work) (int, error) {
	for from := 0; ; from += quota.CopiedPerLook {
		end := min(from+quota.CopiedPerLook+len(f.Text()), len(s))
		if at := f.Index(s[from:end]); at >= 0 {
			return from + at, nil
		}
		if end == len(s) {
			return -1, nil
		}
		if err := work(quota.CopiedPerLook / 8); err != nil {
			return -1, err
		}
	}
}

func contains(s string, f *substring.Finder, work work) (bool, error) {
	at, err := index(s, f, work)
	return at >= 0, err
}

func (p *pattern) matches(s string, work work) (bool, error) {
	n := len(s) * p.cost
	switch {
	case p.simple != nil && n < longWork:
		return p.simple.Match(s, p.slots), work(len(s))
	case n < longWork:
		return p.matchesShort(s), work(n)
	}
	at, err := p.find(s, false, work)
	return at != nil, err
}

const (
	// maxPlaces is at how many places of its prefix an expression is tried one by one. Each try may
	// read the rest of the text, which package regexp reads once for all of them.
	maxPlaces = 8
	// rarePrefix is how long a prefix is that few texts have by chance: the longest literal is looked for from
	// there on, and else before.
	rarePrefix = 3
)

func (p *pattern) matchesShort(s string) bool {
	if m := p.automaton(); m != nil && m.ToEnd() {
		if found, ok := m.Match(s); ok {
			return found
		}
	}
	if p.leads < rarePrefix && p.literal.Index(s) < 0 {
		return false
	}
	for tried := 0; p.leads > 0; tried++ {
		at := p.prefix.Index(s)
		if at < 0 {
			return false
		}
		s = s[at:]
		if tried == 0 && p.leads >= rarePrefix && p.literal.Text() != p.prefix.Text() && p.literal.Index(s) < 0 {
			return false
		}
		if p.there == nil || tried == maxPlaces {
			break
		}
		if p.there.Match(s, p.places) {
			return true
		}
		s = s[1:]
	}
	if m := p.automaton(); m != nil {
		if found, ok := m.Match(s); ok {
			return found
		}
	}
	return p.re.MatchString(s)
}

// find is the places of the first match, and of its groups if they are asked for; nil if there is none.
// They are valid until the next call.
func (p *pattern) find(s string, groups bool, work work) ([]int, error) {
	if p.simple != nil && len(s) < longWork {
		if p.simple.Match(s, p.slots) {
			return p.slots, work(len(s))
		}
		return nil, work(len(s))
	}
	if m := p.automaton(); m == nil || !m.ToEnd() {
		if has, err := contains(s, p.literal, work); !has {
			return nil, err
		}
	}
	return p.next(s, 0, groups, work)
}

// next is find for matches that begin at from or behind it.
func (p *pattern) next(s string, from int, groups bool, work work) ([]int, error) {
	if p.prefix.Text() != "" {
		at, err := index(s[from:], p.prefix, work)
		if err != nil || at < 0 {
			return nil, err
		}
		from += at
	}
	if at, ok, err := p.quick(s, from, groups, work); ok {
		return at, err
	}
	re, skip := p.re, 0
	if p.asserts && from > 0 {
		if p.begins {
			return nil, nil
		}
		var err error
		if re, err = p.later(); err != nil {
			return nil, err
		}
		_, size := utf8.DecodeLastRuneInString(s[:from])
		from, skip = from-size, 2
	}
	at, err := p.first(re, s[from:], work)
	if err != nil || at == nil {
		return nil, err
	}
	shift(at, from)
	return at[skip:], nil
}

// shift makes places in a part of a text that begins at by those in the text. A group that took no part has -1.
func shift(at []int, by int) {
	for i := range at {
		if at[i] >= 0 {
			at[i] += by
		}
	}
}

// quick is next by an automaton. It is not known unless ok.
func (p *pattern) quick(s string, from int, groups bool, work work) (at []int, ok bool, err error) {
	if len(s)-from >= longWork {
		return nil, false, nil
	}
	m := p.automaton()
	if m == nil {
		return nil, false, nil
	}
	start, end, ok := m.Find(s, from)
	if !ok {
		return nil, false, nil
	}
	err = work(matchWork + len(s) - from)
	switch {
	case start < 0 || err != nil:
		return nil, true, err
	case !groups:
		p.pair = [2]int{start, end}
		return p.pair[:], true, nil
	case p.asserts:
		at, err = p.groupsAt(s, start, end)
		return at, at != nil, err
	}
	// What follows the match does not matter: nothing is asserted.
	if at = p.groupsOf(s[start:end]); at == nil {
		return nil, false, nil
	}
	shift(at, start)
	return at, true, nil
}

// groupsAt is the places of the match from start to end, which what is around it decides, and of its groups; nil
// if package regexp does not find it.
func (p *pattern) groupsAt(s string, start, end int) ([]int, error) {
	re, from, skip := p.re, 0, 0
	if start > 0 {
		if p.placed == nil {
			var err error
			if p.placed, err = regexp.Compile(`\A(?s:.)(` + p.text + `)`); err != nil {
				return nil, err
			}
		}
		_, size := utf8.DecodeLastRuneInString(s[:start])
		re, from, skip = p.placed, start-size, 2
	}
	at := re.FindStringSubmatchIndex(s[from:])
	if at == nil {
		return nil, nil
	}
	shift(at, from)
	if at = at[skip:]; at[0] != start || at[1] != end {
		return nil, nil
	}
	return at, nil
}

// groupsOf is the places of a match, which is the whole text, and of its groups.
func (p *pattern) groupsOf(match string) []int {
	if p.there != nil {
		if p.there.Match(match, p.places) {
			return p.places
		}
		return nil
	}
	if p.inside == nil {
		p.inside = regexp.MustCompile(`\A(?:` + p.text + `)`) // as compileRegexp has parsed it
	}
	return p.inside.FindStringSubmatchIndex(match)
}

// askedFirst is how many texts an expression is matched with before it has an automaton: a pattern that
// differs from row to row does not need one.
const askedFirst = 8

// automaton is the automaton of the expression, nil if it has none.
func (p *pattern) automaton() *lazydfa.Matcher {
	if p.asked <= askedFirst {
		if p.asked++; p.asked > askedFirst {
			p.lazy = lazydfa.Compile(p.tree)
		}
	}
	return p.lazy
}

// later is the expression for a text that begins with the character before the place where
// matches may begin, which ^ and \b look at. Group 1 is the match.
func (p *pattern) later() (*regexp.Regexp, error) {
	if p.behind == nil {
		var err error
		if p.behind, err = regexp.Compile(`\A(?s:.)(?s:.*?)(` + p.text + `)`); err != nil {
			return nil, err
		}
	}
	return p.behind, nil
}

// first is the first match of an expression in a text of any length.
func (p *pattern) first(re *regexp.Regexp, s string, work work) ([]int, error) {
	n := len(s) * p.cost
	if n < longWork {
		return re.FindStringSubmatchIndex(s), work(matchWork + n)
	}
	step := max(readerWork/p.cost, 1)
	t := &watchedText{s: s, next: step, step: step, cost: p.cost, work: work}
	at := re.FindReaderSubmatchIndex(t)
	if t.err != nil {
		return nil, t.err
	}
	return at, work(matchWork + (t.at-t.next+step)*p.cost)
}

// each calls yield with the places of each match and of its groups, as
// FindAllStringSubmatchIndex has them: an empty match right behind another match is none.
func (p *pattern) each(s string, groups bool, work work, yield func(at []int) error) error {
	if n := len(s) * p.cost; n < shortWork && p.automaton() == nil {
		all := p.re.FindAllStringSubmatchIndex(s, -1)
		for _, at := range all {
			if err := yield(at); err != nil {
				return err
			}
		}
		return work(n * (1 + len(all)))
	}
	for from, end := 0, -1; from <= len(s); {
		at, err := p.next(s, from, groups, work)
		if err != nil || at == nil {
			return err
		}
		if at[1] > from || at[0] != end {
			if err := yield(at); err != nil {
				return err
			}
		}
		end = at[1]
		switch {
		case at[1] > from:
			from = at[1]
		case from == len(s):
			return nil
		default:
			_, size := utf8.DecodeRuneInString(s[from:])
			from += size
		}
	}
	return nil
}
