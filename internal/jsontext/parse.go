package jsontext

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Sink gets the parts of a value in their order. Of fields of an object that have the
// same name the last one counts. Strings may be parts of the text.
type Sink interface {
	Null()
	Bool(v bool)
	// Number gets a number as it is written, how many digits are behind its point, and
	// whether it has an exponent.
	Number(text string, scale int, exponent bool)
	String(s string)
	BeginMap()
	Name(name string) // of the next value
	BeginArray()
	End()
	// Err ends the reading unless it is nil.
	Err() error
}

// Parsing says how a text is read for a Sink.
type Parsing struct {
	// Depth is how many objects and arrays there may be within each other. More are ErrDepth.
	Depth int
	// Lossy says that bytes that are not UTF-8 become U+FFFD; else they are an error.
	Lossy bool
	Work  func(n int) error // see New
}

// ErrDepth is within the error of a text with too many objects and arrays within each other.
var ErrDepth = errors.New("objects and arrays within each other")

// Parse gives the value of a text to a sink. Errors have the place of what is wrong.
func Parse(text string, to Sink, how Parsing) error {
	p := parser{Reader: New(text, how.Work), to: to, depth: how.Depth, lossy: how.Lossy}
	err := p.value(0)
	if p.Next(); err == nil && p.at < len(text) {
		err = p.failed("there is text behind the value")
	}
	return err
}

type parser struct {
	Reader
	to    Sink
	depth int
	lossy bool
}

func (p *parser) value(depth int) error {
	if err := p.to.Err(); err != nil {
		return err
	}
	switch c := p.Next(); {
	case c == '{' || c == '[':
		if depth >= p.depth {
			return fmt.Errorf("not a JSON text at byte %d: it has more than %d %w", p.at, p.depth, ErrDepth)
		}
		p.at++
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case c == '"':
		s, err := p.string()
		if err == nil {
			p.to.String(s)
		}
		return err
	case c == '-' || '0' <= c && c <= '9':
		start := p.at
		scale, exponent, wrong := p.number()
		if wrong != correct || p.err != nil {
			return p.failed(wrong)
		}
		p.to.Number(p.text[start:p.at], scale, exponent)
		return nil
	}
	switch w := p.word(); w {
	case "":
		return p.failed("a value is missing")
	case "null":
		p.to.Null()
	default:
		p.to.Bool(w == "true")
	}
	return nil
}

func (p *parser) array(depth int) error {
	p.to.BeginArray()
	for more := p.Next() != ']'; more; {
		if err := p.value(depth); err != nil {
			return err
		}
		switch p.Next() {
		case ',':
			p.at++
		case ']':
			more = false
		default:
			return p.failed("there is no , or ] behind an element")
		}
	}
	p.at++
	p.to.End()
	return nil
}

func (p *parser) object(depth int) error {
	p.to.BeginMap()
	for more := p.Next() != '}'; more; {
		if p.Next() != '"' {
			return p.failed("a name is missing")
		}
		name, err := p.string()
		if err != nil {
			return err
		}
		p.to.Name(name)
		if p.Next() != ':' {
			return p.failed("there is no : behind a name")
		}
		p.at++
		if err := p.value(depth); err != nil {
			return err
		}
		switch p.Next() {
		case ',':
			p.at++
		case '}':
			more = false
		default:
			return p.failed("there is no , or } behind a field")
		}
	}
	p.at++
	p.to.End()
	return nil
}

// string reads a string, whose quote is next. It is a part of the text if nothing in it has to be
// replaced.
func (p *parser) string() (string, error) {
	start := p.at + 1
	if !p.quoted() {
		if wrong := p.str(); wrong != correct || p.err != nil {
			return "", p.failed(wrong)
		}
	}
	s := p.text[start : p.at-1]
	if valid := utf8.ValidString(s); valid && !p.escaped {
		return s, nil
	} else if !valid && !p.lossy {
		return "", p.failed("a string is not UTF-8")
	}
	return unescape(s, p.escaped), nil
}
