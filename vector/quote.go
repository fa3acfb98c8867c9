package vector

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// AppendQuoted appends a string as a JSON string. Bytes that are not UTF-8
// become U+FFFD, since JSON cannot have them.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := PlainText(s)
	if plain == len(s) {
		return append(append(dst, s...), '"')
	}
	dst = append(dst, s[:plain]...)
	for i := plain; i < len(s); {
		if cap(dst)-len(dst) < 16 {
			dst = slices.Grow(dst, 16+len(s)-i)
		}
		if i+8 <= len(s) {
			x := load8(s[i:])
			if special(x) == 0 {
				binary.LittleEndian.PutUint64(dst[len(dst):len(dst)+8], x)
				dst, i = dst[:len(dst)+8], i+8
				continue
			}
			if (x|(x-' '*eachOne))&eachHigh == 0 { // quotes and backslashes: a backslash is written before each byte, and stays there before these
				to, n := dst[len(dst):len(dst)+16], 0
				for range 8 {
					to[n&15] = '\\'
					n += int(backslashed[byte(x)])
					to[n&15] = byte(x)
					n, x = n+1, x>>8
				}
				dst, i = dst[:len(dst)+n], i+8
				continue
			}
		}
		c := s[i]
		if c < utf8.RuneSelf {
			if i++; c >= ' ' && c != '"' && c != '\\' {
				dst = append(dst, c)
			} else {
				dst = appendEscape(dst, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, "\uFFFD"...)
		} else {
			dst = append(dst, s[i:i+size]...)
		}
		i += size
	}
	return append(dst, '"')
}

// backslashed is 1 for the characters that have a backslash before them.
var backslashed = [256]uint8{'"': 1, '\\': 1}

const (
	eachOne  = 0x0101010101010101 // 1 in each byte
	eachHigh = 0x8080808080808080 // the high bit of each byte
)

// load8 is the first 8 bytes of s, little-endian.
func load8(s string) uint64 {
	s = s[:8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// load4 is the first 4 bytes of s, little-endian.
func load4(s string) uint32 {
	s = s[:4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// PlainText is the number of bytes at the beginning of s that are sure to be ASCII and
// to need no escape in a JSON string; it may be 7 too low.
func PlainText(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if special(load8(s[i:])) != 0 {
			return i
		}
	}
	switch {
	case i == len(s) || i > 0 && special(load8(s[len(s)-8:])) == 0: // some bytes a second time
		return len(s)
	case len(s) >= 4 && i == 0:
		if special(uint64(load4(s))|uint64(load4(s[len(s)-4:]))<<32) == 0 {
			return len(s)
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return i
		}
	}
	return i
}

// special is not 0 if one of 8 bytes is not ASCII or needs an escape in a JSON string. A
// byte that is too small, or zero once the character is taken from it, borrows; one that
// is not ASCII has the high bit already.
func special(x uint64) uint64 {
	return (x | (x - ' '*eachOne) | ((x ^ '"'*eachOne) - eachOne) | ((x ^ '\\'*eachOne) - eachOne)) & eachHigh
}

// ASCII is the number of bytes at the beginning of s that are sure to be ASCII; it may
// be 7 too low.
func ASCII(s string) int {
	i := 0
	for ; i+8 <= len(s) && load8(s[i:])&eachHigh == 0; i += 8 {
	}
	return i
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// AppendFloatJSON appends the shortest text that reads back as the same float,
// with an exponent for the same small and large numbers as in JavaScript.
func AppendFloatJSON(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	if bits == 64 {
		if out, ok := appendShort(dst, f); ok {
			return out
		}
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, bits)
}
