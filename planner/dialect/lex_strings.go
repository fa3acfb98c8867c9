package dialect

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// dollar is the tag of the string $tag$…$tag$ that begins at the cursor, or "". In such a
// string nothing is an escape.
func (l *lexer) dollar() string {
	i := 1
	for isWordStart(l.peek(i)) || i > 1 && isDigit(l.peek(i)) {
		i++
	}
	if l.peek(0) != '$' || l.peek(i) != '$' {
		return ""
	}
	return l.text[l.pos : l.pos+i+1]
}

func (l *lexer) dollarString(tag string) {
	start, from := l.pos, l.pos+len(tag)
	n := strings.Index(l.text[from:], tag)
	if n < 0 {
		l.fail(start, "the string does not end with "+clip(tag))
		return
	}
	l.pos = from + n + len(tag)
	l.add(token{kind: tString, pos: start, end: l.pos, text: l.text[from : from+n]})
}

// escapes are those of one letter in E'…'; every other letter stands for itself.
var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escapedString reads E'a\tb', the only kind of string in which a backslash is an escape.
func (l *lexer) escapedString() {
	start := l.pos
	var b strings.Builder
	for l.pos += 2; ; l.pos++ {
		switch c := l.peek(0); {
		case l.pos >= len(l.text):
			l.fail(start, "the string does not end")
			return
		case c == '\'' && l.peek(1) == '\'':
			b.WriteByte(c)
			l.pos++
		case c == '\'':
			l.pos++
			if !utf8.ValidString(b.String()) {
				l.fail(start, "the escapes of the string make no valid UTF-8")
			}
			l.add(token{kind: tString, pos: start, end: l.pos, text: b.String()})
			return
		case c == '\\':
			l.pos++
			l.escape(&b)
		default:
			b.WriteByte(c)
		}
	}
}

// escape reads what follows a backslash and leaves the cursor on its last byte: \n, the byte
// \x41 or \101, the character \u00e9 or \U0001F600.
func (l *lexer) escape(b *strings.Builder) {
	c := l.peek(0)
	code := func(from, most, base int) (n uint64, length int) {
		for length < most {
			if _, err := strconv.ParseUint(l.text[l.pos+from+length:min(l.pos+from+length+1, len(l.text))], base, 32); err != nil {
				break
			}
			length++
		}
		n, _ = strconv.ParseUint(l.text[l.pos+from:l.pos+from+length], base, 32)
		return n, length
	}
	if short, ok := escapes[c]; ok {
		b.WriteByte(short)
		return
	}
	if hex := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]; hex > 0 {
		n, length := code(1, hex, 16)
		switch {
		case length == 0 || c != 'x' && length != hex:
			l.fail(l.pos, "the escape \\"+string(c)+" needs hexadecimal digits")
		case c == 'x':
			b.WriteByte(byte(n))
		default:
			b.WriteRune(rune(min(n, utf8.MaxRune+1)))
		}
		l.pos += length
		return
	}
	if n, length := code(0, 3, 8); length > 0 {
		b.WriteByte(byte(n))
		l.pos += length - 1
		return
	}
	b.WriteByte(c)
}
