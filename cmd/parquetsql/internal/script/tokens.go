package script

import "strings"

// Kind is what a part of a line is to a reader.
type Kind int

// What has no Kind is signs and blanks.
const (
	Word Kind = iota + 1
	Number
	String
	Name // in quotes
	Comment
	Command
)

// Token is a part of a line.
type Token struct {
	From, To int
	Kind     Kind
}

// Tokens returns the parts of a line, of which pending has the lines of the statement above
// it. What is not closed yet is a part too.
func Tokens(pending, line string) []Token {
	var s state
	for above := range strings.SplitSeq(strings.TrimSuffix(pending, "\n"), "\n") {
		for len(above) > 0 {
			n, ends := s.step(above)
			if ends {
				s = state{}
			}
			above = above[n:]
		}
	}
	if !s.word && s.comment == 0 && strings.HasPrefix(strings.TrimSpace(line), `\`) {
		return commandOf(line)
	}
	var tokens []Token
	for at := 0; at < len(line); {
		n, kind := s.next(line[at:])
		last := len(tokens) - 1
		switch {
		case kind == 0:
		case last >= 0 && tokens[last].To == at && tokens[last].Kind == kind:
			tokens[last].To += n // a text in quotes comes in many steps
		default:
			tokens = append(tokens, Token{at, at + n, kind})
		}
		at += n
	}
	return tokens
}

// commandOf returns the name of a command.
func commandOf(line string) []Token {
	from := strings.IndexByte(line, '\\')
	length := strings.IndexAny(line[from:], " \t;")
	if length < 0 {
		length = len(line) - from
	}
	return []Token{{from, from + length, Command}}
}

// next goes over the next part of a line, as step does, and returns its length and what it is.
func (s *state) next(text string) (length int, kind Kind) {
	before := *s
	length, _ = s.step(text)
	return length, kindOf(before, *s, text)
}

// kindOf is what the part at the beginning of text is, from the states before and behind it.
func kindOf(before, after state, text string) Kind {
	c := text[0]
	switch {
	case before.quote == '\'' || before.dollar != "":
		return String
	case before.quote != 0:
		return Name
	case before.comment > 0 || strings.HasPrefix(text, "/*") || strings.HasPrefix(text, "--"):
		return Comment
	case after.quote == '\'' || after.dollar != "":
		return String
	case after.quote != 0:
		return Name
	case isDigit(c) || c == '.' && len(text) > 1 && isDigit(text[1]):
		return Number
	case isWordPart(c):
		return Word
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
