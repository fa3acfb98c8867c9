package jsontext

import (
	"cmp"
	"errors"
)

// ErrMalformed is the error of a text that is no JSON where it was read.
var ErrMalformed = errors.New("malformed JSON text")

// These methods find a value within a text without decoding the rest. They stop at the end of
// that value, so malformed text after it is not detected. Deep nesting needs no extra memory.

// malformed is the error of text that is malformed, or was not read to its end.
func (r *Reader) malformed() error { return cmp.Or(r.err, ErrMalformed) }

// Skip moves past a value and returns its text.
func (r *Reader) Skip() (string, error) {
	from := r.at
	if !r.alive() || !r.skip() || r.err != nil {
		return "", r.malformed()
	}
	return r.text[from:r.at], nil
}

// skip moves past the value that begins with the next byte.
func (r *Reader) skip() bool {
	switch c := r.text[r.at]; c {
	case '"':
		return r.quoted() || r.skipString()
	case '{', '[':
	case '}', ']':
		r.at++
		return false
	default:
		return r.scalar(c) && (r.at == len(r.text) || isBehind[r.text[r.at]])
	}
	for depth := 0; r.alive(); {
		text, at := r.text[:r.end], r.at
		for at < len(text) {
			c := text[at]
			if !structural[c] {
				at++
				continue
			}
			if c == '"' {
				from := at
				if at = behindString(text, from); at == 0 {
					if r.at = from; !r.skipString() {
						return false
					}
					text, at = r.text[:r.end], r.at
				}
				continue
			}
			if at++; c == '{' || c == '[' {
				depth++
			} else if depth--; depth == 0 {
				r.at = at
				return true
			}
		}
		r.at = at
	}
	return false
}

// structural has the bytes that begin and end strings, objects and arrays.
var structural = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// isBehind has the bytes that may be behind a number or a word.
var isBehind = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true, ']': true, '}': true}

// Member moves to the value of a key; if the key is repeated, to the first one.
func (r *Reader) Member(key string) (bool, error) {
	if !r.Accept('{') {
		return false, nil
	}
	for !r.Accept('}') {
		if part := r.text[:r.end]; r.at < len(part) && part[r.at] == '"' { // what most names are
			from := r.at
			if at := behindString(part, from); at > 0 && at < len(part) && part[at] == ':' {
				r.at = at + 1
				r.Next()
				if part[from+1:at-1] == key {
					return true, nil
				}
				if err := r.skipMember(); err != nil {
					return false, err
				}
				continue
			}
		}
		from := r.at
		if r.Next() != '"' || !r.quoted() && !r.skipString() {
			return false, r.malformed()
		}
		raw, escaped := r.text[from:r.at], r.escaped
		if !r.Accept(':') {
			return false, r.malformed()
		}
		if isKey(raw, key, escaped) {
			return true, nil
		}
		if err := r.skipMember(); err != nil {
			return false, err
		}
	}
	return false, nil
}

// skipMember moves past the value of a member, and the comma.
func (r *Reader) skipMember() error {
	if !r.alive() || !r.skip() || r.err != nil {
		return r.malformed()
	}
	if !r.Accept(',') && r.Next() != '}' {
		return r.malformed()
	}
	return nil
}

// isKey reports whether a string of the text is a key.
func isKey(raw, key string, escaped bool) bool {
	if !escaped {
		return raw[1:len(raw)-1] == key
	}
	name, ok := Unquote(raw)
	return ok && name == key
}

// Element moves to the n-th element, counted from the end if n is negative.
func (r *Reader) Element(n int64) (bool, error) {
	if r.Next() != '[' {
		return false, nil
	}
	if n < 0 {
		ahead := *r
		count, err := ahead.Count()
		if n += count; err != nil || n < 0 {
			return false, err
		}
	}
	r.Accept('[')
	for !r.Accept(']') {
		if n == 0 {
			return true, nil
		}
		n--
		if err := r.skipElement(); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (r *Reader) skipElement() error {
	if !r.alive() || !r.skip() || r.err != nil {
		return r.malformed()
	}
	if !r.Accept(',') && r.Next() != ']' {
		return r.malformed()
	}
	return nil
}

// Count returns the number of elements of the array that is next.
func (r *Reader) Count() (int64, error) {
	n := int64(0)
	r.Accept('[')
	for !r.Accept(']') {
		n++
		if err := r.skipElement(); err != nil {
			return 0, err
		}
	}
	return n, nil
}
