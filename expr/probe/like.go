package probe

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// likePrefix is what bounds say about x LIKE pattern: the values that match
// begin with prefix, and where exact is set every value that begins with it
// matches (the pattern is the prefix and one or more %). whole says that the
// pattern has no wildcard, so that it matches prefix alone.
type likePrefix struct {
	prefix       string
	exact, whole bool
}

// parseLikePrefix reads a pattern up to its first wildcard. It is false for a
// pattern that ends in its escape character, which evaluation refuses.
func parseLikePrefix(pattern, escape string) (likePrefix, bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case escape != "" && strings.HasPrefix(rest, escape):
			i += len(escape)
			if i >= len(pattern) {
				return likePrefix{}, false
			}
			b.WriteByte(pattern[i])
		case rest[0] == '%' || rest[0] == '_':
			return likePrefix{prefix: b.String(), exact: strings.Trim(rest, "%") == ""}, true
		default:
			b.WriteByte(rest[0])
		}
	}
	return likePrefix{prefix: b.String(), whole: true}, true
}

// outcomes is what x LIKE the pattern may yield. Strings order byte by byte, so
// those with a common prefix lie together: from the prefix itself up to, but
// without, the prefix with its last byte raised by one.
func (l likePrefix) outcomes(d domain) outcomes {
	o := outcomes(0)
	if d.fails {
		o |= canFail
	}
	if d.null {
		o |= canNull
	}
	if !d.value {
		return o
	}
	if l.whole {
		p := pointDomain(vector.StringScalar(l.prefix))
		return o | compareOutcomes(expr.OpEq, d, p)
	}
	below := d.hi != nil && d.hi.Str < l.prefix
	after, bounded := prefixSuccessor(l.prefix)
	above := d.lo != nil && bounded && d.lo.Str >= after
	if !below && !above {
		o |= canTrue
	}
	all := l.prefix == "" || d.lo != nil && d.hi != nil && strings.HasPrefix(d.lo.Str, l.prefix) && strings.HasPrefix(d.hi.Str, l.prefix)
	if !l.exact || !all {
		o |= canFalse
	}
	return o
}

// prefixSuccessor is the least string above all that begin with p. There is
// none where p has nothing but bytes 0xFF.
func prefixSuccessor(p string) (string, bool) {
	b := []byte(p)
	for len(b) > 0 && b[len(b)-1] == 0xff {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return "", false
	}
	b[len(b)-1]++
	return string(b), true
}
