package kernel

import "strings"

// plain is the next token without its quotes, where it is in quotes as a whole or without any, and nothing in
// it means something else. If it is not, nothing has been read.
func (p *nestedText) plain(stop string) (string, bool) {
	if p.pos == len(p.text) || p.text[p.pos] != '"' && p.text[p.pos] != '\'' {
		return p.word(stop)
	}
	from := p.pos + 1
	n := strings.IndexByte(p.text[from:], p.text[p.pos])
	if n < 0 || strings.IndexByte(p.text[from:from+n], '\\') >= 0 {
		return "", false
	}
	behind := from + n + 1
	for behind < len(p.text) && isBlank(p.text[behind]) {
		behind++
	}
	if behind < len(p.text) && strings.IndexByte(stop, p.text[behind]) < 0 {
		return "", false
	}
	p.pos = behind
	return p.text[from : from+n], true
}

// word is plain of a token without quotes, which is not NULL.
func (p *nestedText) word(stop string) (string, bool) {
	to := p.pos
	for ; to < len(p.text); to++ {
		c := p.text[to]
		if len(stop) > 0 && (c == stop[0] || c == stop[len(stop)-1]) {
			break
		}
		if c == '\'' || c == '"' || c == '\\' || closing(c) != 0 {
			return "", false
		}
	}
	text := strings.TrimRight(p.text[p.pos:to], " \t\r\n")
	if strings.EqualFold(text, "NULL") {
		return "", false
	}
	p.pos = to
	return text, true
}

// closing is the bracket that closes c; 0 if c opens none.
func closing(c byte) byte {
	switch c {
	case '[':
		return ']'
	case '{':
		return '}'
	case '(':
		return ')'
	}
	return 0
}

// token reads what stands before a byte of stop that is neither in quotes nor in brackets.
func (p *nestedText) token(stop string) (raw string, ok bool) {
	p.blanks()
	start := p.pos
	var open []byte // the brackets that close what is open
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case len(open) == 0 && strings.IndexByte(stop, c) >= 0:
			return strings.TrimRight(p.text[start:p.pos], " \t\r\n"), true
		case p.escapes():
			p.pos++
		case c == '\'' || c == '"':
			if !p.quotes() {
				return "", false
			}
			continue
		case closing(c) != 0:
			open = append(open, closing(c))
		case len(open) > 0 && c == open[len(open)-1]:
			open = open[:len(open)-1]
		}
		p.pos++
	}
	return strings.TrimRight(p.text[start:p.pos], " \t\r\n"), len(open) == 0
}

// escapes reports whether a backslash and a quote come next, which is then a character as
// any other.
func (p *nestedText) escapes() bool {
	return p.pos+1 < len(p.text) && p.text[p.pos] == '\\' && (p.text[p.pos+1] == '\'' || p.text[p.pos+1] == '"')
}

// quotes moves behind the closing quote, if a quote comes next.
func (p *nestedText) quotes() bool {
	if p.pos == len(p.text) || p.text[p.pos] != '\'' && p.text[p.pos] != '"' {
		return false
	}
	quote := p.text[p.pos]
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch p.text[p.pos] {
		case quote:
			p.pos++
			return true
		case '\\':
			p.pos++
		}
	}
	return false
}

// unquoted is a token without its quotes; those in brackets stay. A backslash stands
// before any byte in quotes, or before a quote, that is meant as itself.
func unquoted(raw string) string {
	if !strings.ContainsAny(raw, `'"`) {
		return raw
	}
	var b strings.Builder
	var open []byte
	quote := byte(0)
	for p := (nestedText{text: raw}); p.pos < len(raw); p.pos++ {
		c := raw[p.pos]
		switch {
		case len(open) > 0 && c == open[len(open)-1]:
			open = open[:len(open)-1]
		case len(open) > 0:
			if closing(c) != 0 {
				open = append(open, closing(c))
			}
		case quote != 0 && c == '\\' && p.pos+1 < len(raw) || p.escapes():
			p.pos++
			c = raw[p.pos]
		case c == quote:
			quote = 0
			continue
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
			continue
		case quote == 0 && closing(c) != 0:
			open = append(open, closing(c))
		}
		b.WriteByte(c)
	}
	return b.String()
}
