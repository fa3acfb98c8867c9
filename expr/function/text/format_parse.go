package text

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// formatParser reads formats of both kinds.
type formatParser struct {
	text   string
	at     int
	args   int // the number of values
	next   int // the value that {} takes
	manual bool
	pieces []piece
}

var (
	errNoBrace = errors.New("a { without }")
	errMixed   = errors.New("both numbered values and values in order")
)

// peek is the next byte, 0 at the end.
func (p *formatParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// accept moves past the next byte if it is one of those listed.
func (p *formatParser) accept(list string) (byte, bool) {
	c := p.peek()
	if c == 0 || strings.IndexByte(list, c) < 0 {
		return 0, false
	}
	p.at++
	return c, true
}

// number reads digits; ok is false if there are none.
func (p *formatParser) number() (n int, ok bool, err error) {
	for p.peek() >= '0' && p.peek() <= '9' {
		n, ok = n*10+int(p.peek()-'0'), true
		if p.at++; n > maxPadding {
			return 0, true, errFormatNumber
		}
	}
	return n, ok, nil
}

// inOrder is the next value.
func (p *formatParser) inOrder() (int, error) {
	if p.manual {
		return 0, errMixed
	}
	p.next++
	return p.checked(p.next - 1)
}

// numbered is a value by its number from 0.
func (p *formatParser) numbered(n int) (int, error) {
	if p.next > 0 {
		return 0, errMixed
	}
	p.manual = true
	return p.checked(n)
}

func (p *formatParser) checked(n int) (int, error) {
	if n < 0 || n >= p.args {
		return 0, fmt.Errorf("a place for value %d, but there are %d", n+1, p.args)
	}
	return n, nil
}

// parseFormat reads {}, {2}, {:<10.3f} and {:{}}; {{ and }} are braces.
func parseFormat(format string, args int) ([]piece, error) {
	p := formatParser{text: format, args: args, pieces: []piece{}}
	for p.at < len(p.text) {
		open := strings.IndexAny(p.text[p.at:], "{}")
		if open < 0 {
			break
		}
		literal := p.text[p.at : p.at+open]
		brace := p.text[p.at+open]
		p.at += open + 1
		if p.peek() == brace {
			p.pieces = append(p.pieces, piece{literal: literal + string(brace), arg: -1})
			p.at++
			continue
		}
		if brace == '}' {
			return nil, errors.New("a } without {")
		}
		next, err := p.field()
		if err != nil {
			return nil, err
		}
		next.literal = literal
		p.pieces = append(p.pieces, next)
	}
	return append(p.pieces, piece{literal: p.text[p.at:], arg: -1}), nil
}

// field reads what is behind {.
func (p *formatParser) field() (piece, error) {
	f := piece{spec: plainSpec()}
	var err error
	if f.arg, err = p.reference(); err != nil {
		return f, err
	}
	if _, ok := p.accept(":"); ok {
		if err := p.specification(&f.spec); err != nil {
			return f, err
		}
	}
	if _, ok := p.accept("}"); !ok {
		return f, errNoBrace
	}
	return f, nil
}

// reference reads the number of a value, or takes the next one.
func (p *formatParser) reference() (int, error) {
	n, ok, err := p.number()
	switch {
	case err != nil:
		return 0, err
	case ok:
		return p.numbered(n)
	case p.peek() != ':' && p.peek() != '}':
		return 0, errNoBrace
	}
	return p.inOrder()
}

// specification reads [[fill]align][sign][#][0][width][separator][.precision][type]. A
// separator is one of ,_' or any byte behind t.
func (p *formatParser) specification(s *spec) (err error) {
	_, size := utf8.DecodeRuneInString(p.text[p.at:])
	if behind := p.at + size; size > 0 && p.peek() != '{' && behind < len(p.text) && strings.IndexByte("<>^=", p.text[behind]) >= 0 {
		s.fill, p.at = p.text[p.at:behind], behind
	}
	s.align, _ = p.accept("<>^=")
	s.sign, _ = p.accept("+- ")
	_, s.alternate = p.accept("#")
	_, s.zero = p.accept("0")
	if s.width, s.widthArg, err = p.count(); err != nil {
		return err
	}
	s.separator, _ = p.accept(",_'")
	if _, ok := p.accept("t"); ok && s.separator == 0 {
		if s.separator = p.peek(); s.separator == 0 || s.separator == '}' || s.separator >= utf8.RuneSelf {
			return errors.New("a t without a separator")
		}
		p.at++
	}
	if _, ok := p.accept("."); ok {
		if s.precision, s.precisionArg, err = p.count(); err == nil && s.precision < 0 && s.precisionArg < 0 {
			err = errors.New("a precision without a number")
		}
		if err != nil {
			return err
		}
	}
	s.verb, _ = p.accept("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%")
	return nil
}

// count reads a width or precision: a number, or {} for a value that has it.
func (p *formatParser) count() (n, arg int, err error) {
	if _, ok := p.accept("{"); ok {
		if arg, err = p.reference(); err != nil {
			return -1, -1, err
		}
		if _, ok := p.accept("}"); !ok {
			return -1, -1, errNoBrace
		}
		return -1, arg, nil
	}
	n, ok, err := p.number()
	if !ok {
		n = -1
	}
	return n, -1, err
}
