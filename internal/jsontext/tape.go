package jsontext

import (
	"fmt"
	"unicode/utf8"
)

// Node is a value of a Tape. Those that are within it follow it.
type Node struct {
	// Raw is the value as it is written; of a string that is not Plain, quotes around what it means.
	Raw  string
	Name string // of a member of an object, Named
	Span int32  // how many nodes the value is with all that is within it
	Kind byte   // { [ " 0 (a number) t f n
	// Plain says that there is nothing in Raw that JSON does not need: blanks between tokens, and escapes and bytes that are not UTF-8 in strings.
	Plain bool
	Named bool
}

// Text is what a string means, and a number as it is written.
func (n *Node) Text() string {
	if n.Kind == '"' {
		return n.Raw[1 : len(n.Raw)-1]
	}
	return n.Raw
}

// Tape reads one text after the other into the same memory: Nodes are those of the last one, and valid while that is. Bytes that are not UTF-8 become
// U+FFFD. It is for one goroutine.
type Tape struct {
	Nodes []Node
	// Need, unless it is nil, gets the number of nodes before memory for them is made; its error ends the reading.
	Need func(nodes int) error
	// Kinds says that what strings mean is of no interest, but that of names.
	Kinds bool

	r     Reader
	open  []opened
	loose int // how much was read that is not Plain
}

// opened is an object or array that is not closed.
type opened struct {
	node, at int
	loose    int
	kind     byte
}

// NodeBytes is the size of a Node.
const NodeBytes = 40

// leastNodes is for how many nodes there is memory at first.
const leastNodes = 16

// Parse reads a text that is one value. depth is how many objects and arrays there may be within each other; work is as of New.
// What is read most is read here, with the place in a register; the Reader reads the rest.
func (t *Tape) Parse(text string, depth int, work func(n int) error) error {
	at, err := t.value(text, depth, work)
	if err != nil {
		return err
	}
	if _, _, at = t.next(text[:t.r.end], at); at < len(text) {
		return t.failed(at, "there is text behind the value")
	}
	return t.r.err
}

// Elements is Parse of a text that begins with an array, of which Nodes are one element at a time: f is called for each.
func (t *Tape) Elements(text string, depth int, work func(n int) error, f func() error) error {
	around := New(text, work)
	around.at++
	for c := around.Next(); c != ']'; {
		n, err := t.value(text[around.at:], depth-1, work)
		if err == nil {
			err = f()
		}
		if err != nil {
			return err
		}
		around.at += n
		if c = around.Next(); c == ',' {
			around.at++
		} else if c != ']' {
			return around.failed("there is no , or bracket behind a value")
		}
	}
	if around.at++; around.More() {
		return around.failed("there is text behind the value")
	}
	return around.err
}

