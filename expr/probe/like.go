package probe

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// likePrefix is the part of a LIKE pattern that bounds can decide. All values that
// match begin with prefix. If exact is set, all values that begin with prefix match:
// the pattern is the prefix and one or more %. If whole is set, the pattern has no
// wildcard and matches only prefix.
type likePrefix struct {
	prefix       string
	exact, whole bool
}

// parseLikePrefix reads a pattern up to its first wildcard. It returns false for a
// pattern that ends in its escape character, which is an error when evaluated.
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

// outcomes returns the possible results of x LIKE pattern. Strings are ordered byte
// by byte, so the strings with a common prefix are one range: from the prefix
// (inclusive) to the prefix with its last byte raised by one (exclusive).
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
	after, bounded := vector.TextAfter(l.prefix)
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
