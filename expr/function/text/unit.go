package text

import (
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/substring"
)

// unit is what positions and lengths count: characters or grapheme clusters.
type unit struct {
	count  func(s string) int64
	offset func(s string, n int64) int // of the n-th in bytes; the end if there are fewer
	clamps bool                        // a start outside of the text is moved to its beginning or end
}

var (
	characters = unit{countRunes, runeOffset, false}
	clusters   = unit{countClusters, clusterOffset, true}
)

// part is SUBSTRING. It counts from 1, or from the end if start is negative. Positions
// before the first character count towards the length. With a negative length the result
// is to the left of start; without a length it is everything from start.
func (u unit) part(s string, start, length int64, bounded bool) string {
	const far = 1 << 40 // beyond every string; sums of it do not overflow
	n := u.count(s)
	from := min(max(start, -far), far) - 1
	if start < 0 {
		from += n + 1
	}
	if u.clamps && start != 0 {
		from = min(max(from, 0), n)
	}
	to := n
	if bounded {
		to = from + min(max(length, -far), far)
		if length < 0 {
			from, to = to, from
		}
	}
	from, to = min(max(from, 0), n), min(max(to, 0), n)
	switch {
	case from >= to:
		return ""
	case n == int64(len(s)): // one byte each
		return s[from:to]
	}
	begin := u.offset(s, from)
	return s[begin : begin+u.offset(s[begin:], to-from)]
}

// left returns the first n; if n is negative, all but the last -n.
func (u unit) left(s string, n int64) string {
	if n < 0 {
		n = max(u.count(s)+n, 0)
	}
	return s[:u.offset(s, n)]
}

// right returns the last n; if n is negative, all but the first -n.
func (u unit) right(s string, n int64) string {
	if n < 0 {
		return s[u.offset(s, -max(n, -int64(len(s)))):]
	}
	return s[u.offset(s, max(u.count(s)-n, 0)):]
}

func countRunes(s string) int64 {
	if substring.ASCII(s) {
		return int64(len(s))
	}
	return int64(utf8.RuneCountInString(s))
}

func runeOffset(s string, n int64) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}
