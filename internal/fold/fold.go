// Package fold compares names without regard to case.
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name returns the same text for all names that strings.EqualFold finds equal: each letter is
// replaced by the least of those that differ from it only in case.
func Name(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && !unicode.IsLetter(r) {
			return r
		}
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, s)
}
