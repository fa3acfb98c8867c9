// Package jsoncheck checks long JSON texts (RFC 8259). It agrees with encoding/json, whose
// check cannot be stopped.
package jsoncheck

// maxDepth is how many objects and arrays may be within each other, as in encoding/json.
const maxDepth = 10_000

// workStep is how many bytes are read until work is told of them.
const workStep = 64 << 10

// Valid reports whether s is one JSON value. work is told of the bytes that were read, and
// its error ends the check.
func Valid(s string, work func(n int) error) (bool, error) {
	c := checker{s: s, work: work}
	ok := c.values()
	return ok && c.err == nil, c.err
}

// checker reads a text. Its methods are false where something is wrong, or work failed.
type checker struct {
	s    string
	at   int
	told int    // how much work knows of
	open []byte // the objects and arrays that are not closed, as { and [
	work func(n int) error
	err  error
}

// look tells of the work.
func (c *checker) look() bool {
	if n := c.at - c.told; n >= workStep {
		c.told = c.at
		c.err = c.work(n)
	}
	return c.err == nil
}

// next skips blanks and is the byte behind them, 0 at the end.
func (c *checker) next() byte {
	for ; c.at < len(c.s) && c.look(); c.at++ {
		switch c.s[c.at] {
		case ' ', '\t', '\r', '\n':
		default:
			return c.s[c.at]
		}
	}
	return 0
}

// values reads values, and what is between them, to the end of the text.
func (c *checker) values() bool {
	for {
		switch b := c.next(); b {
		case '{', '[':
			c.at++
			if c.open = append(c.open, b); len(c.open) > maxDepth {
				return false
			}
			if c.next() == b+2 { // it is empty; } is two behind {, ] two behind [
				break
			}
			if b == '{' && !c.name() {
				return false
			}
			continue
		default:
			if !c.scalar(b) {
				return false
			}
		}
		if more, ok := c.behind(); !more {
			return ok
		}
	}
}

// behind reads what is behind a value, up to the next one.
func (c *checker) behind() (more, ok bool) {
	for len(c.open) > 0 {
		container := c.open[len(c.open)-1]
		switch c.next() {
		case container + 2:
			c.at++
			c.open = c.open[:len(c.open)-1]
			continue
		case ',':
			c.at++
			more = container == '[' || c.name()
			return more, false
		}
		return false, false
	}
	c.next()
	return false, c.at == len(c.s)
}

// name reads the name of a member, and the colon.
func (c *checker) name() bool {
	if c.next() != '"' || !c.text() || c.next() != ':' {
		return false
	}
	c.at++
	return true
}

// scalar reads a value that begins with b and is neither an object nor an array.
func (c *checker) scalar(b byte) bool {
	switch b {
	case '"':
		return c.text()
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	}
	return c.number()
}

func (c *checker) word(w string) bool {
	if len(c.s)-c.at < len(w) || c.s[c.at:c.at+len(w)] != w {
		return false
	}
	c.at += len(w)
	return true
}

// text reads a string, whose quote is next.
func (c *checker) text() bool {
	for c.at++; c.at < len(c.s); c.at++ {
		switch b := c.s[c.at]; {
		case b == '"':
			c.at++
			return c.look()
		case b == '\\':
			if c.at++; !c.escape() {
				return false
			}
		case b < ' ':
			return false
		}
		if c.at-c.told >= workStep && !c.look() {
			return false
		}
	}
	return false
}

// escape reads what is behind a backslash, but for its last byte.
func (c *checker) escape() bool {
	if c.at == len(c.s) {
		return false
	}
	switch c.s[c.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		if len(c.s)-c.at <= 4 {
			return false
		}
		for range 4 {
			c.at++
			if b := c.s[c.at] | 0x20; (b < '0' || b > '9' || c.s[c.at] != b) && (b < 'a' || b > 'f') {
				return false
			}
		}
		return true
	}
	return false
}

func (c *checker) number() bool {
	c.accept('-')
	zero := c.at < len(c.s) && c.s[c.at] == '0'
	if n := c.digits(); n == 0 || zero && n > 1 {
		return false
	}
	if c.accept('.') && c.digits() == 0 {
		return false
	}
	if c.accept('e') || c.accept('E') {
		_ = c.accept('+') || c.accept('-')
		return c.digits() > 0
	}
	return c.err == nil
}

// accept reads b if it is next.
func (c *checker) accept(b byte) bool {
	if c.at == len(c.s) || c.s[c.at] != b {
		return false
	}
	c.at++
	return true
}

// digits reads digits.
func (c *checker) digits() (n int) {
	for c.at < len(c.s) && '0' <= c.s[c.at] && c.s[c.at] <= '9' && c.look() {
		c.at++
		n++
	}
	return n
}
