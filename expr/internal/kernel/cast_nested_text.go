package kernel

import (
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/quota"
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
				p := nestedText{text: texts.At(i), meter: out.Meter, try: try}
				if p.value(all, "") && p.end() && !all.IsNull(int(i)) {
					continue
				}
				if p.err != nil {
					return p.err
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
	text  string
	pos   int
	meter *quota.Meter
	try   bool  // values within that are not of their type are NULL
	err   error // what TRY_CAST does not forgive
}

var errRepeatedKey = errors.New("the keys of a MAP must be unique")

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

// value appends a value to v; one without quotes ends before a byte of stop, which is empty for
// the whole text. A value within that is not of the type of v is NULL for TRY_CAST if its end is known.
func (p *nestedText) value(v *vector.Vector, stop string) bool {
	from, n := p.pos, v.Len
	if p.read(v, stop) {
		return true
	}
	if p.err != nil || !p.try || stop == "" || !v.Type.IsNested() {
		return false
	}
	p.pos = from
	if _, ok := p.token(stop); !ok {
		return false
	}
	if v.Len == n {
		v.AppendNulls(1)
	}
	v.SetNull(n)
	return true
}

// read is value without forgiveness. It recurses as deep as the type. A nested value may be in
// quotes, as any other.
func (p *nestedText) read(v *vector.Vector, stop string) bool {
	if p.err = p.meter.Work(quota.CompareWork); p.err != nil {
		return false
	}
	p.blanks()
	switch v.Type.Kind {
	case vector.List:
		if p.next('[') {
			ok := p.list(']', func() bool { return p.value(v.Children[0], ",]") })
			v.EndRow()
			return ok
		}
	case vector.Map:
		if p.next('{') {
			from := v.Children[0].Len
			ok := p.list('}', func() bool { return p.entry(v) }) && p.unique(v.Children[0], from)
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
			return p.complete(v) && ok
		}
	}
	raw, ok := p.token(stop)
	if !ok {
		return false
	}
	if strings.EqualFold(raw, "NULL") {
		v.AppendNulls(1)
		return true
	}
	text := unquoted(raw)
	if v.Type.IsNested() {
		inner := nestedText{text: text, meter: p.meter, try: p.try}
		ok = len(text) < len(raw) && inner.value(v, "") && inner.end()
		p.err = inner.err
		return ok
	}
	return v.Append(vector.NewConstant(vector.StringScalar(text), 1), nil) == nil
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

// entry reads key=value, or "key": value as JSON has it.
func (p *nestedText) entry(v *vector.Vector) bool {
	p.blanks()
	divider, from := "=", p.pos
	if p.quotes() && p.next(':') {
		divider = ":"
	}
	p.pos = from
	keys := v.Children[0]
	return p.value(keys, divider) && !keys.IsNull(keys.Len-1) && p.next(divider[0]) && p.value(v.Children[1], ",}")
}

// unique checks that no text is twice among the keys behind from.
func (p *nestedText) unique(keys *vector.Vector, from int) bool {
	if keys.Type.IsNested() || keys.Len-from < 2 {
		return true
	}
	at, seen := OperandOf[string](keys), make(map[string]bool, keys.Len-from)
	for i := from; i < keys.Len; i++ {
		if seen[at.At(int32(i))] {
			p.err = errRepeatedKey
			return false
		}
		seen[at.At(int32(i))] = true
	}
	return true
}

// fields reads name: value pairs in any order.
func (p *nestedText) fields(v *vector.Vector) bool {
	ok := p.list('}', func() bool {
		name, ok := p.name()
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

// name reads what stands before the next colon outside of quotes.
func (p *nestedText) name() (string, bool) {
	p.blanks()
	var b strings.Builder
	for p.pos < len(p.text) && p.text[p.pos] != ':' {
		from := p.pos
		switch {
		case p.escapes():
			b.WriteByte(p.text[p.pos+1])
			p.pos += 2
		case p.quotes():
			b.WriteString(unquoted(p.text[from:p.pos]))
			behind := p.pos
			if p.blanks(); p.pos == len(p.text) || p.text[p.pos] == ':' {
				return b.String(), true // blanks in quotes are part of it
			}
			p.pos = behind
		case p.pos > from: // a quote that nothing closes
			return "", false
		default:
			b.WriteByte(p.text[p.pos])
			p.pos++
		}
	}
	return strings.TrimRight(b.String(), " \t\r\n"), true
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

var closing = map[byte]byte{'[': ']', '{': '}', '(': ')'}

// token reads what stands before a byte of stop that is neither in quotes nor in brackets.
func (p *nestedText) token(stop string) (raw string, ok bool) {
	p.blanks()
	start := p.pos
	var open []byte // the brackets that close what is open
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case len(open) == 0 && strings.IndexByte(stop, c) >= 0:
			return strings.TrimRight(p.text[start:p.pos], " \t\r\n"), true
		case p.escapes():
			p.pos++
		case c == '\'' || c == '"':
			if !p.quotes() {
				return "", false
			}
			continue
		case closing[c] != 0:
			open = append(open, closing[c])
		case len(open) > 0 && c == open[len(open)-1]:
			open = open[:len(open)-1]
		}
		p.pos++
	}
	return strings.TrimRight(p.text[start:p.pos], " \t\r\n"), len(open) == 0
}

// escapes reports whether a backslash and a quote come next, which is then a character as
// any other.
func (p *nestedText) escapes() bool {
	return p.pos+1 < len(p.text) && p.text[p.pos] == '\\' && (p.text[p.pos+1] == '\'' || p.text[p.pos+1] == '"')
}

// quotes moves behind the closing quote, if a quote comes next.
func (p *nestedText) quotes() bool {
	if p.pos == len(p.text) || p.text[p.pos] != '\'' && p.text[p.pos] != '"' {
		return false
	}
	quote := p.text[p.pos]
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch p.text[p.pos] {
		case quote:
			p.pos++
			return true
		case '\\':
			p.pos++
		}
	}
	return false
}

// unquoted is a token without its quotes; those in brackets stay. A backslash stands
// before any byte in quotes, or before a quote, that is meant as itself.
func unquoted(raw string) string {
	if !strings.ContainsAny(raw, `'"`) {
		return raw
	}
	var b strings.Builder
	var open []byte
	quote := byte(0)
	for p := (nestedText{text: raw}); p.pos < len(raw); p.pos++ {
		c := raw[p.pos]
		switch {
		case len(open) > 0 && c == open[len(open)-1]:
			open = open[:len(open)-1]
		case len(open) > 0:
			if closing[c] != 0 {
				open = append(open, closing[c])
			}
		case quote != 0 && c == '\\' && p.pos+1 < len(raw) || p.escapes():
			p.pos++
			c = raw[p.pos]
		case c == quote:
			quote = 0
			continue
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
			continue
		case quote == 0 && closing[c] != 0:
			open = append(open, closing[c])
		}
		b.WriteByte(c)
	}
	return b.String()
}

func clipText(s string) string {
	if len(s) <= maxErrorText {
		return s
	}
	return strings.ToValidUTF8(s[:maxErrorText], "") + "…"
}
