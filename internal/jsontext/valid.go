package jsontext

// maxDepth is how many objects and arrays may be within each other, as in encoding/json.
const maxDepth = 10_000

// Valid reports whether s is one JSON value. It agrees with encoding/json, whose check cannot be
// stopped. work is as of New.
func Valid(s string, work func(n int) error) (bool, error) {
	c := checker{Reader: New(s, work)}
	ok := c.values()
	return ok && c.err == nil, c.err
}

// checker reads a text. Its methods are false where something is wrong, or work failed.
type checker struct {
	Reader
	open []byte // the objects and arrays that are not closed, as { and [
}

// values reads values, and what is between them, to the end of the text.
func (c *checker) values() bool {
	for {
		switch b := c.Next(); b {
		case '{', '[':
			c.at++
			if c.open = append(c.open, b); len(c.open) > maxDepth {
				return false
			}
			if c.Next() == b+2 { // it is empty; } is two behind {, ] two behind [
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
		switch c.Next() {
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
	c.Next()
	return false, c.at == len(c.text)
}

// name reads the name of a member, and the colon.
func (c *checker) name() bool {
	if c.Next() != '"' || c.str() != correct || c.Next() != ':' {
		return false
	}
	c.at++
	return true
}
