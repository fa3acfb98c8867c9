package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// with reads the entries of WITH.
func (p *parser) with() []ast.CTE {
	recursive := p.words("RECURSIVE")
	var out []ast.CTE
	for p.err == nil {
		first := p.pos
		c := ast.CTE{Name: p.name("a name"), Recursive: recursive}
		if p.isOp("(") {
			c.Columns = p.names()
		}
		if p.isWord("USING") && p.ahead(1).word("KEY") {
			p.unsupported("USING KEY in WITH RECURSIVE")
		}
		p.needWord("AS")
		if p.words("NOT", "MATERIALIZED") {
			c.Materialized = ast.MaterializedNo
		} else if p.words("MATERIALIZED") {
			c.Materialized = ast.MaterializedYes
		}
		p.need("(")
		c.Query = p.query()
		p.need(")")
		c.Span = p.span(first)
		if out = append(out, c); len(out) > maxChain {
			p.fail(p.cur(), "WITH has more than %d entries", maxChain)
		}
		if !p.op(",") {
			break
		}
	}
	return out
}

// setOps reads UNION, INTERSECT and EXCEPT after the left side. INTERSECT binds
// tighter; the others are read from left to right.
func (p *parser) setOps(left ast.Body, first, level int) ast.Body {
	for p.err == nil {
		op := &ast.SetOp{L: left}
		switch {
		case level == 0 && p.words("UNION"):
			op.Kind = ast.Union
		case level == 0 && p.words("EXCEPT"):
			op.Kind = ast.Except
		case p.words("INTERSECT"):
			op.Kind = ast.Intersect
		default:
			return left
		}
		if p.words("ALL") {
			op.All = true
		} else {
			p.words("DISTINCT")
		}
		op.ByName = op.Kind == ast.Union && p.words("BY", "NAME")
		right := p.pos
		op.R = p.term()
		if op.Kind != ast.Intersect {
			op.R = p.setOps(op.R, right, 1)
		}
		op.Span = p.span(first)
		left = op
	}
	return left
}

// term reads one side of a set operation.
func (p *parser) term() ast.Body {
	switch {
	case p.isWord("SELECT"), p.isWord("FROM"), p.beginsPivot(p.pos):
		b := p.block()
		s := p.selectBlock(b)
		b.finish()
		return s
	case p.isWord("VALUES"):
		return p.values()
	case p.isWord("TABLE"):
		first := p.pos
		p.advance()
		return p.allOf(first).Body
	case p.isOp("("):
		first := p.pos
		if l := p.listing(); l != nil {
			span := p.span(first)
			return &ast.Select{Span: span, Items: []ast.Item{{Expr: &ast.Star{Span: span}}}, From: l}
		}
		p.advance()
		q := p.query()
		p.need(")")
		return q
	}
	if p.cur().kind == tWord && writes[p.cur().upper] {
		p.refuse(p.cur())
	}
	p.unexpected("SELECT")
	return &ast.Select{}
}

func (p *parser) values() *ast.Values {
	first := p.pos
	p.advance()
	v := &ast.Values{}
	b := p.block()
	for p.err == nil {
		p.need("(")
		row := len(v.Rows)
		v.Rows = append(v.Rows, nil)
		for p.err == nil {
			i := len(v.Rows[row])
			v.Rows[row] = append(v.Rows[row], nil)
			b.slot(inItems, func(e ast.Expr) { v.Rows[row][i] = e })
			if !p.more() {
				break
			}
		}
		p.need(")")
		if !p.more() || p.isWord("AS") { // a comma may be the last one
			break
		}
	}
	b.finish()
	v.Span = p.span(first)
	return v
}
