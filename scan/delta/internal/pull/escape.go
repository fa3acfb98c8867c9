package pull

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape replaces the escapes of a string (RFC 8259, section 7). It is false where one is
// wrong. Half of a surrogate pair becomes U+FFFD, as in encoding/json.
func unescape(s string) (string, bool) {
	out := make([]byte, 0, len(s))
	for {
		plain := 0
		for plain < len(s) && s[plain] != '\\' { // strings are short between escapes: a call costs more
			plain++
		}
		if out = append(out, s[:plain]...); plain == len(s) {
			return string(out), true
		}
		var ok bool
		if c := s[min(plain+1, len(s)-1)]; c == '"' {
			out, s = append(out, c), s[plain+2:]
		} else if out, s, ok = oneEscape(out, s[plain+1:]); !ok {
			return "", false
		}
	}
}

// oneEscape appends what the escape stands for that s is, without its backslash, and returns what
// follows it.
func oneEscape(out []byte, s string) (_ []byte, rest string, ok bool) {
	if s == "" {
		return nil, "", false
	}
	switch c := s[0]; c {
	case '"', '\\', '/':
		return append(out, c), s[1:], true
	case 'b', 'f', 'n', 'r', 't':
		return append(out, "\b\f\n\r\t"[strings.IndexByte("bfnrt", c)]), s[1:], true
	case 'u':
		r, rest, ok := hex4(s[1:])
		if utf16.IsSurrogate(r) && strings.HasPrefix(rest, `\u`) {
			if low, after, is := hex4(rest[2:]); is && utf16.DecodeRune(r, low) != utf8.RuneError {
				r, rest = utf16.DecodeRune(r, low), after
			}
		}
		return utf8.AppendRune(out, r), rest, ok
	}
	return nil, "", false
}

func hex4(s string) (r rune, rest string, ok bool) {
	if len(s) < 4 || strings.ContainsAny(s[:4], "+-_") {
		return 0, "", false
	}
	v, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(v), s[4:], err == nil
}
