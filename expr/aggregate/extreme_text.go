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
func firstWord(s string) (word uint64) {
	if len(s) >= 8 {
		s = s[:8]
		return uint64(s[0])<<56 | uint64(s[1])<<48 | uint64(s[2])<<40 | uint64(s[3])<<32 |
			uint64(s[4])<<24 | uint64(s[5])<<16 | uint64(s[6])<<8 | uint64(s[7])
	}
	for i := range len(s) {
		word |= uint64(s[i]) << (56 - 8*i)
	}
	return word
}
