package text

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Package regexp cannot be stopped within a text: 50 MB take it seconds. A long text is
// given to it as a reader, which ends when the query is cancelled.

const (
	// longText is the size in bytes from which a text is read. A reader is slower, since
	// the package does not jump to the places of a literal in it.
	longText = 1 << 20
	// readerWork is how many bytes are read between two calls of work.
	readerWork = 64 << 10
)

// work notes that n bytes were matched; its error ends the search.
type work = func(n int) error

// watchedText reads a text until work fails.
type watchedText struct {
	s    string
	at   int
	next int // the place of the next call of work
	work work
	err  error
}

// ReadRune implements io.RuneReader.
func (t *watchedText) ReadRune() (rune, int, error) {
	if t.at >= t.next {
		t.next = t.at + readerWork
		if t.err = t.work(readerWork); t.err != nil {
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

// find is the places of the first match and of its groups, nil if there is none. They are
// valid until the next call.
func (p *pattern) find(s string, work work) ([]int, error) {
	switch {
	case p.simple != nil:
		if p.simple.Match(s, p.slots) {
			return p.slots, nil
		}
		return nil, nil
	case p.literal.Index(s) < 0:
		return nil, nil
	case len(s) >= longText:
		return p.findLong(s, work)
	}
	return p.re.FindStringSubmatchIndex(s), nil
}

// findLong is find for a text that is read.
func (p *pattern) findLong(s string, work work) ([]int, error) {
	from := 0
	if prefix, _ := p.re.LiteralPrefix(); prefix != "" && !p.asserts { // it leaves out a ^ before it
		if from = strings.Index(s, prefix); from < 0 {
			return nil, work(len(s) / 8)
		}
	}
	t := &watchedText{s: s[from:], next: readerWork, work: work}
	at := p.re.FindReaderSubmatchIndex(t)
	if t.err != nil {
		return nil, t.err
	}
	for i := range at {
		if at[i] >= 0 {
			at[i] += from
		}
	}
	return at, nil
}

// each calls yield with the places of each match and of its groups, as
// FindAllStringSubmatchIndex has them: an empty match right behind another match is none.
// With an assertion, which looks back, the whole text is matched at once.
func (p *pattern) each(s string, work work, yield func(at []int) error) error {
	if len(s) < longText || p.asserts {
		for _, at := range p.re.FindAllStringSubmatchIndex(s, -1) {
			if err := yield(at); err != nil {
				return err
			}
		}
		return work(len(s))
	}
	for from, end := 0, -1; from <= len(s); {
		at, err := p.within(s[from:], work)
		if err != nil || at == nil {
			return err
		}
		for i := range at {
			if at[i] >= 0 {
				at[i] += from
			}
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

// matchWork is the work of a match besides that of its bytes.
const matchWork = 32

// within is the first match of a text of any length.
func (p *pattern) within(s string, work work) ([]int, error) {
	if len(s) >= longText {
		at, err := p.findLong(s, work)
		if err != nil || at == nil {
			return nil, err
		}
		return at, work(matchWork + min(at[1], readerWork)) // of longer ones the reader has told
	}
	at := p.re.FindStringSubmatchIndex(s)
	if at == nil {
		return nil, work(len(s))
	}
	return at, work(matchWork + at[1])
}
