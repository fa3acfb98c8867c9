package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// folded has the places of columns by their names without regard to case: SELECT * of
// 40,000 columns looks for each of them. It is made when it is first needed, and again
// where columns were added.
type folded struct {
	places map[string][]int
	n      int // columns in places
}

// of returns the places of the columns whose names differ from name only in case.
func (f *folded) of(columns []Column, name string) []int {
	if f.n != len(columns) || f.places == nil {
		f.places, f.n = make(map[string][]int, len(columns)), len(columns)
		for i := range columns {
			key := fold(columns[i].Name)
			f.places[key] = append(f.places[key], i)
		}
	}
	return f.places[fold(name)]
}

// fold returns the same text for all that strings.EqualFold finds equal: each letter is
// replaced by the least of those that differ from it only in case.
func fold(s string) string {
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
