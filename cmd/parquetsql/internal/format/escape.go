package format

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// appendShown appends text as a person sees it on one line of a terminal. Newlines, tabs
// and all that could steer a terminal or turn the direction of a line are written as
// escapes, and a backslash as two, so that each text is shown in a way of its own.
func appendShown(dst []byte, text []byte) []byte {
	if isPlain(text) {
		return append(dst, text...)
	}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			dst = fmt.Appendf(dst, `\x%02x`, text[0])
		case r == '\\':
			dst = append(dst, `\\`...)
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < 0x80 && unicode.IsControl(r):
			dst = fmt.Appendf(dst, `\x%02x`, r)
		case unicode.IsControl(r), r == '\u2028', r == '\u2029', unicode.Is(unicode.Bidi_Control, r):
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
	return dst
}

// isPlain reports whether text is printable ASCII without a backslash.
func isPlain(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

// width returns how many columns of a terminal the text takes.
func width(text []byte) int {
	if isASCII(text) {
		return len(text)
	}
	return uniseg.StringWidth(string(text))
}

// elide says how much of text fits into a width: its first end bytes, which are w columns
// wide. Where the text is cut, w counts the … that has to follow. Characters of several
// code points stay whole.
func elide(text []byte, limit int) (end, w int, cut bool) {
	// A character has at least one byte for each column it takes.
	if limit <= 0 || len(text) <= limit {
		return len(text), width(text), false
	}
	if isASCII(text) {
		return limit - 1, limit, true
	}
	kept, pos, state := 0, 0, -1
	for rest := text; len(rest) > 0; {
		var cluster []byte
		var cells int
		cluster, rest, cells, state = uniseg.FirstGraphemeCluster(rest, state)
		if w+cells > limit {
			return end, kept + 1, true
		}
		w += cells
		pos += len(cluster)
		if w < limit {
			end, kept = pos, w
		}
	}
	return len(text), w, false
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// shownNull returns the text of NULL, and quote, which shows a text that looks like it in
// quotes, so that the two are told apart.
func shownNull(null string) (text []byte, quote func(shown []byte) []byte) {
	if null == "" {
		return nil, func(shown []byte) []byte { return shown }
	}
	plain, quoted := []byte(null), []byte("'"+null+"'")
	return plain, func(shown []byte) []byte {
		switch {
		case bytes.Equal(shown, plain):
			return append([]byte(nil), quoted...)
		case bytes.Equal(shown, quoted):
			return append([]byte(`\`), shown...)
		}
		return shown
	}
}
