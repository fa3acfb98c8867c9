package jsontext

import (
	"math/bits"
	"unicode/utf8"
)

// This file finds the ends of what most strings and numbers are, without a Reader: the place stays in a register.

// shortString is how many bytes of a string are looked at one by one: the length of names is often
// the one that the processor expects.
const shortString = 8

// behindString is behind the string whose quote is next, if all in it is ASCII and means itself, else 0.
func behindString(text string, at int) int {
	const high = 0x8080808080808080
	at++
	for short := min(len(text), at+shortString); at < short; at++ {
		if c := text[at]; notASCII[c] {
			if c == '"' {
				return at + 1
			}
			return 0
		}
	}
	for ; at+8 <= len(text); at += 8 {
		x := load(text[at:])
		if found := specials(x) | x&high; found != 0 {
			if at += bits.TrailingZeros64(found) / 8; text[at] == '"' {
				return at + 1
			}
			return 0
		}
	}
	for ; at < len(text); at++ {
		if c := text[at]; notASCII[c] {
			if c == '"' {
				return at + 1
			}
			break
		}
	}
	return 0
}

// notASCII is special, with the bytes that are not ASCII.
var notASCII = func() [256]bool {
	t := special
	for c := utf8.RuneSelf; c < len(t); c++ {
		t[c] = true
	}
	return t
}()

// behindNumber is behind the number that is next, if it has no exponent and its end is before that of the text, else 0.
func behindNumber(text string, at int) int {
	if text[at] == '-' {
		at++
	}
	from := at
	for at < len(text) && text[at]-'0' <= 9 {
		at++
	}
	if n := at - from; n == 0 || n > 1 && text[from] == '0' {
		return 0
	}
	if at < len(text) && text[at] == '.' {
		for at, from = at+1, at+1; at < len(text) && text[at]-'0' <= 9; {
			at++
		}
		if at == from {
			return 0
		}
	}
	if at == len(text) || !isBehind[text[at]] {
		return 0
	}
	return at
}

// special has the bytes that end a string, begin an escape or may not be in one.
var special = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

// load is the first eight bytes, the first one lowest.
func load(s string) uint64 {
	s = s[:8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// specials has the high bit of the first of eight bytes that special has, and of others behind it.
func specials(x uint64) uint64 {
	const each, high = 0x0101010101010101, 0x8080808080808080
	quote, back := x^each*'"', x^each*'\\'
	return ((quote-each)&^quote | (back-each)&^back | (x-each*' ')&^x) & high
}
