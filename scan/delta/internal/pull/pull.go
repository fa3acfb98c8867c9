// Package pull reads JSON texts (RFC 8259) value by value, as the caller asks for them: a log has
// millions of actions of a few kinds, of which a reader needs some fields. Nothing is made of the
// others, and texts without escapes are parts of the text that is read.
package pull

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is how many objects and arrays may be within each other.
const maxDepth = 1000

// Reader reads the values of a text one after the other. The first error stays: whatever is
// read after it is empty.
type Reader struct {
	text  string
	at    int
	depth int
	err   error
}

// New reads a text, which may have several values.
func New(text string) *Reader { return &Reader{text: text} }

// Reset makes r read another text.
func (r *Reader) Reset(text string) { *r = Reader{text: text} }

// Err is the first error: a SyntaxError, or that of Fail.
func (r *Reader) Err() error { return r.err }

// At is how many bytes were read.
func (r *Reader) At() int { return r.at }

// SyntaxError is a text that is not JSON, or not the value that was asked for.
type SyntaxError struct {
	Offset int // of the byte where that was seen
	What   string
}

// Error implements error.
func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.What) }

// Fail makes an error of the caller the reader's, unless there is one.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *Reader) fail(what string) { r.Fail(&SyntaxError{r.at, what}) }

// More reports whether there is another value.
func (r *Reader) More() bool {
	r.blanks()
	return r.err == nil && r.at < len(r.text)
}

func (r *Reader) blanks() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// next is the byte after blanks, 0 at the end and after an error.
func (r *Reader) next() byte {
	if r.blanks(); r.err != nil || r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// word passes a word if it is next.
func (r *Reader) word(w string) bool {
	if r.next() != w[0] || !strings.HasPrefix(r.text[r.at:], w) {
		return false
	}
	r.at += len(w)
	return true
}

// Null passes a null, if that is next.
func (r *Reader) Null() bool { return r.word("null") }

// Object reads an object: field is called with each name and has to read its value. A null is
// an object without fields, for which there is false.
func (r *Reader) Object(field func(name string)) bool {
	if r.Null() {
		return false
	}
	if !r.open('{', "an object") {
		return false
	}
	for more := !r.closed('}'); more && r.err == nil; more = r.another('}') {
		name := r.quoted()
		if r.next() != ':' {
			r.fail("there is no : behind a name")
			break
		}
		r.at++
		field(name)
	}
	r.depth--
	return r.err == nil
}

// Array reads an array: element is called for each value and has to read it. A null is an array
// without elements, for which there is false.
func (r *Reader) Array(element func()) bool {
	if r.Null() {
		return false
	}
	if !r.open('[', "an array") {
		return false
	}
	for more := !r.closed(']'); more && r.err == nil; more = r.another(']') {
		element()
	}
	r.depth--
	return r.err == nil
}

func (r *Reader) open(c byte, what string) bool {
	if r.next() != c {
		r.fail(what + " is missing")
		return false
	}
	if r.depth++; r.depth > maxDepth {
		r.fail(fmt.Sprintf("there are more than %d objects and arrays within each other", maxDepth))
		return false
	}
	r.at++
	return true
}

// closed passes the end of an object or array, if it is next.
func (r *Reader) closed(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

// another reports whether a comma comes, and not the end.
func (r *Reader) another(end byte) bool {
	switch r.next() {
	case ',':
		r.at++
		return true
	case end:
		r.at++
	default:
		r.fail("there is neither a comma nor an end behind a value")
	}
	return false
}

// Text reads a string; a null is an empty one, for which there is false.
func (r *Reader) Text() (string, bool) {
	if r.Null() {
		return "", false
	}
	s := r.quoted()
	return s, r.err == nil
}

// Int reads an integer; a null is 0, for which there is false.
func (r *Reader) Int() (int64, bool) {
	if r.Null() {
		return 0, false
	}
	start := r.at
	n, err := strconv.ParseInt(r.Number(), 10, 64)
	if err != nil && r.err == nil {
		r.at = start
		r.fail("a number is no integer of 64 bits")
	}
	return n, r.err == nil
}

// Bool reads true or false; a null is false.
func (r *Reader) Bool() bool {
	switch {
	case r.word("true"):
		return true
	case r.word("false"), r.Null():
	default:
		r.fail("neither true nor false")
	}
	return false
}

// Number reads a number as its text.
func (r *Reader) Number() string {
	r.next()
	start := r.at
	if r.at < len(r.text) && r.text[r.at] == '-' {
		r.at++
	}
	digits := r.digits()
	if r.at < len(r.text) && r.text[r.at] == '.' {
		r.at++
		digits = min(digits, r.digits())
	}
	if r.at < len(r.text) && r.text[r.at]|0x20 == 'e' {
		if r.at++; r.at < len(r.text) && (r.text[r.at] == '+' || r.text[r.at] == '-') {
			r.at++
		}
		digits = min(digits, r.digits())
	}
	if digits == 0 {
		r.at = start
		r.fail("a number is missing, or lacks digits")
	}
	if r.err != nil {
		return ""
	}
	return r.text[start:r.at]
}

func (r *Reader) digits() (n int) {
	for ; r.at < len(r.text) && r.text[r.at]-'0' < 10; r.at++ {
		n++
	}
	return n
}

// Raw passes any value and returns its text.
func (r *Reader) Raw() string {
	r.next()
	start := r.at
	r.Skip()
	if r.err != nil {
		return ""
	}
	return r.text[start:r.at]
}

// Skip passes any value.
func (r *Reader) Skip() {
	switch c := r.next(); {
	case c == '"':
		r.pass()
	case c == '{':
		r.Object(r.skipField)
	case c == '[':
		r.Array(r.Skip)
	case c == '-' || '0' <= c && c <= '9':
		r.Number()
	case r.word("true"), r.word("false"), r.Null():
	default:
		r.fail("a value is missing")
	}
}

func (r *Reader) skipField(string) { r.Skip() }

// IsText reports whether a string is next, IsObject whether an object is.
func (r *Reader) IsText() bool { return r.next() == '"' }

// IsObject reports whether an object is next.
func (r *Reader) IsObject() bool { return r.next() == '{' }

// ends are the bytes at which a loop over a string stops: its end, escapes, and what it may not have.
var ends = func() (out [256]bool) {
	for c := range ' ' {
		out[c] = true
	}
	out['"'], out['\\'] = true, true
	return out
}()

// pass passes a string and reports whether it has escapes.
func (r *Reader) pass() (escaped bool) {
	if r.next() != '"' {
		r.fail("a string is missing")
		return false
	}
	text := r.text
	for at := r.at + 1; at < len(text); at++ {
		c := text[at]
		if !ends[c] {
			continue
		}
		if r.at = at; c == '"' {
			r.at++
			return escaped
		}
		if c < ' ' {
			r.fail("a string has a control character")
			return false
		}
		escaped = true
		at++
	}
	r.at = len(text)
	r.fail("a string has no end")
	return false
}

// quoted reads a string.
func (r *Reader) quoted() string {
	r.next()
	start := r.at + 1
	escaped := r.pass()
	if r.err != nil {
		return ""
	}
	s := r.text[start : r.at-1]
	if !utf8.ValidString(s) {
		r.fail("a string is not UTF-8")
		return ""
	}
	if !escaped {
		return s
	}
	out, ok := unescape(s)
	if !ok {
		r.fail("a string has a wrong escape")
	}
	return out
}
