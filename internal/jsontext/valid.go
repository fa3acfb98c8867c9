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

// values reads values, and what is between them, to the end of the text.
func (c *checker) values() bool {
	var few [32]byte
	open := few[:0] // the objects and arrays that are not closed, as { and [
	for {
		switch b := c.Next(); b {
		case '{', '[':
			c.at++
			if open = append(open, b); len(open) > MaxDepth {
				return false
			}
			if c.Next() == b+2 { // it is empty; } is two behind {, ] two behind [
				break
			}
			if b == '{' && !c.name(len(open)) {
				return false
			}
			continue
		case '"':
			if !c.quoted() && c.str() != correct {
				return false
			}
		default:
			if !c.scalar(b) {
				return false
			}
		}
		for len(open) > 0 && c.Next() == open[len(open)-1]+2 {
			c.at++
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			c.Next()
			return c.at == len(c.text)
		}
		if c.Next() != ',' {
			return false
		}
		c.at++
		if open[len(open)-1] == '{' && !c.name(len(open)) {
			return false
		}
	}
}

// name reads the name of a member, and the colon.
func (c *checker) name(depth int) bool {
	if c.Next() != '"' {
		return false
	}
	from := c.at + 1
	if !c.quoted() && c.str() != correct {
		return false
	}
	if c.names != nil && depth == 1 {
		c.names(unescape(c.text[from:c.at-1], c.escaped))
	}
	if c.Next() != ':' {
		return false
	}
	c.at++
	return true
}
