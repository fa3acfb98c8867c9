package ast

import (
	"slices"
	"strings"
)

// Trimmed reports whether the query has an order or a limit.
func (q *Query) Trimmed() bool {
	return len(q.OrderBy) > 0 || q.OrderAll != nil || q.Limit != nil || q.Offset != nil
}

// Written is the names of columns in a select list, under which ORDER BY may find
// them even if they have aliases.
func Written(body Body) []string {
	s, ok := body.(*Select)
	if !ok {
		return nil
	}
	var names []string
	for _, it := range s.Items {
		switch e := it.Expr.(type) {
		case *Star:
			return names
		case *Ident:
			names = append(names, e.Parts[len(e.Parts)-1])
		default:
			names = append(names, "")
		}
	}
	return names
}

// ItemOf is the expression of column k of a query; nil where stars or several rows are there.
func ItemOf(body Body, k int) Expr {
	for {
		q, ok := body.(*Query)
		if !ok {
			break
		}
		body = q.Body
	}
	s, ok := body.(*Select)
	if !ok || k >= len(s.Items) {
		return nil
	}
	for _, it := range s.Items[:k+1] {
		if _, star := it.Expr.(*Star); star || HasColumns(it.Expr) {
			return nil
		}
	}
	return s.Items[k].Expr
}

// Written is the join as the user wrote it, for messages.
func (j *Join) Written() string {
	name := j.Kind.String()
	if j.Kind == Comma {
		name = "a join"
	}
	if j.Asof {
		name = "ASOF " + name
	}
	if j.Natural {
		name = "NATURAL " + name
	}
	if j.Using != nil {
		name += " USING"
	}
	return name
}

// Everything is the term of ORDER BY COLUMNS(*), which is ORDER BY ALL; else nil.
func Everything(list []Order) *Order {
	if len(list) != 1 {
		return nil
	}
	c, ok := list[0].Expr.(*Columns)
	if !ok || c.Star == nil || len(c.Star.Table)+len(c.Star.Exclude)+len(c.Star.Replace) > 0 {
		return nil
	}
	return &list[0]
}

// EachName calls found for each name that is not that of a parameter of a lambda.
func EachName(e Expr, params []string, found func(*Ident)) {
	Walk(e, func(x Expr) bool {
		switch x := x.(type) {
		case *Lambda:
			EachName(x.Body, append(slices.Clip(params), x.Params...), found)
			return false
		case *Ident:
			if !slices.ContainsFunc(params, func(p string) bool { return strings.EqualFold(p, x.Parts[0]) }) {
				found(x)
			}
		}
		return true
	})
}
