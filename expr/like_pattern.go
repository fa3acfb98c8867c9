package expr

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
	"github.com/parquetsql/parquetsql/internal/quota"
)

// errEscape is the error of an ESCAPE that is no character.
var errEscape = errors.New("LIKE: ESCAPE must be one character")

// likePattern is a pattern split at each %: the text begins with the first part,
// ends with the last one and has the others in between, in order. A part is a run
// of characters and single-character wildcards. The leftmost match of each part in
// between is always right, so matching never backtracks.
//
// A likePattern is for one goroutine.
type likePattern struct {
	source string
	of     Letters
	reach  substring.Reach // of all parts
	parts  []part
	anchor bool // no %: the only part must match the whole text

	inOrder []*substring.Finder // of all parts in between, where no others have texts; else nil
}

// Letters says what is made of a text, letter by letter, before it is matched.
type Letters struct {
	Fold substring.Fold      // what is made of ASCII
	All  func(string) string // what is made of any text; nil with Exact
}

// LowerLetters makes letters lower-case.
var LowerLetters = Letters{substring.Lower, substring.ToLower}

// part is text with any-character wildcards; plain parts have none.
type part struct {
	text   string
	plain  bool
	wild   []bool            // for each character of text
	fixed  string            // of a part with wildcards: its longest text without,
	before int               // and how many characters come before that
	finder *substring.Finder // nil: as package strings finds it
}

// compileLike fails if the pattern ends in its escape character. The pattern of ILIKE is
// insensitive, and matches texts of which LowerLetters makes the same; as in DuckDB it has been made
// lower-case before the escape character is looked for.
func compileLike(pattern, escape string, of Letters, insensitive bool) (*likePattern, error) {
	if utf8.RuneCountInString(escape) > 1 {
		return nil, errEscape
	}
	p := &likePattern{source: pattern, of: of, anchor: true}
	if insensitive {
		p.of, pattern = LowerLetters, substring.ToLower(pattern)
	}
	var parts likeBuilder
	for i := 0; i < len(pattern); {
		_, size := utf8.DecodeRuneInString(pattern[i:])
		c := pattern[i : i+size]
		i += size
		switch {
		case escape != "" && c == escape:
			if i == len(pattern) {
				return nil, fmt.Errorf("LIKE: pattern %q ends in its escape character", pattern)
			}
			_, size = utf8.DecodeRuneInString(pattern[i:])
			parts.add(pattern[i:i+size], false)
			i += size
		case c == "%":
			p.anchor = false
			p.parts = append(p.parts, parts.finish())
		default:
			parts.add(c, c == "_")
		}
	}
	p.parts = append(p.parts, parts.finish())
	p.prepare()
	return p, nil
}

// Text is the pattern as it was written.
func (p *likePattern) Text() string { return p.source }

// maxFinders is how many parts a pattern may have that are searched for fast.
const maxFinders = 16

// prepare makes the finders.
func (p *likePattern) prepare() {
	p.reach = substring.Everywhere
	for _, part := range p.parts {
		if p.reach = min(p.reach, p.of.Fold.Reach(part.text)); p.of.All != nil && (!part.plain || len(p.parts) > maxFinders) {
			p.reach = substring.Nowhere // what _ stands for may have another length once it is folded
		}
	}
	if p.reach == substring.Nowhere {
		p.of.Fold = substring.Exact // once all is folded
	}
	for i := range p.parts {
		if len(p.parts) <= maxFinders && p.parts[i].plain {
			p.parts[i].finder = substring.New(p.parts[i].text, p.of.Fold)
		}
	}
	last := len(p.parts) - 1
	if p.reach != substring.Everywhere || last < 2 || p.parts[0].text != "" || p.parts[last].text != "" {
		return
	}
	for _, part := range p.parts[1:last] {
		if part.finder == nil {
			p.inOrder = nil
			return
		}
		p.inOrder = append(p.inOrder, part.finder)
	}
}

type likeBuilder struct {
	text strings.Builder
	wild []bool
	any  bool
}

func (b *likeBuilder) add(c string, wild bool) {
	b.text.WriteString(c)
	for range utf8.RuneCountInString(c) {
		b.wild = append(b.wild, wild)
	}
	b.any = b.any || wild
}

func (b *likeBuilder) finish() part {
	p := part{text: b.text.String(), plain: !b.any, wild: b.wild}
	p.findFixed()
	b.text.Reset()
	b.wild, b.any = nil, false
	return p
}

// findFixed sets what is searched for before wildcards are looked at.
func (p *part) findFixed() {
	from, first := 0, 0 // of the text without wildcards: its byte, its character
	for i, k := 0, 0; i < len(p.text); k++ {
		_, size := utf8.DecodeRuneInString(p.text[i:])
		if i += size; p.wild[k] {
			from, first = i, k+1
		} else if i-from > len(p.fixed) {
			p.fixed, p.before = p.text[from:i], first
		}
	}
}

// Contains reports whether a text matches if it contains some texts one behind the other.
func (p *likePattern) Contains() bool { return p.inOrder != nil }

