package expr

import (
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// ArgumentElements is the elements of an argument of the query that is a list.
func ArgumentElements(e Expr) ([]Expr, bool) {
	c, ok := e.(*Const)
	if !ok || !c.Argument || c.Value.Null || c.Value.Type.Kind != vector.List {
		return nil, false
	}
	return elementsOf(c.Value, c.Span), true
}

// ArrayElements is the elements of a constant text as PostgreSQL writes arrays: {1,2,NULL}. They
// stand for values of other types, as texts do.
func ArrayElements(e Expr) ([]Expr, bool) {
	s, ok := TextLiteral(e)
	if !ok {
		return nil, false
	}
	text, ok := arrayText(s.Str)
	if !ok {
		return nil, false
	}
	list, err := CastScalar(vector.StringScalar(text), ListType(s.Type))
	if err != nil {
		return nil, false
	}
	return elementsOf(list, spanOf(e)), true
}

func elementsOf(list vector.Scalar, s Span) []Expr {
	of := list.Nested.Children[0]
	out := make([]Expr, of.Len)
	for i := range out {
		out[i] = &Const{Value: of.Get(i), Argument: true, Span: s}
	}
	return out
}

// withArrayText is x, or where it is a text that has a LIST as PostgreSQL writes arrays, and a LIST is
// wanted, the text as a list is written here. No list is written so here.
func withArrayText(x Expr, t vector.Type) Expr {
	c, ok := x.(*Const)
	if !ok || c.Value.Null || c.Value.Type.Kind != vector.Varchar || t.Kind != vector.List {
		return x
	}
	if text, ok := arrayText(c.Value.Str); ok {
		return &Const{Value: vector.StringScalar(text), Argument: c.Argument, Span: c.Span}
	}
	return x
}

// arrayText is the text of an array of PostgreSQL (its manual, 8.15.6, Array Input and Output
// Syntax) as a list is written here: with other brackets, and its elements in quotes, but for
// NULL; false of other texts.
func arrayText(text string) (string, bool) {
	rest := strings.TrimSpace(text)
	if !strings.HasPrefix(rest, "{") {
		return "", false
	}
	var b strings.Builder
	for rest != "" {
		switch c := rest[0]; c {
		case '{', '}', ',', ' ', '\t', '\n', '\r', '\v', '\f':
			if at := strings.IndexByte("{}", c); at >= 0 {
				c = "[]"[at]
			}
			b.WriteByte(c)
			rest = rest[1:]
		case '"':
			end := quotedEnd(rest)
			if end < 0 {
				return "", false
			}
			b.WriteString(rest[:end])
			rest = rest[end:]
		default:
			end := strings.IndexAny(rest, `{},"`)
			if end < 0 || rest[end] == '"' {
				return "", false
			}
			writeElement(&b, strings.TrimRight(rest[:end], " \t\n\r\v\f"))
			rest = rest[end:]
		}
	}
	return b.String(), true
}

// quotedEnd is where the element in quotes at the beginning of a text ends; -1 if it does not.
func quotedEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// writeElement writes an element that has no quotes. A backslash stands before a byte that is
// meant as itself.
func writeElement(b *strings.Builder, element string) {
	if strings.EqualFold(element, "NULL") {
		b.WriteString("NULL")
		return
	}
	b.WriteByte('"')
	b.WriteString(element)
	b.WriteByte('"')
}
