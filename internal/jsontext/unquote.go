package jsontext

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote is the characters of a string with its quotes; ok is false where it is none. As in
// encoding/json, bytes that are not UTF-8 become U+FFFD. It is a part of the text where nothing
// has to be replaced.
func Unquote(quoted string) (s string, ok bool) {
	r := New(quoted, nil)
	if len(quoted) == 0 || quoted[0] != '"' || r.str() != correct || r.at != len(quoted) {
		return "", false
	}
	return unescape(quoted[1:len(quoted)-1], r.escaped), true
}

// unescape is the characters of what is between the quotes.
func unescape(s string, escaped bool) string {
	if !escaped && utf8.ValidString(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		if s[0] != '\\' {
			r, size := utf8.DecodeRuneInString(s)
			out, s = utf8.AppendRune(out, r), s[size:]
			continue
		}
		if s[1] != 'u' {
			out, s = append(out, "\"\\/\b\f\n\r\t"[strings.IndexByte(`"\/bfnrt`, s[1])]), s[2:]
			continue
		}
		r, _ := hex4(s[2:])
		if s = s[6:]; utf16.IsSurrogate(r) {
			low, _ := hex4(s[2:])
			r, s = utf16.DecodeRune(r, low), s[6:]
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}
