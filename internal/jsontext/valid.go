package jsontext

// MaxDepth is how many objects and arrays of a valid text may be within each other, as in encoding/json.
const MaxDepth = 10_000

// Valid reports whether s is one JSON value. It agrees with encoding/json, whose check cannot be
// stopped. work is as of New.
func Valid(s string, work func(n int) error) (bool, error) {
	c := checker{Reader: New(s, work)}
	ok := c.values()
	return ok && c.err == nil, c.err
}

// Names is Valid, and gives f the names of the members if the value is an object. f may have got some
// of a text that is not valid.
func Names(s string, work func(n int) error, f func(name string)) (bool, error) {
	c := checker{Reader: New(s, work), names: f}
	ok := c.values()
	return ok && c.err == nil, c.err
}

// checker reads a text. Its methods are false where something is wrong, or work failed.
type checker struct {
	Reader
	names func(name string) // see Names; or nil
}

// values reads values, and what is between them, to the end of the text. As in Tape.Parse the place is in a register.
func (c *checker) values() bool {
	var few [32]byte
	open := few[:0] // the objects and arrays that are not closed, as { and [
	part, at, in := c.text[:c.end], 0, byte(0)
	for {
		if in == '{' {
			if part, at = c.name(part, at, len(open)); at == 0 {
				return false
			}
		}
		b := byte(0)
		if at < len(part) && part[at] > ' ' {
			b = part[at]
		} else {
			b, part, at = c.behind(at)
		}
		from := at
		switch {
		case b == '"':
			at = behindString(part, from)
		case b == '{' || b == '[':
			if open = append(open, b); len(open) > MaxDepth {
				return false
			}
			in = b
			if at++; at < len(part) && part[at] > ' ' {
				b = part[at]
			} else {
				b, part, at = c.behind(at)
			}
			if b != in+2 { // it is not empty; } is two behind {, ] two behind [
				continue
			}
		case b == '-' || '0' <= b && b <= '9':
			at = behindNumber(part, from)
		default:
			at = 0
		}
		if at == 0 {
			if c.at = from; !c.scalar(b) {
				return false
			}
			part, at = c.text[:c.end], c.at
		}
		for in != 0 {
			if at < len(part) && part[at] > ' ' {
				b = part[at]
			} else {
				b, part, at = c.behind(at)
			}
			if b != in+2 {
				break
			}
			at++
			if open = open[:len(open)-1]; len(open) == 0 {
				in = 0
			} else {
				in = open[len(open)-1]
			}
		}
		if in == 0 {
			_, _, at = c.behind(at)
			return at == len(c.text)
		}
		if b != ',' {
			return false
		}
		at++
	}
}

// behind skips blanks and is the byte behind them, 0 at the end, with the text up to where work is told and the place.
func (c *checker) behind(at int) (byte, string, int) {
	c.at = at
	b := c.behindBlanks()
	return b, c.text[:c.end], c.at
}

// name reads the name of a member, and the colon. The place is 0 where something is wrong.
func (c *checker) name(part string, at, depth int) (string, int) {
	b := byte(0)
	if at < len(part) && part[at] > ' ' {
		b = part[at]
	} else {
		b, part, at = c.behind(at)
	}
	if b != '"' {
		return part, 0
	}
	from := at
	c.escaped = false
	if at = behindString(part, from); at == 0 {
		if c.at = from; c.str() != correct {
			return part, 0
		}
		part, at = c.text[:c.end], c.at
	}
	if c.names != nil && depth == 1 {
		c.names(unescape(c.text[from+1:at-1], c.escaped))
	}
	if at < len(part) && part[at] == ':' {
		return part, at + 1
	}
	if b, part, at = c.behind(at); b != ':' {
		return part, 0
	}
	return part, at + 1
}
