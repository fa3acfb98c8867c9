package jsontext

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// Reader cuts a text into tokens. It belongs to one goroutine.
type Reader struct {
	text    string
	at      int
	escaped bool // the last string has a backslash

	work func(n int) error
	end  int // of the text, or where work gets what was read
	done int // how much it has got
	err  error
}

// New returns a reader of a text. work, unless it is nil, gets the number of bytes that were read,
// every now and then. Its error ends the reading: nothing more is found then, and Err is the error.
func New(text string, work func(n int) error) Reader {
	r := Reader{text: text, work: work, end: len(text)}
	if work != nil {
		r.end = min(r.end, quota.BytesPerTell)
	}
	return r
}

// At is how much of the text was read.
func (r *Reader) At() int { return r.at }

// Err is the error of work.
func (r *Reader) Err() error { return r.err }

// alive reports whether to go on.
func (r *Reader) alive() bool { return r.at < r.end || r.tell() }

// tell tells work, unless all was read; after its error every look finds it again.
func (r *Reader) tell() bool {
	if r.at >= len(r.text) {
		return false
	}
	if r.err == nil {
		r.err = r.work(r.at - r.done)
	}
	if r.done = r.at; r.err != nil {
		r.end = 0
		return false
	}
	r.end = min(len(r.text), r.at+quota.BytesPerTell)
	return true
}

// Next skips blanks and is the byte behind them, 0 at the end.
func (r *Reader) Next() byte {
	if r.at < r.end && r.text[r.at] > ' ' {
		return r.text[r.at]
	}
	return r.behindBlanks()
}

func (r *Reader) behindBlanks() byte {
	for ; r.alive(); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// Accept reads c and the blanks around it if c is the next token.
func (r *Reader) Accept(c byte) bool {
	if r.Next() != c {
		return false
	}
	r.at++
	r.Next()
	return true
}

// More reports whether a token follows.
func (r *Reader) More() bool { return r.Next() != 0 }

// longestToken is how much of what is neither a string nor punctuation is one token.
const longestToken = 1 << 10

// Token is the next token as it is written: a bracket, a comma, a colon, a string, or what is up
// to the next of these or a blank. It is empty at the end.
func (r *Reader) Token() string {
	c := r.Next()
	from := r.at
	switch {
	case c == 0:
		return ""
	case c == '"':
		r.skipString()
	default:
		r.at++
		for end := min(len(r.text), from+longestToken); !ends[c] && r.at < end && !ends[r.text[r.at]]; {
			r.at++
		}
	}
	return r.text[from:r.at]
}

// ends has the bytes that are tokens or begin one, and blanks.
var ends = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true, '[': true, ']': true, '{': true, '}': true, '"': true}

// what is wrong with a string or a number; empty: nothing.
type problem string

const (
	correct   problem = ""
	unclosed  problem = "a string is not closed"
	control   problem = "a string has a control character"
	badEscape problem = "a string has a wrong escape"
)

// quoted moves behind a string, whose quote is next, if all in it is ASCII and means itself. It is what most strings need.
func (r *Reader) quoted() bool {
	at := behindString(r.text[:r.end], r.at)
	if at == 0 {
		return false
	}
	r.at, r.escaped = at, false
	return true
}

// str reads a string, whose quote is next.
func (r *Reader) str() problem {
	r.escaped = false
	for r.at++; ; r.at++ {
		r.run()
		if !r.alive() {
			return unclosed
		}
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return correct
		case c == '\\':
			r.escaped = true
			if r.at++; !r.escape() {
				return badEscape
			}
		case c < ' ':
			return control
		}
	}
}

// run moves behind bytes of a string that mean themselves.
func (r *Reader) run() {
	text, at := r.text[:r.end], r.at
	for ; at+8 <= len(text); at += 8 {
		if found := specials(load(text[at:])); found != 0 {
			r.at = at + bits.TrailingZeros64(found)/8
			return
		}
	}
	for at < len(text) && !special[text[at]] {
		at++
	}
	r.at = at
}

// IsPlain reports whether all bytes between the quotes of a string mean themselves, but that they may not be UTF-8.
func IsPlain(s string) bool {
	r := New(s, nil)
	r.run()
	return r.at == len(s)
}

