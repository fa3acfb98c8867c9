package aggregate

import "github.com/parquetsql/parquetsql/vector"

// best is the greatest or the least of the picked texts, of which there is one.
func (s *extremeStrings) best(p *picked) string {
	if entries := len(p.from.Str); p.at != nil && entries < p.n/2 {
		return s.bestEntry(p, entries)
	}
	out := p.from.Str[p.place(0)]
	first := firstWord(out)
	for i := 1; i < p.n; i++ {
		v := p.from.Str[p.place(i)]
		if word := firstWord(v); word == first && (v > out) == s.max || word != first && (word > first) == s.max {
			out, first = v, word
		}
	}
	return out
}

// bestEntry is best of a dictionary that is shorter than the rows.
func (s *extremeStrings) bestEntry(p *picked, entries int) string {
	s.seen = vector.Resize(s.seen, entries)
	clear(s.seen)
	for _, code := range p.at[:p.n] {
		s.seen[code] = true
	}
	out := p.from.Str[p.at[0]]
	for i, v := range p.from.Str[:entries] {
		if s.seen[i] && v != out && (v > out) == s.max {
			out = v
		}
	}
	return out
}

// firstWord is the first 8 bytes of a text, with zeros behind a shorter one. Where those of two
// texts differ, they are in the order of the texts.
func firstWord(s string) uint64 {
	n := len(s)
	switch { // reads overlap where a text has fewer bytes than two of them
	case n >= 8:
		return bigEndian4(s)<<32 | bigEndian4(s[4:])
	case n >= 4:
		return bigEndian4(s)<<32 | bigEndian4(s[n-4:])<<(64-8*n)
	case n >= 2:
		return uint64(s[0])<<56 | uint64(s[1])<<48 | uint64(s[n-1])<<(64-8*n)
	case n == 1:
		return uint64(s[0]) << 56
	}
	return 0
}

func bigEndian4(s string) uint64 {
	return uint64(s[0])<<24 | uint64(s[1])<<16 | uint64(s[2])<<8 | uint64(s[3])
}
