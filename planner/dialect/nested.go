package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// list reads [1, 2] as LIST_VALUE(1, 2).
func (b *block) list(first int) {
	p := b.p
	p.need("[")
	m := b.open(first)
	var items []ast.Expr
	if !p.isOp("]") {
		items = b.items("]")
	}
	if p.isWord("FOR") && len(items) == 1 {
		b.comprehension(m, first)
		return
	}
	p.need("]")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr { return &ast.Call{Span: s, Name: "list_value", Args: fill(items, a)} })
}

// structure reads {'a': 1, b: 2} as STRUCT_PACK(a := 1, b := 2).
func (b *block) structure(first int) {
	p := b.p
	p.need("{")
	m := b.open(first)
	var names []string
	for p.err == nil && !p.isOp("}") {
		switch t := p.cur(); t.kind {
		case tString, tWord, tQuoted:
			p.advance()
			names = append(names, t.text)
		default:
			p.unexpected("the name of a field")
		}
		p.need(":")
		if len(names) > 1 {
			b.comma()
		}
		b.expr()
		if !p.op(",") {
			break
		}
	}
	p.need("}")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		return &ast.Call{Span: s, Name: "struct_pack", Args: a, ArgNames: names}
	})
}

// mapLiteral reads MAP {k: v, …} as MAP([k, …], [v, …]).
func (b *block) mapLiteral(first int) {
	p := b.p
	p.advance()
	p.need("{")
	m := b.open(first)
	for n := 0; p.err == nil && !p.isOp("}"); n++ {
		if n > 0 {
			b.comma()
		}
		b.expr()
		p.need(":")
		b.comma()
		b.expr()
		if !p.op(",") {
			break
		}
	}
	p.need("}")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		keys, values := &ast.Call{Span: s, Name: "list_value"}, &ast.Call{Span: s, Name: "list_value"}
		for ; len(a) > 1; a = a[2:] {
			keys.Args, values.Args = append(keys.Args, a[0]), append(values.Args, a[1])
		}
		return &ast.Call{Span: s, Name: "map", Args: []ast.Expr{keys, values}}
	})
}

// subscript reads the rest of x[i] and of the slice x[from:to:step], whose bounds may be
// missing; a missing end before a step is written as -. m is the mark that wraps x.
func (b *block) subscript(m, first int) {
	p := b.p
	parts, colons := []bool{false, false, false}, 0
	for p.err == nil {
		open := p.isOp(":") || p.isOp("]")
		if p.isOp("-") && p.ahead(1).op(":") {
			p.advance()
			open = true
		}
		if !open {
			b.comma()
			b.expr()
			parts[colons] = true
		}
		if colons == 2 || !p.op(":") {
			break
		}
		colons++
	}
	p.need("]")
	if colons == 0 && !parts[0] {
		p.fail(p.prev(), "a subscript is missing between the brackets")
	}
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		if colons == 0 {
			return &ast.Subscript{Span: s, X: a[0], Index: a[1]}
		}
		return slice(s, a, parts[:colons+1])
	})
}

// slice fills the bounds that are given.
func slice(s ast.Span, a []ast.Expr, parts []bool) ast.Expr {
	n := &ast.Slice{Span: s, X: a[0]}
	a = a[1:]
	for i, bound := range []*ast.Expr{&n.From, &n.To, &n.Step} {
		if i < len(parts) && parts[i] {
			*bound, a = a[0], a[1:]
		}
	}
	return n
}
