package expr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
	"github.com/parquetsql/parquetsql/internal/quota"
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
		if _, err := compileLike(p.Str, escapeOf(escape), Letters{}, insensitive); err != nil {
			return nil, err
		}
	}
	return fold(&Like{X: x, Pattern: pattern, Escape: escape, Insensitive: insensitive, Not: not}), nil
}

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

func (e *Like) compile(by *Compiler) kernel.Node {
	t := &likeMatcher{insensitive: e.Insensitive, not: e.Not}
	args := []Expr{e.X, e.Pattern}
	if c, ok := e.X.(*Call); ok && c.impl.Letters.All != nil && !e.Insensitive {
		t.of, args[0] = c.impl.Letters, c.impl.Args[0] // lower(x) is not made
	}
	if e.Escape != nil {
		args = append(args, e.Escape)
	}
	return by.Strict(e.Type(), args, func(args []kernel.Node) kernel.Node { return kernel.NewLongCondition(args, t.test) })
}

// likeMatcher keeps the last compiled pattern: usually all rows have the same one. Patterns of a
// column often come again in another batch: the short ones are kept, too.
type likeMatcher struct {
	insensitive, not bool
	of               Letters // what is matched of x
	pattern, escape  string
	compiled         *likePattern
	kept             map[string]*likePattern // of escape
}

// How many patterns are kept, and of how many bytes one may be. All together take about 1 MB.
const (
	keptPatterns   = 1024
	longestPattern = 64
)

func (t *likeMatcher) test(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
	x, pattern := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
	escape := kernel.Operand[string]{V: []string{""}}
	if len(args) == 3 {
		escape = kernel.OperandOf[string](args[2])
	}
	rows = kernel.Listed(rows, n)
	if pattern.Constant() && escape.Constant() && len(rows) > 0 {
		if err := t.compile(pattern.At(0), escape.At(0)); err != nil {
			return nil, err
		}
		if t.compiled.Contains() {
			return t.compiled.Containing(x, t.not, rows, into), nil
		}
		if t.compiled.Begins() {
			return t.compiled.Beginning(x, t.not, rows, into), nil
		}
	}
	k, plain := 0, !pattern.Constant() && len(args) == 2 && t.of.All == nil
	for _, i := range rows {
		hit, known := false, false
		if plain && !t.insensitive {
			hit, known = likePlain(x.At(i), pattern.At(i))
		}
		if plain && !known {
			hit, known = likeShort(x.At(i), pattern.At(i), t.insensitive)
		}
		if !known {
			if err := t.compile(pattern.At(i), escape.At(i)); err != nil {
				return nil, err
			}
			var err error
			if hit, err = t.compiled.Matches(x.At(i), m); err != nil {
				return nil, err
			}
		}
		if into[k] = i; hit != t.not {
			k++
		}
	}
	return into[:k], nil
}

// likePlain is LIKE for patterns that have wildcards at their ends alone, and those %. They need not be
// compiled, which takes longer than to match. It is not known for others.
func likePlain(s, pattern string) (hit, known bool) {
	literal := 0 // how many bytes are before the first wildcard; most texts differ there
	for ; literal < len(pattern) && pattern[literal] != '%' && pattern[literal] != '_'; literal++ {
		if literal == len(s) || s[literal] != pattern[literal] {
			return false, true
		}
	}
	s, pattern = s[literal:], pattern[literal:]
	n := len(pattern)
	begin, end := n > 0 && pattern[0] == '%', n > 1 && pattern[n-1] == '%'
	if begin {
		pattern = pattern[1:]
	}
	if end {
		pattern = pattern[:len(pattern)-1]
	}
	if pattern == "" && begin {
		return true, true
	}
	if strings.IndexByte(pattern, '%') >= 0 || strings.IndexByte(pattern, '_') >= 0 {
		return false, false
	}
	switch {
	case begin && end:
		return strings.Contains(s, pattern), true
	case begin:
		return strings.HasSuffix(s, pattern), true
	}
	return s == pattern, true
}

// shortWork is how many bytes of a text may be compared, at most, where its pattern is not compiled.
const shortWork = 4096

// likeShort is LIKE, or ILIKE, for short texts and patterns: to compile the pattern takes longer than to try all
// that a % may stand for. It is not known for long ones, and for letters beyond ASCII of ILIKE.
func likeShort(s, pattern string, insensitive bool) (hit, known bool) {
	if len(s)*len(pattern) > shortWork || insensitive && !(substring.ASCII(s) && substring.ASCII(pattern)) {
		return false, false
	}
	at, behind, from := 0, -1, 0 // in the pattern; behind its last %, which stands for s up to from
	for i := 0; i < len(s); {
		if at < len(pattern) {
			switch c := pattern[at]; {
			case c == '%':
				at++
				behind, from = at, i
				continue
			case c == '_':
				at++
				i += charBytes(s[i:])
				continue
			case c == s[i] || insensitive && lowerByte(c) == lowerByte(s[i]):
				at++
				i++
				continue
			}
		}
		if behind < 0 {
			return false, true
		}
		from += charBytes(s[from:])
		at, i = behind, from
	}
	for at < len(pattern) && pattern[at] == '%' {
		at++
	}
	return at == len(pattern), true
}

// charBytes is how many bytes the first character of s has.
func charBytes(s string) int {
	if s[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// lowerByte makes a letter of ASCII lower-case.
func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

func (t *likeMatcher) compile(pattern, escape string) (err error) {
	if t.compiled != nil && pattern == t.pattern && escape == t.escape {
		return nil
	}
	if escape != t.escape || len(t.kept) == keptPatterns {
		clear(t.kept)
	}
	if p := t.kept[pattern]; p != nil {
		t.pattern, t.compiled = p.Text(), p
		return nil
	}
	t.pattern, t.escape = strings.Clone(pattern), strings.Clone(escape) // the memory of the batch is used again
	t.compiled, err = compileLike(t.pattern, t.escape, t.of, t.insensitive)
	if err == nil && len(pattern) <= longestPattern {
		if t.kept == nil {
			t.kept = map[string]*likePattern{}
		}
		t.kept[t.pattern] = t.compiled
	}
	return err
}
