// Package script divides text into statements, which end with a semicolon, and commands, which are
// lines of their own: those that begin with a backslash, also between the lines of a statement, and where
// none has begun words for leaving and what begins with a point, as the commands of other shells do.
package script

import (
	"strings"
	"unicode/utf8"
)

// Item is a statement of SQL without its semicolon, or a command with its backslash.
type Item struct {
	Text    string
	Command bool
	Line    int // where it begins, from 1
}

// Scanner divides text that comes line by line.
type Scanner struct {
	pending strings.Builder // the statement so far
	begin   int             // the line of its first word
	line    int
	state   state
}

// state is what the text so far leaves open.
type state struct {
	quote   byte   // ' " or `, within quotes
	escapes bool   // of the quotes of E'…', where a backslash is an escape
	dollar  string // the tag of the string $tag$…$tag$ that is open
	comment int    // how many /* are open
	word    bool   // whether the statement has anything but blanks and comments
}

// Line takes the next line, without its end, and returns what is complete with it.
func (s *Scanner) Line(line string) []Item {
	s.line++
	if text, ok := command(line); ok && s.state.outside() && !s.Joins(line) {
		if !s.Pending() {
			s.reset()
		}
		return []Item{{Text: text, Command: true, Line: s.line}}
	}
	var items []Item
	from := 0
	for i := 0; i < len(line); {
		n, ends := s.state.step(line[i:])
		if s.state.word && s.begin == 0 {
			s.begin = s.line
		}
		if !ends {
			i += n
			continue
		}
		s.pending.WriteString(line[from:i])
		items = s.take(items)
		i += n
		from = i
	}
	s.pending.WriteString(line[from:])
	s.pending.WriteByte('\n')
	return items
}

// command is the command that a line is, if no statement has begun before it.
func command(line string) (text string, ok bool) {
	text = strings.TrimSpace(line)
	switch strings.ToLower(strings.TrimRight(text, " \t;")) {
	case "exit", "quit":
		return `\q`, true
	case "help", "?":
		return `\?`, true
	case "tables", "clear":
		return text, true
	}
	return text, isBackslashed(text) || len(text) > 1 && text[0] == '.' && isWordPart(text[1]) && (text[1] < '0' || text[1] > '9')
}

func isBackslashed(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), `\`) }

// outside reports whether the next line begins within no string, name or comment.
func (s *state) outside() bool { return s.quote == 0 && s.dollar == "" && s.comment == 0 }

// Joins reports whether the next line is a part of the statement that would be a command elsewhere.
func (s *Scanner) Joins(line string) bool {
	_, ok := command(line)
	return ok && s.Pending() && s.state.outside() && !isBackslashed(line)
}

// Pending reports whether a statement has begun that is not complete.
func (s *Scanner) Pending() bool { return s.state.word }

// End returns the last statement, which needs no semicolon.
func (s *Scanner) End() []Item { return s.take(nil) }

func (s *Scanner) take(items []Item) []Item {
	if text := strings.TrimSpace(s.pending.String()); s.state.word && text != "" {
		items = append(items, Item{Text: text, Line: s.begin})
	}
	s.reset()
	return items
}

func (s *Scanner) reset() {
	s.pending.Reset()
	s.state, s.begin = state{}, 0
}

// step goes over the next part of a line and returns its length. ends is whether the part
// is the semicolon of a statement.
func (s *state) step(text string) (n int, ends bool) {
	c := text[0]
	switch {
	case s.quote != 0 || s.dollar != "":
		return s.stepQuoted(text), false
	case strings.HasPrefix(text, "/*"):
		s.comment++
		return 2, false
	case s.comment > 0:
		if strings.HasPrefix(text, "*/") {
			s.comment--
			return 2, false
		}
		return 1, false
	case strings.HasPrefix(text, "--"):
		return len(text), false
	case c == ';':
		return 1, true
	case c == ' ' || c == '\t' || c == '\r':
		return 1, false
	}
	s.word = true
	switch {
	case c == '\'' || c == '"' || c == '`':
		s.quote = c
	case (c == 'e' || c == 'E') && strings.HasPrefix(text[1:], "'"):
		s.quote, s.escapes = '\'', true
		return 2, false
	case isWordPart(c):
		for n < len(text) && (isWordPart(text[n]) || text[n] == '$') {
			n++
		}
		return n, false
	case c == '$':
		s.dollar = dollarTag(text)
		return max(len(s.dollar), 1), false
	}
	return 1, false
}

// stepQuoted goes over a part of a quoted text, and over its end.
func (s *state) stepQuoted(text string) int {
	switch {
	case s.dollar != "":
		if strings.HasPrefix(text, s.dollar) {
			n := len(s.dollar)
			s.dollar = ""
			return n
		}
	case s.escapes && text[0] == '\\':
		return min(2, len(text))
	case s.escapes && strings.HasPrefix(text, "''"):
		return 2
	case text[0] == s.quote:
		s.quote, s.escapes = 0, false // of '' the second one begins the rest of the text again
	}
	return 1
}

// dollarTag returns the tag of a string $tag$…$tag$, or "".
func dollarTag(text string) string {
	i := 1
	for i < len(text) && isWordPart(text[i]) && (i > 1 || text[i] < '0' || text[i] > '9') {
		i++
	}
	if i == len(text) || text[i] != '$' {
		return ""
	}
	return text[:i+1]
}

func isWordPart(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// Split returns the statements and commands of a text.
func Split(text string) []Item {
	var s Scanner
	var items []Item
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		items = append(items, s.Line(strings.TrimSuffix(line, "\r"))...)
	}
	return append(items, s.End()...)
}

// Place returns the line of a statement that has the column, its text cut to the part
// that an error is about: what is before it, and it. Lines and columns count from 1,
// columns in characters.
func Place(text string, line, column, length int) (full, before, part string) {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return "", "", ""
	}
	full = strings.TrimSuffix(lines[line-1], "\r")
	at := 0
	for range column - 1 {
		_, n := utf8.DecodeRuneInString(full[at:])
		at += n
	}
	return full, full[:at], full[at:min(at+max(length, 0), len(full))]
}