// value reads the value that a text begins with, and returns how long that is.
func (t *Tape) value(text string, depth int, work func(n int) error) (end int, err error) {
	t.r, t.open, t.loose = New(text, work), t.open[:0], 0
	t.Nodes = t.Nodes[:0]
	part, at := text[:t.r.end], 0 // part is the text up to where work is told
	in := byte(0)                 // the kind of what is open
	for {
		name, c := "", byte(0)
		if in == '{' {
			if c, part, at = t.next(part, at); c != '"' {
				return 0, t.failed(at, "a name is missing")
			}
			from := at
			if at = behindString(part, from); at > 0 {
				name = part[from+1 : at-1]
			} else {
				raw, _, err := t.str(from, false)
				if err != nil {
					return 0, err
				}
				name, part, at = raw[1:len(raw)-1], text[:t.r.end], t.r.at
			}
			if at < len(part) && part[at] == ':' {
				at++
			} else if c, part, at = t.next(part, at); c == ':' {
				at++
			} else {
				return 0, t.failed(at, "there is no : behind a name")
			}
		}
		if at < len(part) && part[at] > ' ' {
			c = part[at]
		} else {
			c, part, at = t.next(part, at)
		}
		if len(t.Nodes) == cap(t.Nodes) {
			if err := t.grow(); err != nil {
				return 0, err
			}
		}
		t.Nodes = t.Nodes[:len(t.Nodes)+1]
		n := &t.Nodes[len(t.Nodes)-1]
		n.Name, n.Named, n.Span, n.Kind, n.Plain = name, in == '{', 1, c, true
		from := at
		switch c {
		case '"':
			if at = behindString(part, from); at > 0 {
				n.Raw = part[from:at]
			} else {
				raw, plain, err := t.str(from, t.Kinds)
				if err != nil {
					return 0, err
				}
				n.Raw, n.Plain = raw, plain
				part, at = text[:t.r.end], t.r.at
			}
		case '{', '[':
			if len(t.open) >= depth {
				return 0, fmt.Errorf("not a JSON text at byte %d: it has more than %d %w", from, depth, ErrDepth)
			}
			at++
			t.open = append(t.open, opened{node: len(t.Nodes) - 1, at: from, loose: t.loose, kind: c})
			in = c
			if c, part, at = t.next(part, at); c != in+2 { // it is not empty; } is two behind {, ] two behind [
				continue
			}
		default:
			t.r.at = from
			if c == '-' || '0' <= c && c <= '9' {
				n.Kind = '0'
				if at = behindNumber(part, from); at > 0 {
					n.Raw = part[from:at]
					break
				}
				if _, _, wrong := t.r.number(); wrong != correct || t.r.err != nil {
					return 0, t.r.failed(wrong)
				}
			} else if t.r.word() == "" {
				return 0, t.r.failed("a value is missing")
			}
			part, at = text[:t.r.end], t.r.at
			n.Raw = text[from:at]
		}
		for in != 0 {
			if at < len(part) && part[at] > ' ' {
				c = part[at]
			} else {
				c, part, at = t.next(part, at)
			}
			if c != in+2 {
				break
			}
			at++
			in = t.close(at)
		}
		if in == 0 {
			return at, t.r.err
		}
		if c != ',' {
			return 0, t.failed(at, "there is no , or bracket behind a value")
		}
		at++
	}
}

// next skips blanks and is the byte behind them, 0 at the end, as of Reader.Next, with where it is.
func (t *Tape) next(part string, at int) (byte, string, int) {
	if at < len(part) && part[at] > ' ' {
		return part[at], part, at
	}
	t.r.at = at
	c := t.r.behindBlanks()
	if t.r.at > at {
		t.loose++
	}
	return c, t.r.text[:t.r.end], t.r.at
}

// failed is the error of what is wrong at a place.
func (t *Tape) failed(at int, what problem) error {
	t.r.at = at
	return t.r.failed(what)
}

// grow makes memory for more nodes.
func (t *Tape) grow() error {
	more := max(leastNodes, len(t.Nodes))
	if t.Need != nil {
		if err := t.Need(more); err != nil {
			return err
		}
	}
	grown := make([]Node, len(t.Nodes), len(t.Nodes)+more)
	copy(grown, t.Nodes)
	t.Nodes = grown
	return nil
}

// close ends the object or array that was opened last. in is the kind of what is open then, or 0.
func (t *Tape) close(at int) (in byte) {
	last := len(t.open) - 1
	o := &t.open[last]
	n := &t.Nodes[o.node]
	n.Raw, n.Plain, n.Span = t.r.text[o.at:at], t.loose == o.loose, int32(len(t.Nodes)-o.node)
	if t.open = t.open[:last]; last > 0 {
		in = t.open[last-1].kind
	}
	return in
}

// str reads any string, whose quote is at a place; see Node.Raw and Node.Plain. asWritten leaves escapes in it.
func (t *Tape) str(at int, asWritten bool) (raw string, plain bool, err error) {
	t.r.at = at
	if wrong := t.r.str(); wrong != correct || t.r.err != nil {
		return "", false, t.r.failed(wrong)
	}
	if raw = t.r.text[at:t.r.at]; asWritten {
		t.loose++
		return raw, false, nil
	}
	if !t.r.escaped && utf8.ValidString(raw) {
		return raw, true, nil
	}
	t.loose++
	return `"` + unescape(raw[1:len(raw)-1], t.r.escaped) + `"`, false, nil
}
