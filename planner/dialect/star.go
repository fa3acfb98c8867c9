package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// selectItems reads the select list. Stars do not go through the parser.
func (b *block) selectItems(s *ast.Select) {
	p := b.p
	for p.err == nil {
		alias := p.prefixAlias(false)
		first, i := p.pos, len(s.Items)
		s.Items = append(s.Items, ast.Item{})
		if star := p.star(); star != nil {
			s.Items[i].Expr = star
			b.starChanges(star)
		} else {
			b.slot(inItems, func(e ast.Expr) { s.Items[i].Expr = e })
			s.Items[i].Text, s.Items[i].Label = p.source(first), p.labels.label(p.toks[first:p.pos])
			if s.Items[i].Alias = p.alias(); alias != "" {
				s.Items[i].Alias = alias
			}
		}
		if !p.more() {
			return
		}
	}
}

// star reads * and t.*.
func (p *parser) star() *ast.Star {
	first := p.pos
	n := 0
	for (p.ahead(n).kind == tWord || p.ahead(n).kind == tQuoted) && p.ahead(n+1).op(".") {
		n += 2
	}
	if !p.ahead(n).op("*") {
		return nil
	}
	s := &ast.Star{}
	for ; n > 0; n -= 2 {
		s.Table = append(s.Table, p.advance().text)
		p.advance()
	}
	p.advance()
	s.Span = p.span(first)
	return s
}

// starChanges reads what changes a star, in any order: EXCLUDE (a, t.b), also spelled
// EXCEPT, REPLACE (x + 1 AS x), RENAME (a AS b), [NOT] LIKE 'pattern' AS c, SIMILAR TO
// 'a(.*)' AS 'b\1'. A single name or item needs no parentheses.
func (b *block) starChanges(s *ast.Star) {
	p := b.p
	first := p.pos
	for p.err == nil {
		next := p.ahead(1)
		switch {
		case p.isWord("EXCLUDE") || p.isWord("EXCEPT") && next.op("(") && !p.ahead(2).word("SELECT"):
			p.advance()
			p.oneOrMore(func() { s.Exclude = append(s.Exclude, p.columnName()) })
		case p.isWord("REPLACE") && !next.op(",") && !next.word("FROM"):
			p.advance()
			p.oneOrMore(func() { b.starReplace(s) })
		case p.isWord("RENAME") && !next.op(",") && !next.word("FROM"):
			p.advance()
			p.oneOrMore(func() {
				r := ast.Rename{Name: p.columnName()}
				p.needWord("AS")
				r.As = p.name("a column name")
				s.Rename = append(s.Rename, r)
			})
		case s.Like == nil && p.starLike(s):
			b.starPattern(s.Like)
			if p.isWord("AS") {
				s.Like.As = p.alias()
			}
		default:
			if p.pos > first {
				s.End = p.prev().end
			}
			return
		}
	}
}

// oneOrMore reads one item, or a list of them in parentheses.
func (p *parser) oneOrMore(item func()) {
	if !p.op("(") {
		item()
		return
	}
	for p.err == nil {
		if item(); !p.more() {
			break
		}
	}
	p.need(")")
}

// columnName reads a name with that of its table, or a string.
func (p *parser) columnName() []string {
	if p.cur().kind == tString {
		return []string{p.advance().text}
	}
	name := []string{p.name("a column name")}
	for p.op(".") {
		name = append(name, p.anyName("a column name"))
	}
	return name
}

func (b *block) starReplace(s *ast.Star) {
	p := b.p
	i := len(s.Replace)
	s.Replace = append(s.Replace, ast.Item{})
	b.slot(inItems, func(e ast.Expr) { s.Replace[i].Expr = e })
	p.needWord("AS")
	s.Replace[i].Alias = p.name("a column name")
}

// starLike reads [NOT] LIKE, ILIKE, GLOB and SIMILAR TO after a star.
func (p *parser) starLike(s *ast.Star) bool {
	at := 0
	if p.isWord("NOT") {
		at = 1
	}
	kind, ok := likeKinds[p.ahead(at).upper]
	if !ok || kind == ast.SimilarTo && !p.ahead(at+1).word("TO") {
		return false
	}
	if p.pos += at + 1; kind == ast.SimilarTo {
		p.advance()
	}
	s.Like = &ast.StarLike{Kind: kind, Not: at == 1}
	return true
}

// starPattern reads the pattern after a star, and its ESCAPE.
func (b *block) starPattern(l *ast.StarLike) {
	pattern := func(e ast.Expr) { l.Pattern = e }
	if !b.p.ahead(1).word("ESCAPE") {
		b.slot(inItems, pattern)
		return
	}
	b.operandSlot(pattern)
	b.p.advance()
	b.operandSlot(func(e ast.Expr) { l.Escape = e })
}

// columns reads COLUMNS(…), which no grammar but DuckDB's has. The parser gets a name in
// its place.
func (b *block) columns(first int, unpack bool) {
	p := b.p
	if !p.enter() {
		return
	}
	defer p.leave()
	p.advance()
	p.need("(")
	c := &ast.Columns{Unpack: unpack}
	inner := p.block()
	if c.Star = p.star(); c.Star != nil {
		inner.starChanges(c.Star)
	} else if p.ahead(2).word("FOR") && p.ahead(5).op("(") && p.ahead(6).op("*") && p.op("[") {
		inner.chosen(c)
	} else {
		if p.words("LAMBDA") {
			c.Param = p.name("a parameter")
			p.need(":")
		} else if p.cur().name() && p.ahead(1).op("->") {
			c.Param = p.advance().text
			p.advance()
		}
		inner.slot(inItems, func(e ast.Expr) { c.Of = e })
	}
	p.need(")")
	inner.finish()
	c.Span = p.span(first)
	b.leaf(first, c)
}

// chosen reads [x FOR x IN (*) IF condition], which chooses columns by their names.
func (b *block) chosen(c *ast.Columns) {
	p := b.p
	at := p.cur()
	c.Param = p.name("a name")
	p.needWord("FOR")
	if name := p.name("a name"); name != c.Param {
		p.fail(at, "COLUMNS([x FOR x IN (*) IF …]): the list must have the names themselves")
	}
	p.needWord("IN")
	p.need("(")
	p.need("*")
	p.need(")")
	if p.words("IF") {
		b.slot(inItems, func(e ast.Expr) { c.Of = e })
	} else {
		c.Of = &ast.Literal{Span: p.span(p.pos - 1), Kind: ast.True}
	}
	p.need("]")
}
