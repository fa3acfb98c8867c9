package ast

import (
	"reflect"
	"strconv"
	"strings"
)

// OrderTerm is a term of ORDER BY behind set operations that repeats an item of one of their
// select lists, as the number or the name of the column that it means; else e. Names alone are
// left as they are.
func OrderTerm(body Body, e Expr) Expr {
	if id, ok := e.(*Ident); ok && len(id.Parts) == 1 {
		return e
	}
	switch e.(type) {
	case *Literal, *Nth, *Param, *Star, *Columns:
		return e
	}
	span := Span{Pos: e.Start(), End: e.Stop()}
	byName := false
	for _, s := range sides(body, &byName) {
		numbered := !byName
		for i, it := range s.Items {
			if star, ok := it.Expr.(*Star); ok {
				if name := star.column(s, e); name != "" {
					return &Ident{Span: span, Parts: []string{name}}
				}
				numbered = false
				continue
			}
			if !(written{s}).same(it.Expr, e) {
				continue
			}
			if numbered {
				return &Literal{Span: span, Kind: Integer, Text: strconv.Itoa(i + 1)}
			}
			if name := it.Alias; name != "" {
				return &Ident{Span: span, Parts: []string{name}}
			}
			if id, ok := it.Expr.(*Ident); ok {
				return &Ident{Span: span, Parts: id.Parts[len(id.Parts)-1:]}
			}
			return &Ident{Span: span, Parts: []string{it.Text}}
		}
	}
	return e
}

// sides are the SELECTs between the set operations, from left to right; byName says that one
// of the operations unites columns by their names. Of a long chain the left side is a loop.
func sides(body Body, byName *bool) []*Select {
	var right []Body
	for {
		switch b := body.(type) {
		case *SetOp:
			*byName = *byName || b.ByName
			right, body = append(right, b.R), b.L
			continue
		case *Query:
			body = b.Body
			continue
		}
		break
	}
	var out []*Select
	if s, ok := body.(*Select); ok {
		out = append(out, s)
	}
	for i := len(right) - 1; i >= 0; i-- {
		out = append(out, sides(right[i], byName)...)
	}
	return out
}

// column is the name of the column of a star that a dotted name means; "": none.
func (star *Star) column(s *Select, e Expr) string {
	id, ok := e.(*Ident)
	if !ok {
		return ""
	}
	table, name := id.Parts[:len(id.Parts)-1], id.Parts[len(id.Parts)-1]
	if star.Table != nil && !suffix(star.Table, table) || !(written{s}).knows(table) {
		return ""
	}
	return name
}

// written compares expressions as they are written over the tables of a SELECT: names without
// regard to case, and with or without their tables.
type written struct{ s *Select }

func (w written) same(a, b Expr) bool { return w.alike(reflect.ValueOf(a), reflect.ValueOf(b)) }

func (w written) alike(a, b reflect.Value) bool {
	return sameBut(a, b, func(a, b reflect.Value) (same, decided bool) {
		switch x := a.Interface().(type) {
		case Ident:
			y, ok := b.Interface().(Ident)
			return ok && w.column(x.Parts, y.Parts), true
		case Call:
			y, ok := b.Interface().(Call)
			if !ok || !strings.EqualFold(x.Name, y.Name) {
				return false, true
			}
			x.Name = y.Name
			return w.alike(reflect.ValueOf(callParts(x)), reflect.ValueOf(callParts(y))), true
		}
		return false, false
	})
}

// callParts is a Call without the comparison of its name.
type callParts Call

// column reports whether two names of columns are the same one.
func (w written) column(a, b []string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	extra := a[:len(a)-len(b)]
	return suffix(a, b) && (len(extra) == 0 || w.knows(extra))
}

// knows reports whether FROM has a table of a name.
func (w written) knows(name []string) bool {
	found := false
	eachTable(w.s.From, func(table []string) { found = found || suffix(table, name) })
	return found
}

// suffix reports whether a dotted name ends in another.
func suffix(name, end []string) bool {
	if len(end) > len(name) {
		return false
	}
	for i, part := range name[len(name)-len(end):] {
		if !strings.EqualFold(part, end[i]) {
			return false
		}
	}
	return true
}

// eachTable calls f with the names of tables in FROM.
func eachTable(t TableExpr, f func(name []string)) {
	alias, name := "", []string(nil)
	switch t := t.(type) {
	case *TableName:
		alias, name = t.Alias, t.Parts
	case *Derived:
		alias = t.Alias
	case *TableFunction:
		alias, name = t.Alias, []string{t.Name}
	case *Listing:
		alias = t.Alias
	case *Sampled:
		eachTable(t.Table, f)
		return
	case *Join:
		eachTable(t.L, f)
		eachTable(t.R, f)
		return
	}
	if alias != "" {
		name = []string{alias}
	}
	if name != nil {
		f(name)
	}
}
