package jsontext

import (
	"cmp"
	"errors"
	"strings"
)

// ErrMalformed is the error of a text that is no JSON where it was read.
var ErrMalformed = errors.New("malformed JSON text")

// These methods find a value within a text without decoding the rest. They stop at the end of
// that value, so malformed text after it is not detected. Deep nesting needs no extra memory.

// malformed is the error of text that is malformed, or was not read to its end.
func (r *Reader) malformed() error { return cmp.Or(r.err, ErrMalformed) }

// Skip moves past a value and returns its text.
func (r *Reader) Skip() (string, error) {
	from, depth := r.at, 0
	for r.at < len(r.text) && r.alive() {
		switch r.text[r.at] {
		case '"':
			if !r.skipString() {
				return "", r.malformed()
			}
		case '{', '[':
			depth++
			r.at++
			continue
		case '}', ']':
			depth--
			r.at++
		default:
			if depth > 0 {
				r.at++
				continue
			}
			if !r.scalar(r.text[r.at]) || r.at < len(r.text) && !isBehind[r.text[r.at]] {
				return "", r.malformed()
			}
		}
		if depth <= 0 {
			break
		}
	}
	if depth != 0 || r.at == from || r.err != nil {
		return "", r.malformed()
	}
	return r.text[from:r.at], nil
}

// isBehind has the bytes that may be behind a number or a word.
var isBehind = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true, ']': true, '}': true}

// Member moves to the value of a key; if the key is repeated, to the first one.
func (r *Reader) Member(key string) (bool, error) {
	if !r.Accept('{') {
		return false, nil
	}
	for !r.Accept('}') {
		from := r.at
		if r.Next() != '"' || !r.skipString() {
			return false, r.malformed()
		}
		raw := r.text[from:r.at]
		if !r.Accept(':') {
			return false, r.malformed()
		}
		if isKey(raw, key) {
			return true, nil
		}
		if _, err := r.Skip(); err != nil {
			return false, err
		}
		if !r.Accept(',') && r.Next() != '}' {
			return false, r.malformed()
		}
	}
	return false, nil
}

// isKey reports whether a string of the text is a key.
func isKey(raw, key string) bool {
	if !strings.Contains(raw, `\`) {
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
	if _, err := r.Skip(); err != nil {
		return err
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
