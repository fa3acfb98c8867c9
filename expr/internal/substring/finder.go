// Package substring finds one text in many.
package substring

import "strings"

// Finder finds a text. It is for one goroutine.
//
// It looks for two bytes of the text at once, at their distance from each other and in the 8
// places of a word, or 16. Where one of them is very rare in the texts that were seen at first, it
// looks for this one alone, which the processor does for many places at once, until that
// turns out to be worse.
type Finder struct {
	text  string
	fold  Fold
	never bool // it has a letter that no folded text has

	seen     int // how many bytes are counted
	counts   [256]uint16
	at1, at2 int // where the two bytes are in text
	one, two lane
	rare     bool // one is looked for alone
	credit   int  // how many places without a match rare may still find
}

const (
	// sampleBytes is how many bytes of the texts are counted before the bytes are chosen.
	sampleBytes = 2 << 10
	// rareBytes is in how many bytes one may be that is looked for alone. Each place without a match
	// costs as much as so many bytes.
	rareBytes = 192
	// maxText is the length of a text up to which it may be compared at many places. A
	// longer one is not found in folded texts: Reach says so.
	maxText = 64
)

// New prepares the search for a text.
func New(text string, fold Fold) *Finder {
	f := &Finder{text: text, fold: fold}
	for i := 0; i < len(text); i++ {
		f.never = f.never || fold.Of(text[i]) != text[i]
	}
	return f
}

// Text is what is searched for.
func (f *Finder) Text() string { return f.text }

// Index is where the text begins in s for the first time; -1 if nowhere.
func (f *Finder) Index(s string) int {
	switch n := len(f.text); {
	case f.never || n > len(s):
		return -1
	case n == 0:
		return 0
	case f.fold == Exact && (n == 1 || n > maxText):
		return strings.Index(s, f.text)
	}
	if f.seen < sampleBytes {
		f.sample(s)
	}
	if f.rare {
		return f.indexRare(s)
	}
	return f.indexPair(s, 0)
}

// sample counts the bytes of s and chooses two bytes of the text.
func (f *Finder) sample(s string) {
	s = s[:min(len(s), sampleBytes)]
	f.seen += len(s)
	for i := 0; i < len(s); i++ {
		f.counts[f.fold.Of(s[i])]++
	}
	f.at1, f.at2 = 0, len(f.text)-1
	for i := range len(f.text) {
		if f.counts[f.text[i]] < f.counts[f.text[f.at1]] {
			f.at1 = i
		}
	}
	for i := range len(f.text) {
		if i != f.at1 && (f.at2 == f.at1 || f.counts[f.text[i]] < f.counts[f.text[f.at2]]) {
			f.at2 = i
		}
	}
	f.one, f.two = f.fold.lane(f.text[f.at1]), f.fold.lane(f.text[f.at2])
	f.rare = f.one.exact() && int(f.counts[f.text[f.at1]])*rareBytes < f.seen
	f.credit = 0
}

// indexRare looks for the rarest byte.
func (f *Finder) indexRare(s string) int {
	n, c := len(f.text), f.text[f.at1]
	f.credit += len(s)
	for from := 0; from+n <= len(s); {
		at := strings.IndexByte(s[from+f.at1:len(s)-n+f.at1+1], c)
		if at < 0 {
			return -1
		}
		if from += at; f.isAt(s[from:]) {
			return from
		}
		from++
		if f.credit -= rareBytes; f.credit < -sampleBytes {
			f.rare = false
			return f.indexPair(s, from)
		}
	}
	return -1
}

// indexPair looks for both bytes, at from and behind it.
func (f *Finder) indexPair(s string, from int) int {
	n := len(f.text)
	places := len(s) - n + 1
	a, b := s[f.at1:][:places], s[f.at2:][:places]
	one, two := f.one, f.two
	for places-from >= vectorBytes {
		at := nextPair(a[from:], b[from:], one, two)
		if at < 0 {
			return -1
		}
		if from += at; f.isAt(s[from:]) {
			return from
		}
		from++
	}
	for ; from+8 <= places; from += 8 {
		if hits := zeros(one.differ(load8(a[from:])) | two.differ(load8(b[from:]))); hits != 0 {
			if at := f.first(s, from, hits); at >= 0 {
				return at
			}
		}
	}
	switch {
	case from == places:
	case places >= 8: // some places a second time
		from = places - 8
		if hits := zeros(one.differ(load8(a[from:])) | two.differ(load8(b[from:]))); hits != 0 {
			return f.first(s, from, hits)
		}
	default:
		for ; from < places; from++ {
			if f.isAt(s[from:]) {
				return from
			}
		}
	}
	return -1
}

// first is the first place of the text among those of a word at from; -1 if at none.
func (f *Finder) first(s string, from int, hits uint64) int {
	for ; hits != 0; hits &= hits - 1 {
		if at := from + firstByte(hits); f.isAt(s[at:]) {
			return at
		}
	}
	return -1
}

// isAt reports whether the text is at the beginning of s, which is long enough.
func (f *Finder) isAt(s string) bool { return f.fold.HasPrefix(s, f.text) }
