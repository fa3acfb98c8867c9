package text

import (
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
	"github.com/parquetsql/parquetsql/internal/quota"
)

// unit is what positions and lengths count: characters or grapheme clusters.
type unit struct {
	cut    kernel.Cut // between two
	count  func(s string) int64
	offset func(s string, n int64) int // of the n-th in bytes; the end if there are fewer
	single func(s string) bool         // each byte is one
	clamps bool                        // a start outside of the text is moved to its beginning or end
}

var (
	characters = unit{kernel.BetweenRunes, countRunes, runeOffset, substring.ASCII, false}
	clusters   = unit{betweenClusters, countClusters, clusterOffset, singleClusters, true}
)

// length is count of a text that may be long.
func (u unit) length(m *quota.Meter, s string) (n int64, err error) {
	err = kernel.EachPiece(m, s, u.cut, func(piece string) { n += u.count(piece) })
	return n, err
}

// find is offset in a text that may be long.
func (u unit) find(m *quota.Meter, s string, n int64) (int, error) {
	// Where each byte is one, up to the byte behind the n-th.
	end := int(min(max(n, 0), int64(len(s))))
	if beginning := s[:min(end+1, len(s))]; len(beginning) <= quota.BytesPerTell && u.single(beginning) {
		return end, nil
	}
	at := 0
	for len(s)-at > quota.BytesPerTell {
		end := u.cut(s, at+quota.BytesPerTell)
		k := u.count(s[at:end])
		if k > n {
			break
		}
		n -= k
		at = end
		if err := m.Work(quota.BytesPerTell); err != nil {
			return 0, err
		}
	}
	return at + u.offset(s[at:], n), nil
}

// part is SUBSTRING. It counts from 1, or from the end if start is negative. Positions
// before the first character count towards the length. With a negative length the result
// is to the left of start; without a length it is everything from start.
func (u unit) part(m *quota.Meter, s string, start, length int64, bounded bool) (string, error) {
	const far = 1 << 40 // beyond every string; sums of it do not overflow
	n, err := u.length(m, s)
	if err != nil {
		return "", err
	}
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
		return "", nil
	case n == int64(len(s)): // one byte each
		return s[from:to], nil
	}
	begin, err := u.find(m, s, from)
	if err != nil {
		return "", err
	}
	size, err := u.find(m, s[begin:], to-from)
	return s[begin : begin+size], err
}

// left returns the first n; if n is negative, all but the last -n.
func (u unit) left(m *quota.Meter, s string, n int64) (string, error) {
	if n < 0 {
		all, err := u.length(m, s)
		if err != nil {
			return "", err
		}
		n = max(all+n, 0)
	}
	at, err := u.find(m, s, n)
	return s[:at], err
}

// right returns the last n; if n is negative, all but the first -n.
func (u unit) right(m *quota.Meter, s string, n int64) (string, error) {
	n = -max(n, -int64(len(s)))
	if n <= 0 {
		all, err := u.length(m, s)
		if err != nil {
			return "", err
		}
		n = max(all+n, 0)
	}
	at, err := u.find(m, s, n)
	return s[at:], err
}

// rest is part without a length.
func (u unit) rest(m *quota.Meter, s string, start int64) (string, error) {
	return u.part(m, s, start, int64(len(s))+1, false)
}

// some is part of a length.
func (u unit) some(m *quota.Meter, s string, start, n int64) (string, error) {
	return u.part(m, s, start, n, true)
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
