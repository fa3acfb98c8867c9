package substring

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// ASCII reports whether s has only characters of ASCII.
func ASCII(s string) bool {
	at := 0
	for ; at+32 <= len(s); at += 32 {
		if (load8(s[at:])|load8(s[at+8:])|load8(s[at+16:])|load8(s[at+24:]))&eachHigh != 0 {
			return false
		}
	}
	if at+16 <= len(s) {
		if (load8(s[at:])|load8(s[at+8:]))&eachHigh != 0 {
			return false
		}
		at += 16
	}
	switch rest := s[at:]; {
	case len(rest) >= 8:
		return (load8(rest)|load8(rest[len(rest)-8:]))&eachHigh == 0
	case len(s) >= 8: // some bytes a second time
		return load8(s[len(s)-8:])&eachHigh == 0
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// ToLower is strings.ToLower, faster for ASCII.
func ToLower(s string) string { return Lower.all(s, strings.ToLower) }

// ToUpper is strings.ToUpper, faster for ASCII.
func ToUpper(s string) string { return Upper.all(s, strings.ToUpper) }

// all folds s, where it is not ASCII with whole.
func (f Fold) all(s string, whole func(string) string) string {
	switch {
	case !ASCII(s):
		return whole(s)
	case f.same(s):
		return s
	}
	var to strings.Builder
	to.Grow(len(s))
	for ; len(s) >= 8; s = s[8:] {
		var word [8]byte
		x := load8(s)
		binary.LittleEndian.PutUint64(word[:], x^f.letters(x)>>2) // of the high bit, that of the case
		to.Write(word[:])
	}
	for i := range len(s) {
		to.WriteByte(f.Of(s[i]))
	}
	return to.String()
}

// same reports whether folding changes nothing in s, which is ASCII.
func (f Fold) same(s string) bool {
	at := 0
	for ; at+8 <= len(s); at += 8 {
		if f.letters(load8(s[at:])) != 0 {
			return false
		}
	}
	for ; at < len(s); at++ {
		if f.Of(s[at]) != s[at] {
			return false
		}
	}
	return true
}

// letters has the high bit of each byte of x that is changed. All of them are ASCII, so
// that no sum of two bytes carries.
func (f Fold) letters(x uint64) uint64 {
	first := uint64('A')
	if f == Upper {
		first = 'a'
	}
	return (x + (0x80-first)*eachOne) &^ (x + (0x80-first-26)*eachOne) & eachHigh
}