// Containing are the rows that match, or that do not, where Contains is true.
func (p *likePattern) Containing(x kernel.Operand[string], not bool, rows, into []int32) []int32 {
	k := 0
	for _, i := range rows {
		s, at := x.At(i), 0
		for _, f := range p.inOrder {
			if at = f.Index(s); at < 0 {
				break
			}
			s = s[at+len(f.Text()):]
		}
		if into[k] = i; at >= 0 != not {
			k++
		}
	}
	return into[:k]
}

// Begins reports whether a text matches if it begins and ends with certain texts, of which one may be empty.
func (p *likePattern) Begins() bool {
	return p.of.All == nil && len(p.parts) == 2 && p.parts[0].plain && p.parts[1].plain
}

// Beginning are the rows that match, or that do not, where Begins is true. Most texts differ in their first or last byte.
func (p *likePattern) Beginning(x kernel.Operand[string], not bool, rows, into []int32) []int32 {
	first, last := p.parts[0].text, p.parts[1].text
	k := 0
	for _, i := range rows {
		s := x.At(i)
		hit := len(s) >= len(first)+len(last)
		if hit && last != "" {
			hit = s[len(s)-1] == last[len(last)-1] && s[len(s)-len(last):] == last
		}
		if hit && first != "" {
			hit = s[0] == first[0] && s[:len(first)] == first
		}
		if into[k] = i; hit != not {
			k++
		}
	}
	return into[:k]
}

// Matches reports whether a text matches. The meter is told of long work.
func (p *likePattern) Matches(s string, m *quota.Meter) (bool, error) {
	if p.reach == substring.Nowhere || p.reach == substring.InASCII && !substring.ASCII(s) {
		var err error
		if s, err = kernel.ByPieces(m, s, p.of.All); err != nil {
			return false, err
		}
	}
	fold := p.of.Fold
	first := &p.parts[0]
	n, ok := first.prefix(s, fold)
	if !ok {
		return false, nil
	}
	if p.anchor {
		return n == len(s), nil
	}
	s = s[n:]
	last := &p.parts[len(p.parts)-1]
	for i := 1; i < len(p.parts)-1; i++ {
		end, ok, err := p.parts[i].find(s, m)
		if !ok || err != nil {
			return false, err
		}
		s = s[end:]
	}
	return last.suffix(s, fold), nil
}

// prefix is how many bytes of s the part matches at its start.
func (p *part) prefix(s string, fold substring.Fold) (int, bool) {
	if p.plain {
		return len(p.text), fold.HasPrefix(s, p.text)
	}
	if len(p.wild) == len(p.text) && len(s) >= len(p.text) { // it has bytes of ASCII alone
		same := 0
		for same < len(p.text) && (s[same] == p.text[same] || p.wild[same] && s[same] < utf8.RuneSelf) {
			same++
		}
		if same == len(p.text) {
			return same, true
		}
		if !p.wild[same] {
			return 0, false
		}
	}
	at, k := 0, 0
	for i := 0; i < len(p.text); k++ {
		_, size := utf8.DecodeRuneInString(p.text[i:])
		if at == len(s) {
			return 0, false
		}
		if p.wild[k] {
			_, n := utf8.DecodeRuneInString(s[at:])
			at += n
		} else {
			if !strings.HasPrefix(s[at:], p.text[i:i+size]) {
				return 0, false
			}
			at += size
		}
		i += size
	}
	return at, true
}

// index is where the text of the part begins.
func (p *part) index(s string) int {
	if p.finder == nil {
		return strings.Index(s, p.text)
	}
	return p.finder.Index(s)
}

// find is the end of the leftmost match.
func (p *part) find(s string, m *quota.Meter) (end int, ok bool, err error) {
	if p.plain {
		at := p.index(s)
		return at + len(p.text), at >= 0, nil
	}
	work := max(1, len(p.wild)/8) // of a byte
	for at, fixed := 0, -1; ; {
		if p.fixed != "" && fixed < at {
			found := strings.Index(s[at:], p.fixed)
			if found < 0 {
				return 0, false, m.Work(len(s) - at)
			}
			if err := m.Work(found); err != nil {
				return 0, false, err
			}
			fixed = at + found
			at = p.first(s, at, fixed)
		}
		if n, ok := p.prefix(s[at:], substring.Exact); ok {
			return at + n, true, nil
		}
		if at == len(s) {
			return 0, false, nil
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
		if err := m.Work(size * work); err != nil {
			return 0, false, err
		}
	}
}

// first is where the next match can begin, from a character on, if the next fixed text begins at a
// byte: not more characters before that than the part has. In any text it is the byte of a character
// that is no continuation of one.
func (p *part) first(s string, at, fixed int) int {
	next := max(at, fixed-utf8.UTFMax*p.before)
	for next > at && (next == len(s) || !utf8.RuneStart(s[next])) {
		next--
	}
	return next
}

// suffix reports whether s ends with the part.
func (p *part) suffix(s string, fold substring.Fold) bool {
	if p.plain {
		return fold.HasSuffix(s, p.text)
	}
	// Only as many characters at the end as the part has can match it.
	at := len(s)
	for range p.wild {
		if at == 0 {
			return false
		}
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	n, ok := p.prefix(s[at:], fold)
	return ok && at+n == len(s)
}
