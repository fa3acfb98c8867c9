package expr

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// NewLike builds x [NOT] LIKE pattern [ESCAPE escape], or ILIKE. Without escape only
// % and _ are special.
func NewLike(x, pattern, escape Expr, insensitive, not bool) (Expr, error) {
	var err error
	if x, err = TextOperand("LIKE", x); err != nil {
		return nil, err
	}
	if pattern, err = TextOperand("LIKE", pattern); err != nil {
		return nil, err
	}
	if escape != nil {
		if escape, err = TextOperand("LIKE", escape); err != nil {
			return nil, err
		}
		if s, ok := Literal(escape); ok && utf8.RuneCountInString(s.Str) > 1 {
			return nil, errEscape
		}
	}
	if p, ok := Literal(pattern); ok {
		if _, err := compilePattern(p.Str, escapeOf(escape), insensitive); err != nil {
			return nil, err
		}
	}
	return fold(&Like{X: x, Pattern: pattern, Escape: escape, Insensitive: insensitive, Not: not}), nil
}

var errEscape = errors.New("LIKE: ESCAPE must be one character")

func escapeOf(escape Expr) string {
	if escape != nil {
		if s, ok := Literal(escape); ok {
			return s.Str
		}
	}
	return ""
}

// TextOperand casts an argument of a string function to text. As in DuckDB, any type
// is accepted except bytes, whose encoding is unknown.
func TextOperand(function string, e Expr) (Expr, error) {
	t := e.Type()
	switch {
	case t.IsText():
		return e, nil
	case t.Kind == vector.Blob || t.Kind == vector.Geometry || t.Kind == vector.Geography:
		return nil, fmt.Errorf("%s does not take %s: the bytes of %s may not be text; use CAST(%s AS VARCHAR), which decodes UTF-8, or the option binary_as_string", function, t, e, e)
	}
	return NewCast(e, vector.Of(vector.Varchar), false)
}

func (e *Like) compile() kernel.Node {
	args := []Expr{e.X, e.Pattern}
	if e.Escape != nil {
		args = append(args, e.Escape)
	}
	t := &likeMatcher{insensitive: e.Insensitive, not: e.Not}
	return kernel.NewLongCondition(CompileAll(args), t.test)
}

// likeMatcher keeps the last compiled pattern: usually all rows have the same one.
type likeMatcher struct {
	insensitive, not bool
	pattern, escape  string
	compiled         *likePattern
}

func (t *likeMatcher) test(m *kernel.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
	x, pattern := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
	escape := kernel.Operand[string]{V: []string{""}}
	if len(args) == 3 {
		escape = kernel.OperandOf[string](args[2])
	}
	k := 0
	for _, i := range kernel.Listed(rows, n) {
		p, esc := pattern.At(i), escape.At(i)
		if t.compiled == nil || p != t.pattern || esc != t.escape {
			var err error
			if t.compiled, err = compilePattern(p, esc, t.insensitive); err != nil {
				return nil, err
			}
			t.pattern, t.escape = p, esc
		}
		hit, err := t.compiled.matches(x.At(i), m)
		if err != nil {
			return nil, err
		}
		if into[k] = i; hit != t.not {
			k++
		}
	}
	return into[:k], nil
}

// likePattern is a pattern split at each %: the text begins with the first part,
// ends with the last one and has the others in between, in order. A part is a run
// of characters and single-character wildcards. The leftmost match of each part in
// between is always right, so matching never backtracks.
type likePattern struct {
	fold   bool
	parts  []likePart
	anchor bool // no %: the only part must match the whole text
}

// likePart is text with any-character wildcards; plain parts have none.
type likePart struct {
	text  string
	plain bool
	wild  []bool // for each character of text
}

// compilePattern fails if the pattern ends in its escape character.
func compilePattern(pattern, escape string, insensitive bool) (*likePattern, error) {
	if utf8.RuneCountInString(escape) > 1 {
		return nil, errEscape
	}
	p := &likePattern{fold: insensitive, anchor: true}
	part := newPartBuilder(insensitive)
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
			part.add(pattern[i:i+size], false)
			i += size
		case c == "%":
			p.anchor = false
			p.parts = append(p.parts, part.finish())
		default:
			part.add(c, c == "_")
		}
	}
	p.parts = append(p.parts, part.finish())
	return p, nil
}

type partBuilder struct {
	text strings.Builder
	wild []bool
	any  bool
	fold bool
}

func newPartBuilder(fold bool) *partBuilder { return &partBuilder{fold: fold} }

func (b *partBuilder) add(c string, wild bool) {
	if b.fold && !wild {
		c = strings.ToLower(c)
	}
	b.text.WriteString(c)
	for range utf8.RuneCountInString(c) {
		b.wild = append(b.wild, wild)
	}
	b.any = b.any || wild
}

func (b *partBuilder) finish() likePart {
	p := likePart{text: b.text.String(), plain: !b.any, wild: b.wild}
	b.text.Reset()
	b.wild, b.any = nil, false
	return p
}

func (p *likePattern) matches(s string, m *kernel.Meter) (bool, error) {
	var err error
	if p.fold {
		if s, err = kernel.ByPieces(m, s, strings.ToLower); err != nil {
			return false, err
		}
	}
	first := &p.parts[0]
	n, ok := first.prefix(s)
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
	return last.suffix(s), nil
}

// prefix is how many bytes of s the part matches at its start.
func (p *likePart) prefix(s string) (int, bool) {
	if p.plain {
		return len(p.text), strings.HasPrefix(s, p.text)
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

// find is the end of the leftmost match.
func (p *likePart) find(s string, m *kernel.Meter) (end int, ok bool, err error) {
	if p.plain {
		at := strings.Index(s, p.text)
		return at + len(p.text), at >= 0, nil
	}
	for at := 0; ; {
		if n, ok := p.prefix(s[at:]); ok {
			return at + n, true, nil
		}
		if at == len(s) {
			return 0, false, nil
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		if at += size; at%likeStep < size {
			if err := m.Work(likeStep * max(1, len(p.wild)/8)); err != nil {
				return 0, false, err
			}
		}
	}
}

// likeStep is after how many bytes the meter is told.
const likeStep = 1 << 10

// suffix reports whether s ends with the part.
func (p *likePart) suffix(s string) bool {
	if p.plain {
		return strings.HasSuffix(s, p.text)
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
	n, ok := p.prefix(s[at:])
	return ok && at+n == len(s)
}
