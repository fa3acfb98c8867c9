package json

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/jsoncheck"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

var errJSON = errors.New("malformed JSON text")

// jsonReader finds a value within JSON text without decoding the rest. It stops at
// the end of that value, so malformed text after it is not detected. Deep nesting
// needs no extra memory.
type jsonReader struct {
	text  string
	at    int
	told  int // how much the meter knows of
	meter *quota.Meter
	err   error // of the query's context; all that is read then fails
}

// readStep is how many bytes are read until the meter is told of them.
const readStep = 64 << 10

// look tells the meter of what was read, and reports whether to go on.
func (p *jsonReader) look() bool {
	if n := p.at - p.told; n >= readStep && p.err == nil {
		p.told = p.at
		p.err = p.meter.Work(n)
	}
	return p.err == nil
}

// failed is the error of text that is malformed, or was not read to its end.
func (p *jsonReader) failed() error { return cmp.Or(p.err, errJSON) }

func (p *jsonReader) blanks() {
	for p.at < len(p.text) && p.look() {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
			continue
		}
		return
	}
}

// peek returns the next byte, 0 at the end.
func (p *jsonReader) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// accept reads c and the blanks around it if c is the next token.
func (p *jsonReader) accept(c byte) bool {
	p.blanks()
	if p.peek() != c {
		return false
	}
	p.at++
	p.blanks()
	return true
}

// skipString moves past a string.
func (p *jsonReader) skipString() bool {
	for p.at++; p.at < len(p.text) && p.look(); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			return true
		}
	}
	return false
}

// skip moves past a value and returns its text.
func (p *jsonReader) skip() (string, error) {
	from, depth := p.at, 0
	for p.at < len(p.text) && p.look() {
		switch p.text[p.at] {
		case '"':
			if !p.skipString() {
				return "", p.failed()
			}
		case '{', '[':
			depth++
			p.at++
			continue
		case '}', ']':
			depth--
			p.at++
		default:
			if depth > 0 {
				p.at++
				continue
			}
			for p.at < len(p.text) && p.look() && !strings.ContainsRune(" \t\r\n,:]}", rune(p.text[p.at])) {
				p.at++
			}
			if ok, err := jsoncheck.Valid(p.text[from:p.at], p.meter.Work); !ok {
				p.err = cmp.Or(p.err, err)
				return "", p.failed()
			}
		}
		if depth <= 0 {
			break
		}
	}
	if depth != 0 || p.at == from || p.err != nil {
		return "", p.failed()
	}
	return p.text[from:p.at], nil
}

// member moves to the value of a key; if the key is repeated, to the first one.
func (p *jsonReader) member(key string) (bool, error) {
	if !p.accept('{') {
		return false, nil
	}
	for !p.accept('}') {
		from := p.at
		if p.peek() != '"' || !p.skipString() {
			return false, p.failed()
		}
		raw := p.text[from:p.at]
		if !p.accept(':') {
			return false, p.failed()
		}
		if sameKey(raw, key) {
			return true, nil
		}
		if _, err := p.skip(); err != nil {
			return false, err
		}
		if !p.accept(',') && p.peek() != '}' {
			return false, p.failed()
		}
	}
	return false, nil
}

func sameKey(raw, key string) bool {
	if !strings.Contains(raw, `\`) {
		return raw[1:len(raw)-1] == key
	}
	var name string
	return json.Unmarshal([]byte(raw), &name) == nil && name == key
}

// element moves to the n-th element, counted from the end if n is negative.
func (p *jsonReader) element(n int64) (bool, error) {
	if p.blanks(); p.peek() != '[' {
		return false, nil
	}
	if n < 0 {
		ahead := *p
		count, err := ahead.count()
		if n += count; err != nil || n < 0 {
			return false, err
		}
	}
	p.accept('[')
	for !p.accept(']') {
		if n == 0 {
			return true, nil
		}
		n--
		if err := p.skipElement(); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (p *jsonReader) skipElement() error {
	if _, err := p.skip(); err != nil {
		return err
	}
	if !p.accept(',') && p.peek() != ']' {
		return p.failed()
	}
	return nil
}

// count returns the number of elements of the array at the current position.
func (p *jsonReader) count() (int64, error) {
	n := int64(0)
	p.accept('[')
	for !p.accept(']') {
		n++
		if err := p.skipElement(); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// findJSON returns the text of the value at the end of a path.
func findJSON(m *quota.Meter, text string, path vector.Path) (raw string, found bool, err error) {
	p := jsonReader{text: text, meter: m}
	p.blanks()
	for _, s := range path {
		if s.Kind == vector.PositionStep {
			found, err = p.element(s.Position)
		} else {
			found, err = p.member(s.Name)
		}
		if !found || err != nil {
			return "", false, err
		}
	}
	raw, err = p.skip()
	return raw, err == nil, err
}

// appendCompact appends JSON text without the blanks between its tokens. Strings have
// escapes only where they need them.
func appendCompact(m *quota.Meter, dst []byte, text string) ([]byte, error) {
	p := jsonReader{text: text, meter: m}
	for p.at < len(text) && p.look() {
		from := p.at
		switch text[from] {
		case ' ', '\t', '\n', '\r':
			p.at++
			continue
		case '"':
			if p.skipString() {
				dst = appendString(dst, text[from:p.at])
				continue
			}
		}
		p.at = from + 1
		dst = append(dst, text[from])
	}
	return dst, p.err
}

// appendString appends a string of JSON text.
func appendString(dst []byte, raw string) []byte {
	var decoded string
	if !strings.Contains(raw, `\`) || json.Unmarshal([]byte(raw), &decoded) != nil {
		return append(dst, raw...)
	}
	return vector.AppendQuoted(dst, decoded)
}