// IsCompact reports whether JSON text has no blanks and no backslashes, not even in strings.
func IsCompact(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == '\\' {
			return false
		}
	}
	return true
}

// escape reads what is behind a backslash. Halves of surrogates come in pairs.
func (r *Reader) escape() bool {
	if r.at == len(r.text) {
		return false
	}
	switch r.text[r.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		n, ok := hex4(r.text[r.at+1:])
		if ok && !utf16.IsSurrogate(n) {
			r.at += 4
			return true
		}
		if rest := r.text[min(r.at+5, len(r.text)):]; ok && strings.HasPrefix(rest, `\u`) {
			low, hex := hex4(rest[2:])
			r.at += 10
			return hex && utf16.DecodeRune(n, low) != utf8.RuneError
		}
	}
	return false
}

// hex4 is the number of four hexadecimal digits.
func hex4(s string) (n rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for i := range 4 {
		c, low := s[i], s[i]|0x20
		switch {
		case '0' <= c && c <= '9':
			n = n<<4 | rune(c-'0')
		case 'a' <= low && low <= 'f':
			n = n<<4 | rune(low-'a'+10)
		default:
			return 0, false
		}
	}
	return n, true
}

// skipString moves behind a string, whose quote is next, without a look at its escapes.
func (r *Reader) skipString() bool {
	r.escaped = false
	for r.at++; ; r.at++ {
		if r.run(); !r.alive() {
			break
		}
		switch r.text[r.at] {
		case '\\':
			r.escaped = true
			r.at++
		case '"':
			r.at++
			return true
		}
	}
	r.at = min(r.at, len(r.text)) // behind a backslash at the end
	return false
}

// number reads a number: how many digits are behind its point, and whether it has an exponent.
func (r *Reader) number() (scale int, exponent bool, wrong problem) {
	if r.at < len(r.text) && r.text[r.at] == '-' {
		r.at++
	}
	zero := r.at < len(r.text) && r.text[r.at] == '0'
	if n := r.digits(); n == 0 || zero && n > 1 {
		return 0, false, "a number has no digits, or a leading zero"
	}
	if r.at == len(r.text) || isBehind[r.text[r.at]] {
		return 0, false, correct
	}
	if r.byte('.', '.') {
		if scale = r.digits(); scale == 0 {
			return 0, false, "a number has no digits behind its point"
		}
	}
	if r.byte('e', 'E') {
		r.byte('+', '-')
		if exponent = true; r.digits() == 0 {
			return 0, true, "a number has no digits in its exponent"
		}
	}
	return scale, exponent, correct
}

// byte reads one of two bytes.
func (r *Reader) byte(a, b byte) bool {
	if r.at == len(r.text) || r.text[r.at] != a && r.text[r.at] != b {
		return false
	}
	r.at++
	return true
}

// digits reads digits.
func (r *Reader) digits() (n int) {
	for from := r.at; ; from = r.at {
		text, at := r.text[:r.end], r.at
		for at < len(text) && text[at]-'0' <= 9 {
			at++
		}
		r.at = at
		if n += at - from; at < len(text) || !r.alive() {
			return n
		}
	}
}

// word reads null, true or false; it is empty where none of them is next.
func (r *Reader) word() string {
	for _, w := range words {
		if strings.HasPrefix(r.text[r.at:], w) {
			r.at += len(w)
			return w
		}
	}
	return ""
}

var words = [...]string{"null", "true", "false"}

// scalar reads a value that begins with c and is neither an object nor an array.
func (r *Reader) scalar(c byte) bool {
	switch {
	case c == '"':
		return (r.quoted() || r.str() == correct) && r.err == nil
	case c == '-' || '0' <= c && c <= '9':
		if at := behindNumber(r.text[:r.end], r.at); at > 0 {
			r.at = at
			return true
		}
		_, _, wrong := r.number()
		return wrong == correct && r.err == nil
	}
	return r.word() != ""
}

// SyntaxError says what is wrong with a text, and where.
type SyntaxError struct {
	At   int // in bytes
	What string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not a JSON text at byte %d: %s", e.At, e.What)
}

// failed is the error of what is wrong at the place that was read to.
func (r *Reader) failed(what problem) error {
	if r.err != nil {
		return r.err
	}
	return &SyntaxError{r.at, string(what)}
}
