package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// GraphemeFunctions count what readers take for one character: extended grapheme clusters
// of Unicode Standard Annex #29.
var GraphemeFunctions = []expr.Function{
	{Name: "LENGTH_GRAPHEME", Help: "the number of grapheme clusters", Example: "LENGTH_GRAPHEME('🤦🏼‍♂️e') → 2",
		Total: true, Binding: define.Fixed(define.TypeInt, kernel.Sum1(betweenClusters, countClusters), false, define.WantText)},
	{Name: "LEFT_GRAPHEME", Help: "as LEFT, in grapheme clusters", Example: "LEFT_GRAPHEME('🤦🏼‍♂️e', 1) → 🤦🏼‍♂️",
		Total: true, Binding: define.Fixed(define.TypeText, kernel.Long2(clusters.left), false, define.WantText, define.WantInt)},
	{Name: "RIGHT_GRAPHEME", Help: "as RIGHT, in grapheme clusters", Example: "RIGHT_GRAPHEME('e🤦🏼‍♂️', 1) → 🤦🏼‍♂️",
		Total: true, Binding: define.Fixed(define.TypeText, kernel.Long2(clusters.right), false, define.WantText, define.WantInt)},
	{Name: "SUBSTRING_GRAPHEME", Help: "as SUBSTRING, in grapheme clusters", Example: "SUBSTRING_GRAPHEME('🤦🏼‍♂️ab', 2, 1) → a",
		Total: true, Binding: define.Overloaded(
			define.Fixed(define.TypeText, kernel.Long2(clusters.rest), false, define.WantText, define.WantInt),
			define.Fixed(define.TypeText, kernel.Long3(clusters.some), false, define.WantText, define.WantInt, define.WantInt))},
}

// firstCluster is the length in bytes of the first grapheme cluster.
func firstCluster(s string) int {
	if len(s) < 2 || s[0] < utf8.RuneSelf && s[1] < utf8.RuneSelf && s[0] != '\r' {
		return min(len(s), 1)
	}
	before, end := utf8.DecodeRuneInString(s)
	flags := unicode.Is(regional, before)
	pictograph, joined := isPictograph(before), false
	conjunct := conjunctState(0, before)
	for end < len(s) {
		next, size := utf8.DecodeRuneInString(s[end:])
		linked := conjunct == 2 && unicode.Is(consonants, next) // GB9c
		conjunct = conjunctState(conjunct, next)
		switch {
		case before == '\r' && next == '\n': // GB3
		case isControl(before) || isControl(next): // GB4, GB5
			return end
		case joinsHangul(before, next): // GB6 to GB8
		case next == zeroWidthJoiner: // GB9, and the first half of GB11
			joined = pictograph
			end, before = end+size, next
			continue
		case unicode.In(next, unicode.Mn, unicode.Me, unicode.Mc, modifiers) || next == zeroWidthNonJoiner: // GB9, GB9a
			end, before = end+size, next
			joined = false
			continue
		case linked, joined && isPictograph(next): // GB11
		case flags && unicode.Is(regional, next): // GB12, GB13
			return end + size + extension(s[end+size:])
		default:
			return end
		}
		end, before, pictograph, joined, flags = end+size, next, isPictograph(next), false, false
	}
	return end
}

// conjunctState is 1 behind a consonant of an Indic script and 2 if a virama, which links it
// to another one, follows.
func conjunctState(state int, r rune) int {
	switch {
	case unicode.Is(consonants, r):
		return 1
	case state > 0 && unicode.Is(viramas, r):
		return 2
	case unicode.In(r, unicode.Mn, unicode.Me) || r == zeroWidthJoiner:
		return state
	}
	return 0
}

// extension is the length of the marks that extend a pair of regional indicators.
func extension(s string) int {
	end := 0
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc, modifiers) && r != zeroWidthJoiner && r != zeroWidthNonJoiner {
			break
		}
		end += size
	}
	return end
}

const (
	zeroWidthNonJoiner = 0x200c
	zeroWidthJoiner    = 0x200d
)

func isPictograph(r rune) bool { return r == 0xa9 || r == 0xae || unicode.Is(pictographs, r) }

func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || unicode.Is(unicode.Cf, r) && r != zeroWidthJoiner && r != zeroWidthNonJoiner && !unicode.In(r, unicode.Prepended_Concatenation_Mark, modifiers)
}

// joinsHangul says whether two characters are parts of a Hangul syllable: leading
// consonants, vowels, trailing consonants, and syllables of them.
func joinsHangul(a, b rune) bool {
	kind := func(r rune) byte {
		switch {
		case r >= 0x1100 && r <= 0x115f || r >= 0xa960 && r <= 0xa97c:
			return 'L'
		case r >= 0x1160 && r <= 0x11a7 || r >= 0xd7b0 && r <= 0xd7c6:
			return 'V'
		case r >= 0x11a8 && r <= 0x11ff || r >= 0xd7cb && r <= 0xd7fb:
			return 'T'
		case r >= 0xac00 && r <= 0xd7a3 && (r-0xac00)%28 == 0:
			return '2' // without a trailing consonant
		case r >= 0xac00 && r <= 0xd7a3:
			return '3'
		}
		return 0
	}
	switch x, y := kind(a), kind(b); x {
	case 'L':
		return y == 'L' || y == 'V' || y == '2' || y == '3'
	case 'V', '2':
		return y == 'V' || y == 'T'
	case 'T', '3':
		return y == 'T'
	}
	return false
}

// clusterWork is what the end of a cluster takes, in bytes of simpler work.
const clusterWork = 4

// betweenClusters is a place between two characters of ASCII, which is one between
// clusters unless it divides a line's end.
func betweenClusters(s string, at int) int {
	for ; at < len(s); at++ {
		if s[at-1] < utf8.RuneSelf && s[at] < utf8.RuneSelf && s[at-1] != '\r' {
			break
		}
	}
	return at
}

func countClusters(s string) int64 {
	n := int64(0)
	for ; s != ""; n++ {
		s = s[firstCluster(s):]
	}
	return n
}

func clusterOffset(s string, n int64) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		at += firstCluster(s[at:])
	}
	return at
}

func appendReverse(t *kernel.TextBuffer, dst []byte, s string) ([]byte, kernel.Outcome) {
	at := len(dst) + len(s)
	dst = append(dst, s...)
	for s != "" { // each cluster goes in front of those before it
		size := firstCluster(s)
		at -= size
		copy(dst[at:], s[:size])
		s = s[size:]
		if err := t.Work(clusterWork + size); err != nil {
			return dst, kernel.Outcome{Err: err}
		}
	}
	return dst, kernel.Outcome{}
}
