// Package jsontext reads JSON texts (RFC 8259).
package jsontext

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/vector"
)

// Sink gets the parts of a value in their order. Of fields of an object that have the
// same name the last one counts.
type Sink interface {
	Null()
	Bool(v bool)
	Int(v int64)
	Decimal(unscaled vector.Int128, scale int)
	Double(v float64)
	String(s string)
	BeginMap()
	Name(name string) // of the next value
	BeginArray()
	End()
}

// Parse gives the value of a JSON text to a sink. Integers stay integers, or become a
// decimal where 64 bits are too few; numbers with a point but without an exponent are
// decimals of the same digits; all others, and what has more than 38 digits, doubles.
// Objects and arrays may be within each other up to a depth. work, unless it is nil, is told
// of the bytes that were read, and its error ends the reading.
func Parse(text string, to Sink, depth int, work func(n int) error) error {
	p := parser{b: to, text: text, depth: depth, work: work}
	err := p.value(0)
	if p.blanks(); err == nil && p.at < len(text) {
		err = p.fail("there is text behind the value")
	}
	return err
}

// parser reads a text from a position on.
type parser struct {
	b     Sink
	text  string
	at    int
	depth int // the most there may be

	work func(n int) error
	told int // how much work knows of
}

// workStep is how many bytes are read until work is told of them.
const workStep = 64 << 10

func (p *parser) fail(what string) error {
	return fmt.Errorf("not a JSON text at byte %d: %s", p.at, what)
}

func (p *parser) blanks() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// next skips blanks and is the byte behind them, 0 at the end.
func (p *parser) next() byte {
	p.blanks()
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *parser) value(depth int) error {
	if n := p.at - p.told; n >= workStep && p.work != nil {
		p.told = p.at
		if err := p.work(n); err != nil {
			return err
		}
	}
	switch c := p.next(); {
	case c == '{' || c == '[':
		if depth >= p.depth {
			return p.fail(fmt.Sprintf("it has more than %d objects and arrays within each other", p.depth))
		}
		p.at++
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case c == '"':
		s, err := p.string()
		p.b.String(s)
		return err
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if strings.HasPrefix(p.text[p.at:], word) {
			p.at += len(word)
			if word == "null" {
				p.b.Null()
			} else {
				p.b.Bool(word == "true")
			}
			return nil
		}
	}
	return p.fail("a value is missing")
}

func (p *parser) array(depth int) error {
	p.b.BeginArray()
	for more := p.next() != ']'; more; {
		if err := p.value(depth); err != nil {
			return err
		}
		switch p.next() {
		case ',':
			p.at++
		case ']':
			more = false
		default:
			return p.fail("there is no , or ] behind an element")
		}
	}
	p.at++
	p.b.End()
	return nil
}

func (p *parser) object(depth int) error {
	p.b.BeginMap()
	for more := p.next() != '}'; more; {
		if p.next() != '"' {
			return p.fail("a name is missing")
		}
		name, err := p.string()
		if err != nil {
			return err
		}
		p.b.Name(name)
		if p.next() != ':' {
			return p.fail("there is no : behind a name")
		}
		p.at++
		if err := p.value(depth); err != nil {
			return err
		}
		switch p.next() {
		case ',':
			p.at++
		case '}':
			more = false
		default:
			return p.fail("there is no , or } behind a field")
		}
	}
	p.at++
	p.b.End()
	return nil
}

// string reads a string, whose opening quote is next. It is a part of the text if it
// has no escapes.
func (p *parser) string() (string, error) {
	p.at++
	start := p.at
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			s := p.text[start:p.at]
			p.at++
			if !utf8.ValidString(s) {
				return "", p.fail("a string is not UTF-8")
			}
			return s, nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.fail("a string has a control character")
		}
		p.at++
	}
	return "", p.fail("a string is not closed")
}

// escaped reads a string that has an escape at p.at. encoding/json knows how
// surrogates and their halves are read.
func (p *parser) escaped(start int) (string, error) {
	for ; p.at < len(p.text) && p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	if p.at >= len(p.text) {
		return "", p.fail("a string is not closed")
	}
	p.at++
	quoted := p.text[start-1 : p.at]
	var s string
	if err := json.Unmarshal([]byte(quoted), &s); err != nil || !utf8.ValidString(quoted) {
		return "", p.fail("a string has a wrong escape")
	}
	return s, nil
}

// number reads a number.
func (p *parser) number() error {
	start, digits, scale := p.at, 0, 0
	exact := true
	if p.text[p.at] == '-' {
		p.at++
	}
	zero := p.at < len(p.text) && p.text[p.at] == '0'
	if digits = p.digits(); digits == 0 || zero && digits > 1 {
		return p.fail("a number has no digits, or a leading zero")
	}
	if p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		if scale = p.digits(); scale == 0 {
			return p.fail("a number has no digits behind its point")
		}
	}
	if p.at < len(p.text) && p.text[p.at]|0x20 == 'e' {
		p.at++
		exact = false
		if p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		if p.digits() == 0 {
			return p.fail("a number has no digits in its exponent")
		}
	}
	text := p.text[start:p.at]
	if exact && p.exact(text, scale) {
		return nil
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range: an infinity
	p.b.Double(f)
	return nil
}

// digits skips digits.
func (p *parser) digits() (n int) {
	for ; p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9'; p.at++ {
		n++
	}
	return n
}

// maxDigits is the most digits of a decimal, and maxDecimal 10^38-1, the largest
// unscaled value.
const maxDigits = 38

var maxDecimal = vector.Int128{Hi: 0x4b3b4ca85a86c47a, Lo: 0x098a223fffffffff}

// exact appends a number of digits and perhaps a point, if a decimal can have it.
func (p *parser) exact(text string, scale int) bool {
	var u vector.Int128
	negative := text[0] == '-'
	if scale > maxDigits {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if c < '0' {
			continue // the sign, the point
		}
		var ok bool
		if u, ok = u.MulChecked(vector.Int128From(10)); !ok {
			return false
		}
		if u = u.Add(vector.Int128From(int64(c - '0'))); u.Cmp(maxDecimal) > 0 {
			return false
		}
	}
	if negative {
		u = u.Neg()
	}
	if scale == 0 && u.IsInt64() {
		p.b.Int(u.Int64())
	} else {
		p.b.Decimal(u, scale)
	}
	return true
}
