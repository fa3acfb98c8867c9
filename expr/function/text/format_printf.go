package text

import (
	"errors"
	"strings"
)

// parsePrintf reads %d, %-10.3f, %2$s and %*d; %% is a percent sign.
func parsePrintf(format string, args int) ([]piece, error) {
	p := formatParser{text: format, args: args, pieces: []piece{}}
	for p.at < len(p.text) {
		percent := strings.IndexByte(p.text[p.at:], '%')
		if percent < 0 {
			break
		}
		literal := p.text[p.at : p.at+percent]
		p.at += percent + 1
		if _, ok := p.accept("%"); ok {
			p.pieces = append(p.pieces, piece{literal: literal + "%", arg: -1})
			continue
		}
		next, err := p.conversion()
		if err != nil {
			return nil, err
		}
		next.literal = literal
		p.pieces = append(p.pieces, next)
	}
	return append(p.pieces, piece{literal: p.text[p.at:], arg: -1}), nil
}

// conversion reads what is behind %: [number$][flags][width][.precision][size]type.
func (p *formatParser) conversion() (piece, error) {
	c := piece{spec: plainSpec(), arg: -1}
	s := &c.spec
	s.printf = true
	from, point := p.at, false
	n, ok, err := p.number()
	if _, dollar := p.accept("$"); ok && dollar {
		if err == nil {
			c.arg, err = p.numbered(n - 1)
		}
		if err != nil {
			return c, err
		}
	} else {
		p.at = from
	}
	p.flags(s)
	if s.width, s.widthArg, err = p.starred(); err != nil {
		return c, err
	}
	if _, ok := p.accept("."); ok {
		if s.precision, s.precisionArg, err = p.starred(); err != nil {
			return c, err
		}
		if s.precision < 0 && s.precisionArg < 0 {
			point = true
			s.precision = 0
		}
	}
	p.size(s)
	if point && strings.IndexByte("diu", p.peek()) >= 0 && p.peek() != 0 {
		s.precision, s.separator = -1, '.' // a point without digits stands between thousands
	}
	if c.arg < 0 {
		if c.arg, err = p.inOrder(); err != nil {
			return c, err
		}
	}
	if s.verb, ok = p.accept("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"); !ok {
		return c, errors.New("a % without a conversion")
	}
	return c, nil
}

func (p *formatParser) flags(s *spec) {
	for {
		c, ok := p.accept("-+ #0,_'")
		if !ok {
			break
		}
		switch c {
		case '-':
			s.align = '<'
		case '+', ' ':
			s.sign = c
		case '#':
			s.alternate = true
		case '0':
			s.zero = true
		default:
			s.separator = c
		}
	}
	if s.zero {
		s.align = 0 // as in fmt; C prefers the other flag
	}
}

// starred reads a number, or * for the next value.
func (p *formatParser) starred() (n, arg int, err error) {
	if _, ok := p.accept("*"); ok {
		arg, err = p.inOrder()
		return -1, arg, err
	}
	n, ok, err := p.number()
	if !ok {
		n = -1
	}
	return n, -1, err
}

// size reads the length modifiers; only h and hh change what is shown.
func (p *formatParser) size(s *spec) {
	for {
		c, ok := p.accept("hlqLjzt")
		switch {
		case !ok:
			return
		case c == 'h':
			s.bits = max(min(s.bits, 32)/2, 8)
		}
	}
}
