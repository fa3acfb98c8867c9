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
	for p.pos < len(p.text) && isBlank(p.text[p.pos]) {
		p.pos++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

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
	if !v.Type.IsNested() {
		if text, ok := p.plain(stop); ok {
			return v.AppendText(text) == nil
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
	return v.AppendText(text) == nil
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

func clipText(s string) string {
	if len(s) <= maxErrorText {
		return s
	}
	return strings.ToValidUTF8(s[:maxErrorText], "") + "…"
}
