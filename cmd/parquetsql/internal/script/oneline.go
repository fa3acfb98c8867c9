package script

import "strings"

// OneLine returns a text with the same meaning on one line, for a history: comments to the
// end of a line become comments of the other kind, and a string with several lines becomes one
// with escapes, E'a\nb'. It is "" for a text that has none: with a name of several lines, or a
// string in dollars.
func OneLine(text string) string {
	var o oneLiner
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if i > 0 && !o.newline() {
			return ""
		}
		o.line(line)
	}
	return string(o.out)
}

// withinComment takes from a text what begins or ends a comment; comments nest.
var withinComment = strings.NewReplacer("*/", "* /", "/*", "/ *")

// oneLiner is what OneLine has written.
type oneLiner struct {
	state
	out     []byte
	open    int  // where the string begins that was opened last
	closed  int  // where it ends
	escaped bool // it was written without escapes and has them in out
}

func (o *oneLiner) line(line string) {
	for len(line) > 0 {
		before := o.state
		if before.quote == 0 && before.dollar == "" && before.comment == 0 && strings.HasPrefix(line, "--") {
			o.out = append(o.out, "/*"+withinComment.Replace(line[2:])+" */"...)
			return
		}
		n, _ := o.step(line)
		part := line[:n]
		line = line[n:]
		switch {
		case before.quote == 0 && o.quote == '\'':
			if o.closed != len(o.out) || o.closed == 0 { // else it is the second one of ''
				o.open, o.escaped = len(o.out), false
			}
		case before.quote == '\'' && o.escaped:
			part = strings.ReplaceAll(part, `\`, `\\`)
		}
		o.out = append(o.out, part...)
		if before.quote == '\'' && o.quote == 0 {
			o.closed = len(o.out)
		}
	}
}

// newline ends a line of the text; false if its end has no other form.
func (o *oneLiner) newline() bool {
	switch {
	case o.quote == '\'':
		if !o.escapes && !o.escaped {
			if o.open > 0 && (isWordPart(o.out[o.open-1]) || o.out[o.open-1] == '&') { // x'…' and U&'…'
				return false
			}
			text := strings.ReplaceAll(string(o.out[o.open:]), `\`, `\\`)
			o.out, o.escaped = append(o.out[:o.open], "E"+text...), true
		}
		o.out = append(o.out, `\n`...)
	case o.quote != 0 || o.dollar != "":
		return false
	default:
		o.out = append(o.out, ' ')
	}
	return true
}
