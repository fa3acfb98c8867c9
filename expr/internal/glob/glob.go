// Package glob matches the patterns of shells: *, ?, [a-c] and [!a-c].
package glob

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/lazydfa"
	"github.com/parquetsql/parquetsql/internal/quota"
)

const (
	// cameFirst is for how many texts a pattern comes before it has an automaton: one that differs from row to
	// row does not need one.
	cameFirst = 8
	// longPattern is the length up to which patterns get automata: the memory of longer ones would have to be charged.
	longPattern = 1 << 10
	// longText is the length from which texts are matched in pieces of work.
	longText = 1 << 20
)

// Matcher keeps the automaton of the last pattern, once it has come often enough. It is for one goroutine.
type Matcher struct {
	pattern string
	came    int
	lazy    *lazydfa.Matcher
}

// Matches reports whether a text matches a pattern. work gets to know how much was done; its error ends that.
func (g *Matcher) Matches(s, pattern string, work func(n int) error) (bool, error) {
	if pattern != g.pattern {
		g.pattern, g.came, g.lazy = strings.Clone(pattern), 0, nil // the memory of the batch is used again
	}
	if g.came++; g.came == cameFirst && len(pattern) <= longPattern {
		if tree, err := syntax.Parse(expression(g.pattern), syntax.Perl|syntax.DotNL); err == nil {
			g.lazy = lazydfa.Compile(tree)
		}
	}
	if g.lazy != nil && len(s) < longText {
		if hit, ok := g.lazy.Match(s); ok {
			return hit, work(len(s))
		}
	}
	return matches(s, pattern, work)
}

// nothing is a regular expression that matches no character.
const nothing = `[^\x00-\x{10FFFF}]`

// expression is the pattern as a regular expression.
func expression(pattern string) string {
	re := strings.Builder{}
	re.WriteString(`\A`)
	for pattern != "" {
		length := 1
		switch pattern[0] {
		case '*':
			re.WriteString(".*")
		case '?':
			re.WriteString(".")
		case '[':
			var members strings.Builder
			n, not := ranges(pattern, func(low, high rune) {
				if low <= high {
					fmt.Fprintf(&members, `\x{%X}-\x{%X}`, low, high)
				}
			})
			switch {
			case n == 0:
				return nothing
			case members.Len() == 0 && not:
				re.WriteString(".")
			case members.Len() == 0:
				re.WriteString(nothing)
			case not:
				re.WriteString("[^" + members.String() + "]")
			default:
				re.WriteString("[" + members.String() + "]")
			}
			length = n
		default:
			if pattern[0] == '\\' {
				pattern = pattern[1:]
			}
			var r rune
			if r, length = utf8.DecodeRuneInString(pattern); length == 0 {
				return nothing
			}
			fmt.Fprintf(&re, `\x{%X}`, r)
		}
		pattern = pattern[length:]
	}
	return re.String() + `\z`
}

// matches compares in time linear in the product of the lengths: only the last * is
// tried again. A pattern that ends within brackets or behind a backslash matches nothing.
func matches(s, pattern string, work func(n int) error) (bool, error) {
	at, star, resume := 0, -1, ""
	ticker := quota.Telling(work, quota.BytesPerTell)
	for rest := s; ; {
		if err := ticker.Work(1); err != nil {
			return false, err
		}
		if at < len(pattern) && pattern[at] == '*' {
			star, resume = at, rest
			at++
			continue
		}
		if rest == "" {
			return at == len(pattern), nil
		}
		r, size := utf8.DecodeRuneInString(rest)
		if next, ok := step(pattern[at:], r); ok {
			at, rest = at+next, rest[size:]
			continue
		}
		if star < 0 {
			return false, nil
		}
		_, size = utf8.DecodeRuneInString(resume)
		resume = resume[size:]
		at, rest = star+1, resume
	}
}

// step matches one character with the head of a pattern and returns its length.
func step(pattern string, r rune) (length int, ok bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		return set(pattern, r)
	case '\\':
		pattern = pattern[1:]
		length = 1
	}
	p, size := utf8.DecodeRuneInString(pattern)
	return length + size, size > 0 && p == r
}

// set matches a character with [abc], [a-c] and [!a].
func set(pattern string, r rune) (length int, ok bool) {
	found := false
	length, not := ranges(pattern, func(low, high rune) { found = found || low <= r && r <= high })
	return length, length > 0 && found != not
}

// ranges calls f with the ranges in brackets, of which not says that they are those that do not match.
// A ] right behind the bracket is a member. The length is 0 where the brackets have no end.
func ranges(pattern string, f func(low, high rune)) (length int, not bool) {
	at := 1
	if not = strings.HasPrefix(pattern[at:], "!"); not {
		at++
	}
	for first := true; ; first = false {
		low, size := utf8.DecodeRuneInString(pattern[at:])
		if size == 0 {
			return 0, not
		}
		at += size
		if low == ']' && !first {
			return at, not
		}
		high := low
		if tail := pattern[at:]; len(tail) > 1 && tail[0] == '-' {
			high, size = utf8.DecodeRuneInString(tail[1:])
			at += 1 + size
		}
		f(low, high)
	}
}
