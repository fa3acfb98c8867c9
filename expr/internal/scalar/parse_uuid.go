package scalar

import "strings"

// ParseUUID reads 32 hexadecimal digits, with hyphens at any byte boundary and
// braces around them.
func ParseUUID(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 1 && text[0] == '{' && text[len(text)-1] == '}' {
		text = text[1 : len(text)-1]
	}
	var out [16]byte
	n := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '-' && n%2 == 0 && n > 0 {
			continue
		}
		d, ok := HexDigit(text[i])
		if !ok || n == 32 {
			return "", false
		}
		out[n/2] = out[n/2]<<4 | d
		n++
	}
	return string(out[:]), n == 32
}

func HexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
