package text

import (
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/internal/quota"
)

// GlobFunctions match the patterns of shells and those of LIKE.
var GlobFunctions = []expr.Function{
	{Name: "GLOB", Aliases: []string{"~~~"}, Help: "whether the text matches a pattern with *, ?, [a-c] and [!a-c]; also written a GLOB b", Example: "'parquet' GLOB 'p*[e-g]?' → true",
		Binding: define.LongTextPredicate(globMatches)},
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

// globSet matches [abc], [a-c] and [!a]; a ] right behind the bracket is a member.
func globSet(pattern string, r rune) (length int, ok bool) {
	at := 1
	not := strings.HasPrefix(pattern[at:], "!")
	if not {
		at++
	}
	found := false
	for first := true; ; first = false {
		low, size := utf8.DecodeRuneInString(pattern[at:])
		if size == 0 {
			return 0, false
		}
		at += size
		if low == ']' && !first {
			return at, found != not
		}
		high := low
		if tail := pattern[at:]; len(tail) > 1 && tail[0] == '-' {
			high, size = utf8.DecodeRuneInString(tail[1:])
			at += 1 + size
		}
		found = found || low <= r && r <= high
	}
}
