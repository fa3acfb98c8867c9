// Package script cuts texts of SQL: into statements, and statements into the words by which the
// server knows those that it answers itself. It reads no more of SQL than where strings, names and
// comments end, in the way of the driver's dialect.
package script

import "strings"

// Statement is a statement of a text, without the semicolon.
type Statement struct {
	Text   string
	Offset int // its first byte in the text
}

// Split cuts a text at its semicolons. Statements of nothing but blanks and comments are left out.
func Split(text string) []Statement {
	var out []Statement
	s := Scanner{text: text}
	start := -1
	for {
		t := s.Next()
		if start < 0 && t.Kind != End && !t.Is(";") {
			start = t.Pos
		}
		if t.Kind == End || t.Is(";") {
			if start >= 0 {
				out = append(out, Statement{strings.TrimRight(text[start:t.Pos], " \t\r\n"), start})
			}
			start = -1
		}
		if t.Kind == End {
			return out
		}
	}
}

// Kind is a kind of token.
type Kind int

// The kinds of tokens. An operator is one character.
const (
	End Kind = iota
	Word
	Quoted
	String
	Number
	Operator
)

// Token is a part of a statement.
type Token struct {
	Kind     Kind
	Text     string // of a string or a quoted name without its quotes
	Pos, End int    // bytes of the text
}

// Is reports whether a token is a word without quotes, in letters of any case, or an operator.
func (t Token) Is(word string) bool {
	return (t.Kind == Word || t.Kind == Operator) && strings.EqualFold(t.Text, word)
}

// Scanner gives the tokens of a text one after another.
type Scanner struct {
	text string
	pos  int
}

// Scan returns a Scanner of a text.
func Scan(text string) *Scanner { return &Scanner{text: text} }

// Rest is what follows the last token.
func (s *Scanner) Rest() string { return s.text[s.pos:] }

// Peek is the next token, which stays the next one.
func (s *Scanner) Peek() Token {
	ahead := *s
	return ahead.Next()
}

// Take reads words if all of them come next.
func (s *Scanner) Take(words ...string) bool {
	ahead := *s
	for _, w := range words {
		if !ahead.Next().Is(w) {
			return false
		}
	}
	*s = ahead
	return true
}

// Next is the next token; at the end one of the kind End.
func (s *Scanner) Next() Token {
	s.blanks()
	start := s.pos
	token := func(kind Kind, text string) Token { return Token{kind, text, start, s.pos} }
	c := s.at(0)
	switch {
	case s.pos >= len(s.text):
		return token(End, "")
	case c == '\'':
		return token(String, s.quoted('\'', false))
	case (c == 'e' || c == 'E') && s.at(1) == '\'':
		s.pos++
		return token(String, s.quoted('\'', true))
	case c == '"' || c == '`':
		return token(Quoted, s.quoted(c, false))
	case c == '$' && s.tag() != "":
		tag := s.tag()
		s.pos += len(tag)
		n := strings.Index(s.text[s.pos:], tag)
		if n < 0 {
			n, tag = len(s.text)-s.pos, ""
		}
		inner := s.text[s.pos : s.pos+n]
		s.pos += n + len(tag)
		return token(String, inner)
	case letter(c):
		for letter(s.at(0)) || digit(s.at(0)) || s.at(0) == '$' {
			s.pos++
		}
		return token(Word, s.text[start:s.pos])
	case digit(c):
		for letter(s.at(0)) || digit(s.at(0)) || s.at(0) == '.' {
			s.pos++
		}
		return token(Number, s.text[start:s.pos])
	}
	s.pos++
	return token(Operator, s.text[start:s.pos])
}

// at is the byte n places ahead; 0 behind the end.
func (s *Scanner) at(n int) byte {
	if s.pos+n < len(s.text) {
		return s.text[s.pos+n]
	}
	return 0
}

// blanks passes blanks and comments. Comments within each other end one by one.
func (s *Scanner) blanks() {
	for s.pos < len(s.text) {
		switch c := s.at(0); {
		case c == ' ' || c >= '\t' && c <= '\r':
			s.pos++
		case c == '-' && s.at(1) == '-':
			n := strings.IndexByte(s.text[s.pos:], '\n')
			if n < 0 {
				n = len(s.text) - s.pos
			}
			s.pos += n
		case c == '/' && s.at(1) == '*':
			for depth := 0; s.pos < len(s.text); s.pos++ {
				if s.at(0) == '/' && s.at(1) == '*' {
					depth++
					s.pos++
				} else if s.at(0) == '*' && s.at(1) == '/' {
					depth--
					s.pos++
				}
				if depth == 0 {
					s.pos++
					break
				}
			}
			s.pos = min(s.pos, len(s.text))
		default:
			return
		}
	}
}

// quoted reads up to the closing quote; a quote within is written twice, or behind a backslash
// where escapes are read. Other escapes stay as they are.
func (s *Scanner) quoted(quote byte, escapes bool) string {
	var out strings.Builder
	for s.pos++; s.pos < len(s.text); s.pos++ {
		c := s.text[s.pos]
		if c == quote {
			if s.at(1) != quote {
				s.pos++
				return out.String()
			}
			s.pos++
		}
		if c == '\\' && escapes && s.pos+1 < len(s.text) {
			s.pos++
			c = s.text[s.pos]
		}
		out.WriteByte(c)
	}
	return out.String()
}

// tag is the tag of the string $tag$…$tag$ that begins here, or "".
func (s *Scanner) tag() string {
	i := 1
	for letter(s.at(i)) || i > 1 && digit(s.at(i)) {
		i++
	}
	if s.at(i) != '$' {
		return ""
	}
	return s.text[s.pos : s.pos+i+1]
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80 }

func digit(c byte) bool { return c >= '0' && c <= '9' }
