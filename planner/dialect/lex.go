package dialect

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
)

// lexer cuts the text into tokens: names, numbers, strings in all their forms, placeholders,
// operators. Of keywords it knows those that cannot be names. Positions are bytes from 0.
type lexer struct {
	text string
	pos  int
	toks []token
	err  error
	open []bracket // those that enclose the cursor
}

// tokensAtOnce is how many tokens there is room for at least, and how many are cut between two
// looks at the context.
const tokensAtOnce = 4096

// tokenize cuts the text into tokens, the last of which is an EOF. Errors are
// *errs.SyntaxError, or that of the context.
func tokenize(ctx context.Context, text string) ([]token, error) {
	l := &lexer{text: text, toks: make([]token, 0, min(len(text)/5, tokensAtOnce)+2)}
	ticker := quota.Telling(func(int) error {
		l.reserve()
		return ctx.Err()
	}, tokensAtOnce)
	for l.err == nil && l.blank() {
		if l.next(); l.err == nil {
			l.err = ticker.Work(1)
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	l.add(token{kind: tEOF, pos: len(text), end: len(text)})
	return l.toks, ctx.Err()
}

// reserve makes room for the tokens of the rest if it is as the text before, so that the list
// of millions is not copied as it grows.
func (l *lexer) reserve() {
	if cap(l.toks)-len(l.toks) > tokensAtOnce || l.pos == 0 {
		return
	}
	left := len(l.text) - l.pos
	rest := float64(len(l.toks)) / float64(l.pos) * float64(left) * 9 / 8
	l.toks = slices.Grow(l.toks, min(int(rest), left/2)+tokensAtOnce)
}

func (l *lexer) fail(pos int, msg string) {
	if l.err == nil {
		l.err = &errs.SyntaxError{Position: pos, Message: msg}
	}
}

func (l *lexer) add(t token) { l.toks = append(l.toks, t) }

func (l *lexer) peek(i int) byte {
	if l.pos+i < len(l.text) {
		return l.text[l.pos+i]
	}
	return 0
}

// blank skips blanks and comments; it returns false at the end of the text.
func (l *lexer) blank() bool {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		r, n := utf8.DecodeRuneInString(rest)
		switch {
		case isBlank(r):
			l.pos += n
		case strings.HasPrefix(rest, "--"):
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				l.pos += i
			} else {
				l.pos = len(l.text)
			}
		case strings.HasPrefix(rest, "/*"):
			if !l.comment() {
				return false
			}
		default:
			return true
		}
	}
	return false
}

// isBlank reports whether a character divides tokens. Texts that were copied from documents have
// those that show nothing.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || r >= '\u2000' && r <= '\u200d' || r == '\u2060' || r == '\ufeff'
}

// comment skips a block comment; they nest, as in the standard.
func (l *lexer) comment() bool {
	start, depth := l.pos, 0
	for l.pos < len(l.text) {
		switch {
		case strings.HasPrefix(l.text[l.pos:], "/*"):
			depth++
			l.pos += 2
		case strings.HasPrefix(l.text[l.pos:], "*/"):
			depth--
			l.pos += 2
			if depth == 0 {
				return true
			}
		default:
			l.pos++
		}
	}
	l.fail(start, "the comment does not end")
	return false
}

// isDigit reports whether a byte is a decimal digit.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func (l *lexer) next() {
	c, start := l.text[l.pos], l.pos
	switch {
	case (c == 'x' || c == 'X') && l.peek(1) == '\'':
		l.pos++
		l.quoted('\'', "string")
		if l.err == nil {
			l.blob(start, l.toks[len(l.toks)-1].text)
		}
	case (c == 'e' || c == 'E') && l.peek(1) == '\'':
		l.escapedString()
	case l.dollar() != "":
		l.dollarString(l.dollar())
	case isWordStart(c):
		l.word()
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		l.number()
	case c == '\'':
		l.quoted(c, "string")
	case c == '"' || c == '`':
		l.quoted(c, "quoted name")
	case c == '?':
		l.pos++
		l.add(token{kind: tParam, pos: start, end: l.pos, text: ""})
	case c == '$' && isDigit(l.peek(1)):
		l.param(isDigit)
	case c == '@' && l.peek(1) == '@' && isWordStart(l.peek(2)):
		l.system()
	case c == '@' && l.qualified():
		l.operator() // @t.x is the absolute value of a column
	case (c == ':' || c == '$' || c == '@') && isWordStart(l.peek(1)) && !l.afterColon() && !(c == ':' && l.separates()):
		l.param(isWordPart)
	default:
		l.operator()
	}
}

// qualified reports whether a dotted name follows the byte at the cursor.
func (l *lexer) qualified() bool {
	i := 1
	for i > 1 && isDigit(l.peek(i)) || isWordStart(l.peek(i)) {
		i++
	}
	return i > 1 && l.peek(i) == '.' && (isWordStart(l.peek(i+1)) || l.peek(i+1) == '"')
}

// afterColon reports whether the byte before is a colon. Then this colon is part
// of an operator and does not begin a placeholder.
func (l *lexer) afterColon() bool {
	return l.pos > 0 && l.text[l.pos-1] == ':'
}

func isWordPart(c byte) bool { return isWordStart(c) || isDigit(c) }

