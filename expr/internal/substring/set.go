package substring

// Set finds whether a text contains any of several. It is for one goroutine.
//
// It looks at all pairs of bytes that are beside each other in the text. Each word that is searched for has one
// such pair, the one that is rarest by the texts that were seen at first, and a table of bits says which pairs
// any of them has. Where a text is long beside the number of words, each is searched for by itself.
type Set struct {
	words []*Finder
	fold  Fold

	seen   int // how many bytes are counted
	due    int // and how many must be until the pairs are chosen again
	counts [256]uint32
	pairs  [1 << 16 / 64]uint64
	places []place
	heads  [256]int32 // by hash of a pair, the number of a place and 1; 0 for none
	each   bool       // pairs are found too often: words are searched for one by one
}

// place is the pair of a word.
type place struct {
	pair uint16
	at   int // in the word
	word int
	next int32 // as in heads
}

const (
	// eachBytes is how many bytes of a text take as long as the search for one word by itself.
	eachBytes = 20
	// oftenPairs is in how many pairs one may be that is looked at, or else each word is searched for by itself.
	oftenPairs = 12
)

// NewSet prepares the search for words, of which none is shorter than MinSetWord.
func NewSet(words []string, fold Fold) *Set {
	t := &Set{fold: fold}
	for _, w := range words {
		if f := New(w, fold); !f.never {
			t.words = append(t.words, f)
		}
	}
	return t
}

// MinSetWord is the length of a pair.
const MinSetWord = 2

// Within reports whether s contains any of the words.
func (t *Set) Within(s string) bool {
	if len(s) < MinSetWord {
		return false
	}
	if t.seen < sampleBytes {
		if t.count(s); t.seen >= t.due {
			t.choose()
		}
	}
	if t.each || len(s) >= eachBytes*len(t.words) {
		return t.one(s)
	}
	if len(s) < 8 {
		for i := 0; i+1 < len(s); i++ {
			if pair := uint16(s[i]) | uint16(s[i+1])<<8; t.has(pair) && t.found(s, i, pair) {
				return true
			}
		}
		return false
	}
	i := 0
	for ; i+8 <= len(s); i += 7 {
		if x := load8(s[i:]); t.any(x) && t.first(s, i, x) {
			return true
		}
	}
	if i+1 < len(s) { // some pairs a second time
		i = len(s) - 8
		x := load8(s[i:])
		return t.any(x) && t.first(s, i, x)
	}
	return false
}

// one searches for one word after the other.
func (t *Set) one(s string) bool {
	for _, f := range t.words {
		if f.Index(s) >= 0 {
			return true
		}
	}
	return false
}

// has reports whether any word has a pair.
func (t *Set) has(pair uint16) bool { return t.pairs[pair>>6]>>(pair&63)&1 != 0 }

// any reports whether a word has any pair of the 7 in x.
func (t *Set) any(x uint64) bool {
	p := &t.pairs
	a, b, c, d := uint16(x), uint16(x>>8), uint16(x>>16), uint16(x>>24)
	e, f, g := uint16(x>>32), uint16(x>>40), uint16(x>>48)
	return (p[a>>6]>>(a&63)|p[b>>6]>>(b&63)|p[c>>6]>>(c&63)|p[d>>6]>>(d&63)|
		p[e>>6]>>(e&63)|p[f>>6]>>(f&63)|p[g>>6]>>(g&63))&1 != 0
}

// first reports whether a word is at one of the 7 pairs of x, which is at i.
func (t *Set) first(s string, i int, x uint64) bool {
	for k := range 7 {
		if pair := uint16(x >> (8 * k)); t.has(pair) && t.found(s, i+k, pair) {
			return true
		}
	}
	return false
}

// found reports whether a word that has the pair is in s, with the pair at i.
func (t *Set) found(s string, i int, pair uint16) bool {
	for k := t.heads[slot(pair)]; k > 0; {
		p := &t.places[k-1]
		if from := i - p.at; p.pair == pair && from >= 0 && len(s)-from >= len(t.words[p.word].text) && t.words[p.word].isAt(s[from:]) {
			return true
		}
		k = p.next
	}
	return false
}

func slot(pair uint16) uint8 { return uint8(pair) + 31*uint8(pair>>8) }

// count counts the bytes of s.
func (t *Set) count(s string) {
	s = s[:min(len(s), sampleBytes)]
	t.seen += len(s)
	for i := range len(s) {
		t.counts[t.fold.Of(s[i])]++
	}
}

// choose chooses the pair of each word by what was counted.
func (t *Set) choose() {
	t.due = min(max(64, 4*t.seen), sampleBytes) // rarer and rarer
	t.places, t.pairs, t.heads = t.places[:0], [len(t.pairs)]uint64{}, [len(t.heads)]int32{}
	often := uint64(0)
	for number, f := range t.words {
		w, best := f.text, 0
		for i := range len(w) - 1 {
			if t.frequency(w[i:]) < t.frequency(w[best:]) {
				best = i
			}
		}
		often += t.frequency(w[best:])
		for _, a := range []byte(t.variants(w[best])) {
			for _, b := range []byte(t.variants(w[best+1])) {
				t.add(place{pair: uint16(a) | uint16(b)<<8, at: best, word: number})
			}
		}
	}
	t.each = t.seen >= sampleBytes && often*oftenPairs > uint64(t.seen)*uint64(t.seen)
}

// frequency is about how often the first two bytes of w are beside each other.
func (t *Set) frequency(w string) uint64 {
	return uint64(t.counts[w[0]]) * uint64(t.counts[w[1]])
}

// variants are the bytes that count as c.
func (t *Set) variants(c byte) string {
	both := string([]byte{c, c ^ caseBit})
	if t.fold != Exact && t.fold.Of(both[1]) == c {
		return both
	}
	return both[:1]
}

func (t *Set) add(p place) {
	h := slot(p.pair)
	p.next = t.heads[h]
	t.places = append(t.places, p)
	t.heads[h] = int32(len(t.places))
	t.pairs[p.pair>>6] |= 1 << (p.pair & 63)
}
