package scalar

import (
	"strconv"
	"strings"
)

// ParseBlob is the bytes of a text, where \x and two hexadecimal digits are a byte and other
// characters are their UTF-8 bytes; false if a backslash begins something else.
func ParseBlob(s string) (string, bool) {
	if !strings.Contains(s, `\`) {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		if i+4 > len(s) || s[i+1] != 'x' {
			return "", false
		}
		b, err := strconv.ParseUint(s[i+2:i+4], 16, 8)
		if err != nil {
			return "", false
		}
		out = append(out, byte(b))
		i += 3
	}
	return string(out), true
}