func (l *lexer) word() {
	start := l.pos
	for l.pos < len(l.text) {
		r, n := utf8.DecodeRuneInString(l.text[l.pos:])
		if r == utf8.RuneError && n == 1 {
			l.fail(l.pos, "the text is not valid UTF-8")
			return
		}
		if isBlank(r) || r < utf8.RuneSelf && r != '$' && !isWordPart(byte(r)) {
			break
		}
		l.pos += n
	}
	if l.pos == start {
		r, _ := utf8.DecodeRuneInString(l.text[l.pos:])
		l.fail(start, "unexpected character '"+string(r)+"'")
		return
	}
	text := l.text[start:l.pos]
	l.add(token{kind: tWord, pos: start, end: l.pos, text: text, upper: strings.ToUpper(text)})
}

func (l *lexer) number() {
	start := l.pos
	if l.peek(0) == '0' && (l.peek(1) == 'x' || l.peek(1) == 'X') {
		l.pos += 2
		from := l.pos
		for isWordPart(l.peek(0)) {
			l.pos++
		}
		l.add(token{kind: tBlob, pos: start, end: l.pos})
		l.blob(start, l.text[from:l.pos])
		return
	}
	digits := func() {
		for isDigit(l.peek(0)) {
			if l.pos++; l.peek(0) == '_' && isDigit(l.peek(1)) {
				l.pos++
			}
		}
	}
	digits()
	if l.peek(0) == '.' {
		l.pos++
		digits()
	}
	if c := l.peek(0); c == 'e' || c == 'E' {
		i := 1
		if s := l.peek(1); s == '+' || s == '-' {
			i = 2
		}
		if isDigit(l.peek(i)) {
			l.pos += i
			digits()
		}
	}
	if r, _ := utf8.DecodeRuneInString(l.text[l.pos:]); isWordStart(l.peek(0)) && !isBlank(r) {
		l.fail(start, "there is no space between a letter and the number "+clip(l.text[start:l.pos]))
		return
	}
	l.add(token{kind: tNumber, pos: start, end: l.pos, text: strings.ReplaceAll(l.text[start:l.pos], "_", "")})
}

// blob turns the hex digits of the last token into bytes.
func (l *lexer) blob(start int, digits string) {
	b, err := hex.DecodeString(digits)
	if err != nil || len(digits) == 0 && l.text[start] == '0' {
		l.fail(start, "a BLOB literal needs pairs of hexadecimal digits")
		return
	}
	t := &l.toks[len(l.toks)-1]
	t.kind, t.pos, t.text = tBlob, start, string(b)
}

// quoted reads up to the closing quote. A doubled quote is one quote; backslash
// is not an escape.
func (l *lexer) quoted(quote byte, what string) {
	start := l.pos
	var b strings.Builder
	for l.pos++; ; {
		i := strings.IndexByte(l.text[l.pos:], quote)
		if i < 0 {
			if quote == '\'' && start > 0 && isWordPart(l.text[start-1]) { // 'O'Neil'
				what += " does not end; a quote within a string is written twice: ''"
			} else {
				what += " does not end"
			}
			l.fail(start, "the "+what)
			return
		}
		b.WriteString(l.text[l.pos : l.pos+i])
		l.pos += i + 1
		if l.peek(0) == quote {
			b.WriteByte(quote)
			l.pos++
		} else if quote != '\'' || !l.continues(start) {
			break
		}
	}
	k := tQuoted
	if quote == '\'' {
		k = tString
	} else if b.Len() == 0 {
		l.fail(start, "a quoted name cannot be empty")
		return
	}
	l.add(token{kind: k, pos: start, end: l.pos, text: b.String()})
}

// continues reports whether the string that began at start goes on in another line, as the
// standard lets it, and moves the cursor there.
func (l *lexer) continues(start int) bool {
	end := l.pos
	blob := start > 0 && (l.text[start-1] == 'x' || l.text[start-1] == 'X')
	if !blob && l.blank() && l.peek(0) == '\'' && strings.Contains(l.text[end:l.pos], "\n") {
		l.pos++
		return true
	}
	l.pos = end
	return false
}

func (l *lexer) param(part func(byte) bool) {
	start := l.pos
	for l.pos++; part(l.peek(0)); {
		l.pos++
	}
	l.add(token{kind: tParam, pos: start, end: l.pos, text: l.text[start+1 : l.pos]})
}

// system reads @@name, @@session.name, @@global.name.
func (l *lexer) system() {
	start := l.pos
	for l.pos += 2; isWordPart(l.peek(0)) || l.peek(0) == '.' && isWordStart(l.peek(1)); {
		l.pos++
	}
	name := l.text[start+2 : l.pos]
	if scope, rest, ok := strings.Cut(name, "."); ok && scope != "" && strings.Contains(" SESSION GLOBAL LOCAL PERSIST ", " "+strings.ToUpper(scope)+" ") {
		name = rest
	}
	l.add(token{kind: tSystem, pos: start, end: l.pos, text: name})
}

// operators, longest first.
var operators = []string{
	"!~~*", "!~*", "->>", "#>>", "#>", "<=>", "<->", "!~~", "~~*", "~~~", "~~", "~*", "^@", "->", "::", "||", "<>", "!=", "<=", ">=", "==", "<<", ">>", "&&", "@>", "<@", "**", "//", "!~", "=>", ":=",
	"+", "-", "*", "/", "%", "^", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ".", ";", ":", "~", "!", "|", "&", "@", "#",
}

func (l *lexer) operator() {
	for _, o := range operators {
		if strings.HasPrefix(l.text[l.pos:], o) {
			l.nest(o)
			l.add(token{kind: tOp, pos: l.pos, end: l.pos + len(o), text: o})
			l.pos += len(o)
			return
		}
	}
	l.fail(l.pos, "unexpected character '"+l.text[l.pos:l.pos+1]+"'")
}
