package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
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

// firstCluster is the length in bytes of the first grapheme cluster. The library has the rules of
// Unicode 15.0; rule GB9c of 15.1 joins consonants of Indic scripts.
func firstCluster(s string) int {
	if len(s) < 2 || s[0] < utf8.RuneSelf && s[1] < utf8.RuneSelf && s[0] != '\r' {
		return min(len(s), 1)
	}
	end, conjunct := 0, 0
	for {
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s[end:], -1)
		for _, r := range cluster {
			conjunct = conjunctState(conjunct, r)
		}
		end += len(cluster)
		if next, _ := utf8.DecodeRuneInString(s[end:]); conjunct != 2 || !unicode.Is(consonants, next) {
			return end
		}
	}
}

// conjunctState is 1 behind a consonant of an Indic script and 2 if a virama, which links it
// to another one, follows.
func conjunctState(state int, r rune) int {
	switch {
	case state == 0 && r < firstConsonant:
		return 0
	case unicode.Is(consonants, r):
		return 1
	case state == 0:
		return 0
	case unicode.Is(viramas, r):
		return 2
	case unicode.In(r, unicode.Mn, unicode.Me) || r == zeroWidthJoiner:
		return state
	}
	return 0
}

const zeroWidthJoiner = 0x200d

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

// singleClusters reports that each byte is a cluster.
func singleClusters(s string) bool { return substring.ASCII(s) && strings.IndexByte(s, '\r') < 0 }

func countClusters(s string) int64 {
	if singleClusters(s) {
		return int64(len(s))
	}
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
	if singleClusters(s) {
		slices.Reverse(dst[at-len(s):])
		return dst, kernel.Outcome{Err: t.Work(len(s))}
	}
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
