package substring

import "strings"

// Fold says which letters of a text count as which.
type Fold uint8

const (
	// Exact takes the text as it is.
	Exact Fold = iota
	// Lower takes A to Z of the text as a to z, so that no upper-case letter is found.
	Lower
	// Upper takes a to z of the text as A to Z, so that no lower-case letter is found.
	Upper
)

// Of is what a byte of the text counts as.
func (f Fold) Of(c byte) byte {
	if f == Lower && 'A' <= c && c <= 'Z' || f == Upper && 'a' <= c && c <= 'z' {
		return c ^ caseBit
	}
	return c
}

// caseBit is in what a letter of ASCII differs from that of the other case.
const caseBit = 'a' - 'A'

// HasPrefix reports whether s, folded, begins with text.
func (f Fold) HasPrefix(s, text string) bool {
	if f == Exact || len(s) < len(text) {
		return strings.HasPrefix(s, text)
	}
	for i := range len(text) {
		if f.Of(s[i]) != text[i] {
			return false
		}
	}
	return true
}

// HasSuffix reports whether s, folded, ends with text.
func (f Fold) HasSuffix(s, text string) bool {
	return len(s) >= len(text) && f.HasPrefix(s[len(s)-len(text):], text)
}

// Reach says in which texts the places of a text are the same, whether only the letters of
// ASCII are folded or those of Unicode, one by one.
type Reach uint8

const (
	// Nowhere: it has characters beyond ASCII, or is long.
	Nowhere Reach = iota
	// InASCII: it has a letter that others than those of ASCII are folded to.
	InASCII
	// Everywhere: no character beyond ASCII is folded to one of it.
	Everywhere
)

// Reach is that of a text.
func (f Fold) Reach(text string) Reach {
	switch {
	case f == Exact:
		return Everywhere
	case !ASCII(text) || len(text) > maxText:
		return Nowhere
	case f == Lower && strings.ContainsAny(text, foldedTo[Lower]), f == Upper && strings.ContainsAny(text, foldedTo[Upper]):
		return InASCII
	}
	return Everywhere
}

// foldedTo are the letters of ASCII that others are folded to: the Kelvin sign and İ to k
// and i, ı and ſ to I and S.
var foldedTo = [...]string{Lower: "ik", Upper: "IS"}
