package kernel

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// ParseNested divides the text of a nested value into its parts: [a, b] of a LIST,
// {'a': x, b: y} or (x, y) of a STRUCT, {k=v, …} of a MAP. All leaves of t are VARCHAR.
// Strings may be in single or double quotes, and NULL without quotes is NULL. JSON text
// is read too.
func ParseNested(t vector.Type, try bool) Operation {
	return Operation{Careful: true, Make: func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			texts, all := OperandOf[string](args[0]), vector.New(t, 0)
			for _, i := range Listed(rows, n) {
				all.AppendNulls(int(i) - all.Len)
				rest := all.Len
				p := nestedText{text: texts.At(i)}
				if p.value(all, "") && p.end() && !all.IsNull(int(i)) {
					continue
				}
				if !try {
					return fmt.Errorf("cannot cast %s to %s", quote(clipText(texts.At(i))), t)
				}
				out.Null(int(i))
				clean := vector.New(t, 0)
				if err := clean.Append(all, Listed(nil, rest)); err != nil {
					return err
				}
				clean.AppendNulls(1)
				all = clean
			}
			all.AppendNulls(n - all.Len)
			out.Offsets, out.Children = all.Offsets, all.Children
			return nil
		}
	}}
}

// nestedText is a text and how much of it has been read.
type nestedText struct {
	text string
	pos  int
}

func (p *nestedText) blanks() {
	p.pos += len(p.text[p.pos:]) - len(strings.TrimLeft(p.text[p.pos:], " \t\r\n"))
}

// next reads a byte if it comes next.
func (p *nestedText) next(c byte) bool {
	if p.blanks(); p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *nestedText) end() bool {
	p.blanks()
	return p.pos == len(p.text)
}

// value appends a value to v; one without quotes ends before a byte of stop. It recurses
// as deep as the type.
func (p *nestedText) value(v *vector.Vector, stop string) bool {
	p.blanks()
	start := p.pos
	switch v.Type.Kind {
	case vector.List:
		if p.next('[') {
			ok := p.list(']', func() bool { return p.value(v.Children[0], ",]") })
			v.EndRow()
			return ok
		}
	case vector.Map:
		if p.next('{') {
			ok := p.list('}', func() bool {
				return p.value(v.Children[0], "=:,}") && (p.next('=') || p.next(':')) && p.value(v.Children[1], ",}")
			})
			v.EndRow()
			return ok
		}
	case vector.Struct:
		if p.next('{') {
			return p.fields(v)
		}
		if p.next('(') {
			at := -1
			ok := p.list(')', func() bool {
				at++
				return at < len(v.Children) && p.value(v.Children[at], ",)")
			})
			return ok && p.complete(v) && at == len(v.Children)-1
		}
	default:
		return p.leaf(v, stop)
	}
	p.pos = start
	text, quoted, ok := p.token(stop)
	if ok && !quoted && strings.EqualFold(text, "NULL") {
		v.AppendNulls(1)
		return true
	}
	return false
}

// list reads elements, divided by commas, up to the closing bracket.
func (p *nestedText) list(closing byte, element func() bool) bool {
	if p.next(closing) {
		return true
	}
	for element() {
		if p.next(closing) {
			return true
		}
		if !p.next(',') {
			return false
		}
	}
	return false
}

// fields reads name: value pairs in any order.
func (p *nestedText) fields(v *vector.Vector) bool {
	ok := p.list('}', func() bool {
		name, _, ok := p.token(":,}")
		if !ok || !p.next(':') {
			return false
		}
		for i, f := range v.Type.Fields {
			if strings.EqualFold(f.Name, name) && v.Children[i].Len == v.Len {
				return p.value(v.Children[i], ",}")
			}
		}
		return false
	})
	return p.complete(v) && ok
}

// complete ends a row of a STRUCT: fields that were not read are NULL.
func (p *nestedText) complete(v *vector.Vector) bool {
	for _, c := range v.Children {
		if c.Len == v.Len {
			c.AppendNulls(1)
		}
	}
	v.EndRow()
	return true
}

func (p *nestedText) leaf(v *vector.Vector, stop string) bool {
	text, quoted, ok := p.token(stop)
	if !ok {
		return false
	}
	s := vector.StringScalar(text)
	s.Null = !quoted && strings.EqualFold(text, "NULL")
	return v.Append(vector.NewConstant(s, 1), nil) == nil
}

// token reads a string in quotes, or what stands before a byte of stop. Brackets within it
// come in pairs.
func (p *nestedText) token(stop string) (text string, quoted, ok bool) {
	p.blanks()
	if p.pos < len(p.text) && (p.text[p.pos] == '\'' || p.text[p.pos] == '"') {
		text, ok = p.quoted(p.text[p.pos])
		return text, true, ok
	}
	start, depth := p.pos, 0
	for ; p.pos < len(p.text); p.pos++ {
		c := p.text[p.pos]
		if depth == 0 && strings.IndexByte(stop, c) >= 0 {
			break
		}
		switch c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		}
	}
	return strings.TrimRight(p.text[start:p.pos], " \t\r\n"), false, depth == 0
}

// quoted reads up to the closing quote. A backslash stands before any byte that is meant
// as itself.
func (p *nestedText) quoted(quote byte) (string, bool) {
	var b strings.Builder
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == quote:
			p.pos++
			return b.String(), true
		case c == '\\' && p.pos+1 < len(p.text):
			p.pos++
			b.WriteByte(p.text[p.pos])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

func clipText(s string) string {
	if len(s) <= maxErrorText {
		return s
	}
	return strings.ToValidUTF8(s[:maxErrorText], "") + "…"
}
