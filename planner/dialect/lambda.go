package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// lambdaCalls are the functions in which x -> y is a lambda; elsewhere it is a path.
var lambdaCalls = words(`LIST_TRANSFORM ARRAY_TRANSFORM LIST_APPLY ARRAY_APPLY APPLY LIST_FILTER ARRAY_FILTER FILTER LIST_REDUCE ARRAY_REDUCE REDUCE`)

// lambda reads the parameters of lambda x, y: and, where an arrow makes one, of x -> and
// (x, y) ->. It returns nil and reads nothing if no lambda begins here.
func (p *parser) lambda(arrow bool) []string {
	name := func(i int) bool { t := p.ahead(i); return t.kind == tQuoted || t.kind == tWord && !t.reserved() }
	start := p.pos
	var params []string
	list := func() {
		for name(0) {
			params = append(params, p.advance().text)
			if !p.op(",") {
				return
			}
		}
	}
	switch {
	case p.isWord("LAMBDA") && name(1):
		p.advance()
		if list(); p.op(":") {
			return params
		}
	case arrow && name(0) && p.ahead(1).op("->"):
		params = append(params, p.advance().text)
		p.advance()
		return params
	case arrow && p.isOp("("):
		p.advance()
		if list(); len(params) > 0 && p.isOp(")") && p.ahead(1).op("->") {
			p.pos += 2
			return params
		}
	}
	p.pos = start
	return nil
}

// lambda writes the body of a lambda.
func (b *block) lambda(params []string) {
	m := b.open(b.p.pos)
	first := b.p.pos
	b.expr()
	s := b.p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr { return &ast.Lambda{Span: s, Params: params, Body: a[0]} })
}

// comprehension reads the rest of [x + 1 FOR x IN list IF condition] after the value, as
// LIST_TRANSFORM(LIST_FILTER(list, lambda x: condition), lambda x: x + 1). With an index the
// condition is in the value, for an index counts all elements.
func (b *block) comprehension(m, first int) {
	p := b.p
	p.needWord("FOR")
	var params []string
	for p.err == nil {
		params = append(params, p.name("the name of an element"))
		if !p.op(",") {
			break
		}
	}
	p.needWord("IN")
	b.comma()
	b.expr()
	condition := p.words("IF")
	if condition {
		b.comma()
		b.expr()
	}
	p.need("]")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		list := a[1]
		if condition && len(params) > 1 {
			return indexed(s, params, list, a[0], a[2])
		}
		if condition {
			list = &ast.Call{Span: s, Name: "list_filter", Args: []ast.Expr{list, &ast.Lambda{Span: s, Params: params, Body: a[2]}}}
		}
		return &ast.Call{Span: s, Name: "list_transform", Args: []ast.Expr{list, &ast.Lambda{Span: s, Params: params, Body: a[0]}}}
	})
}

// indexed is the values of the elements of a list that fulfil a condition: the fields v of
// LIST_FILTER(LIST_TRANSFORM(list, lambda x, i: CASE WHEN condition THEN {v: value} END),
// lambda x: x IS NOT NULL).
func indexed(s ast.Span, params []string, list, value, condition ast.Expr) ast.Expr {
	found := &ast.Call{Span: s, Name: "struct_pack", Args: []ast.Expr{value}, ArgNames: []string{"v"}}
	some := &ast.Case{Span: s, Whens: []ast.When{{Cond: condition, Then: found}}}
	list = &ast.Call{Span: s, Name: "list_transform", Args: []ast.Expr{list, &ast.Lambda{Span: s, Params: params, Body: some}}}
	x := &ast.Ident{Span: s, Parts: params[:1]}
	is := &ast.Is{Span: s, X: x, Kind: ast.IsNull, Not: true}
	list = &ast.Call{Span: s, Name: "list_filter", Args: []ast.Expr{list, &ast.Lambda{Span: s, Params: params[:1], Body: is}}}
	return &ast.Call{Span: s, Name: "list_transform", Args: []ast.Expr{list, &ast.Lambda{Span: s, Params: params[:1], Body: &ast.Field{Span: s, X: x, Name: "v"}}}}
}
