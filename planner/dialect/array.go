package dialect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// arrayQuery reads ARRAY(SELECT x … ORDER BY k), the list of a query's rows in their order: the
// value of (SELECT COALESCE(LIST(x ORDER BY k), []) FROM (SELECT x, k …) t(x, k)).
func (b *block) arrayQuery(first int) bool {
	p := b.p
	start := p.pos
	p.pos += 2
	if !p.beginsQuery() {
		p.pos = start
		return false
	}
	at := p.cur()
	q := p.subquery()
	p.need(")")
	if n := width(q.Body); n > 1 {
		p.fail(at, "the query of ARRAY returns %d columns where 1 must be", n)
	}
	s := p.span(first)
	call := func(name string, args ...ast.Expr) *ast.Call { return &ast.Call{Span: s, Name: name, Args: args} }
	from := &ast.Derived{Span: s, Query: q, Alias: "t", Columns: []string{"x"}}
	list := call("list", &ast.Ident{Span: s, Parts: from.Columns})
	list.OrderBy = arrayOrder(from)
	item := ast.Item{Expr: call("coalesce", list, call("list_value")), Text: p.source(first)}
	body := &ast.Select{Span: s, Items: []ast.Item{item}, From: from}
	b.leaf(first, &ast.Subquery{Span: s, Query: &ast.Query{Span: s, Body: body}})
	return true
}

// width is how many columns a query returns, as far as its text says it; else 0.
func width(q ast.Body) int {
	switch q := q.(type) {
	case *ast.Query:
		return width(q.Body)
	case *ast.SetOp:
		return width(q.L)
	case *ast.Values:
		return len(q.Rows[0])
	case *ast.Select:
		for _, it := range q.Items {
			if _, star := it.Expr.(*ast.Star); star {
				return 0
			}
		}
		return len(q.Items)
	}
	return 0
}

// arrayOrder is the ORDER BY of the list: that of the query, whose keys it adds to the
// query's columns unless they are its only column.
func arrayOrder(d *ast.Derived) []ast.Order {
	q := d.Query
	value := &ast.Ident{Span: d.Span, Parts: d.Columns[:1:1]}
	if q.OrderAll != nil {
		order := *q.OrderAll
		order.Expr = value
		return []ast.Order{order}
	}
	orders := slices.Clone(q.OrderBy)
	for i := range orders {
		sel, ok := q.Body.(*ast.Select)
		if !ok || sel.Distinct || isItem(orders[i].Expr, sel) {
			orders[i].Expr = value
			continue
		}
		name := "k" + strconv.Itoa(i)
		sel.Items = append(sel.Items, ast.Item{Expr: orders[i].Expr, Text: name})
		d.Columns = append(d.Columns, name)
		orders[i].Expr = &ast.Ident{Span: d.Span, Parts: []string{name}}
	}
	return orders
}

// isItem reports whether a key of ORDER BY is the first item: by its position or its name.
func isItem(key ast.Expr, s *ast.Select) bool {
	switch key := key.(type) {
	case *ast.Literal:
		return true
	case *ast.Ident:
		name := s.Items[0].Alias
		if item, ok := s.Items[0].Expr.(*ast.Ident); ok && name == "" {
			name = item.Parts[len(item.Parts)-1]
		}
		return len(key.Parts) == 1 && strings.EqualFold(name, key.Parts[0])
	}
	return false
}
