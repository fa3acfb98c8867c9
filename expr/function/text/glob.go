package text

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/lazydfa"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// GlobFunctions match the patterns of shells and those of LIKE.
var GlobFunctions = []expr.Function{
	{Name: "GLOB", Aliases: []string{"~~~"}, Help: "whether the text matches a pattern with *, ?, [a-c] and [!a-c]; also written a GLOB b", Example: "'parquet' GLOB 'p*[e-g]?' → true",
		Binding: define.Custom(glob, "VARCHAR, VARCHAR → BOOLEAN")},
	{Name: "LIKE_ESCAPE", Help: "whether the text matches a pattern of LIKE with an escape character", Example: "LIKE_ESCAPE('a%c', 'a$%c', '$') → true", Binding: escaped(false, false)},
	{Name: "ILIKE_ESCAPE", Help: "as LIKE_ESCAPE, without regard to case", Example: "ILIKE_ESCAPE('A%c', 'a$%C', '$') → true", Binding: escaped(true, false)},
	{Name: "NOT_LIKE_ESCAPE", Help: "the opposite of LIKE_ESCAPE", Example: "NOT_LIKE_ESCAPE('a%c', 'a$%c', '$') → false", Binding: escaped(false, true)},
	{Name: "NOT_ILIKE_ESCAPE", Help: "the opposite of ILIKE_ESCAPE", Example: "NOT_ILIKE_ESCAPE('A%c', 'a$%C', '$') → false", Binding: escaped(true, true)},
}

func escaped(insensitive, not bool) expr.Binding {
	return define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return expr.NewLike(args[0], args[1], args[2], insensitive, not)
	}, "VARCHAR, VARCHAR, VARCHAR → BOOLEAN")
}

// glob is GLOB. A literal pattern without brackets is one of LIKE; others have an automaton.
func glob(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if p, ok := expr.Literal(args[1]); ok && p.Type.IsText() && !strings.ContainsAny(p.Str, `[\`) {
		pattern := strings.NewReplacer("%", `\%`, "_", `\_`, "*", "%", "?", "_").Replace(p.Str)
		return expr.NewLike(args[0], expr.NewConst(vector.StringScalar(pattern)), expr.NewConst(vector.StringScalar(`\`)), false, false)
	}
	bound, err := define.Arguments(call, args, []define.Want{define.WantText, define.WantText})
	if err != nil {
		return nil, err
	}
	return define.LongCondition(call, bound, func() kernel.LongPredicate {
		g := &globber{}
		return func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
			s, patterns, k, work := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), 0, m.Teller()
			for _, i := range kernel.Listed(rows, n) {
				hit, err := g.matches(s.At(i), patterns.At(i), work)
				if err != nil {
					return nil, err
				}
				if into[k] = i; hit {
					k++
				}
			}
			return into[:k], nil
		}
	})
}

// globber keeps the automaton of the last pattern, once it has come often enough.
type globber struct {
	pattern string
	came    int
	lazy    *lazydfa.Matcher
}

func (g *globber) matches(s, pattern string, work work) (bool, error) {
	if pattern != g.pattern {
		g.pattern, g.came, g.lazy = strings.Clone(pattern), 0, nil // the memory of the batch is used again
	}
	if g.came++; g.came == askedFirst {
		if tree, err := syntax.Parse(globRegexp(g.pattern), syntax.Perl|syntax.DotNL); err == nil {
			g.lazy = lazydfa.Compile(tree)
		}
	}
	if g.lazy != nil && len(s) < longWork {
		if hit, ok := g.lazy.Match(s); ok {
			return hit, work(len(s))
		}
	}
	return globMatches(s, pattern, work)
}

// globNothing is a regular expression that matches no character.
const globNothing = `[^\x00-\x{10FFFF}]`

// globRegexp is the pattern as a regular expression.
func globRegexp(pattern string) string {
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
			n, not := globRanges(pattern, func(low, high rune) {
				if low <= high {
					fmt.Fprintf(&members, `\x{%X}-\x{%X}`, low, high)
				}
			})
			switch {
			case n == 0:
				return globNothing
			case members.Len() == 0 && not:
				re.WriteString(".")
			case members.Len() == 0:
				re.WriteString(globNothing)
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
				return globNothing
			}
			fmt.Fprintf(&re, `\x{%X}`, r)
		}
		pattern = pattern[length:]
	}
	return re.String() + `\z`
}

// globMatches compares in time linear in the product of the lengths: only the last * is
// tried again. A pattern that ends within brackets or behind a backslash matches nothing.
func globMatches(s, pattern string, work work) (bool, error) {
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
		if next, ok := globStep(pattern[at:], r); ok {
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

// globStep matches one character with the head of a pattern and returns its length.
func globStep(pattern string, r rune) (length int, ok bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		return globSet(pattern, r)
	case '\\':
		pattern = pattern[1:]
		length = 1
	}
	p, size := utf8.DecodeRuneInString(pattern)
	return length + size, size > 0 && p == r
}

// globSet matches a character with [abc], [a-c] and [!a].
func globSet(pattern string, r rune) (length int, ok bool) {
	found := false
	length, not := globRanges(pattern, func(low, high rune) { found = found || low <= r && r <= high })
	return length, length > 0 && found != not
}

// globRanges calls f with the ranges in brackets, of which not says that they are those that do not match.
// A ] right behind the bracket is a member. The length is 0 where the brackets have no end.
func globRanges(pattern string, f func(low, high rune)) (length int, not bool) {
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
