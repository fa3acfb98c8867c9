package text

import "unicode/utf8"

// twoBytes is the first character that has three bytes in UTF-8: those before it are all that are written with Latin, Greek and
// Cyrillic letters, Hebrew and Arabic ones.
const twoBytes = 0x800

// byCharacter makes texts of which each character becomes something, without regard to those beside it. What the characters of few bytes
// become is kept.
type byCharacter struct {
	all  func(string) string // what is made of a text
	made []string            // of the characters before twoBytes; "": not yet
}

// append appends what is made of a text.
func (b *byCharacter) append(dst []byte, s string) []byte {
	if b.made == nil {
		b.made = make([]string, twoBytes)
	}
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if r >= twoBytes { // also what is not UTF-8
			dst = append(dst, b.all(s[i:i+size])...)
			i += size
			continue
		}
		made := b.made[r]
		if made == "" {
			made = b.all(string(r))
			b.made[r] = made
		}
		if len(made) == 1 {
			dst = append(dst, made[0])
		} else {
			dst = append(dst, made...)
		}
		i += size
	}
	return dst
}
