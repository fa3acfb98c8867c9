package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// pivots and unpivots are the words that begin these statements.
var (
	pivots   = words("PIVOT PIVOT_WIDER")
	unpivots = words("UNPIVOT PIVOT_LONGER")
)

// beginsPivot reports whether the token at an index begins PIVOT t or UNPIVOT t: the words
// may also be names.
func (p *parser) beginsPivot(at int) bool {
	t := p.toks[at]
	if !pivots[t.upper] && !unpivots[t.upper] {
		return false
	}
	next := p.toks[at+1] // there is one: the last token is tEOF
	return next.name() || next.kind == tString || next.op("(")
}

// pivotBlock reads a PIVOT or UNPIVOT statement as SELECT * FROM it.
func (b *block) pivotBlock(s *ast.Select) {
	p := b.p
	first := p.pos
	pivot := pivots[p.advance().upper]
	t := b.table()
	if pivot {
		s.From = b.pivotStatement(first, t)
	} else {
		s.From = b.unpivotStatement(first, t)
	}
	s.Items = []ast.Item{{Expr: &ast.Star{Span: p.span(first)}}}
}

func (b *block) pivotStatement(first int, t ast.TableExpr) *ast.Pivot {
	p := b.p
	n := &ast.Pivot{Table: t}
	if p.words("ON") {
		for p.err == nil {
			i := len(n.On)
			n.On = append(n.On, ast.PivotOn{})
			b.slot(inItems, func(e ast.Expr) { n.On[i] = pivotOn(e) })
			if !p.more() {
				break
			}
		}
	}
	if p.words("USING") {
		b.pivotItems(&n.Using)
	}
	b.pivotGroups(n)
	n.Span = p.span(first)
	return n
}

// pivotOn is an expression of ON, perhaps with IN and its values.
func pivotOn(e ast.Expr) ast.PivotOn {
	in, ok := e.(*ast.In)
	if !ok || in.Not {
		return ast.PivotOn{Exprs: []ast.Expr{e}}
	}
	if in.Query != nil {
		return ast.PivotOn{Exprs: parts(in.X), Query: in.Query}
	}
	on := ast.PivotOn{Exprs: parts(in.X)}
	for _, v := range in.List {
		on.Values = append(on.Values, ast.PivotValue{Exprs: parts(v)})
	}
	return on
}

// parts is the items of a row; else the expression itself.
func parts(e ast.Expr) []ast.Expr {
	if r, ok := e.(*ast.Row); ok {
		return r.Items
	}
	return []ast.Expr{e}
}

// pivotItems reads aggregates with their aliases.
func (b *block) pivotItems(items *[]ast.Item) {
	p := b.p
	for p.err == nil {
		first, i := p.pos, len(*items)
		*items = append(*items, ast.Item{})
		b.slot(inItems, func(e ast.Expr) { (*items)[i].Expr = e })
		(*items)[i].Text = p.source(first)
		(*items)[i].Alias = p.alias()
		if !p.more() {
			return
		}
	}
}

func (b *block) pivotGroups(n *ast.Pivot) {
	p := b.p
	if !p.words("GROUP", "BY") {
		return
	}
	n.Grouped = true
	for p.err == nil {
		i := len(n.GroupBy)
		n.GroupBy = append(n.GroupBy, nil)
		b.slot(inItems, func(e ast.Expr) { n.GroupBy[i] = e })
		if !p.more() {
			return
		}
	}
}

func (b *block) unpivotStatement(first int, t ast.TableExpr) *ast.Unpivot {
	p := b.p
	n := &ast.Unpivot{Table: t, Name: "name", Values: []string{"value"}}
	p.needWord("ON")
	b.unpivotItems(n)
	if p.words("INTO") {
		p.needWord("NAME")
		n.Name = p.name("a column name")
		if !p.words("VALUE") {
			p.needWord("VALUES")
		}
		n.Values = nil
		for p.err == nil {
			n.Values = append(n.Values, p.name("a column name"))
			if !p.more() {
				break
			}
		}
	}
	n.Span = p.span(first)
	return n
}

// unpivotItems reads columns, lists of them in parentheses, COLUMNS(…) and *.
func (b *block) unpivotItems(n *ast.Unpivot) {
	p := b.p
	for p.err == nil {
		first, i := p.pos, len(n.On)
		n.On = append(n.On, ast.UnpivotOn{})
		if star := p.star(); star != nil {
			b.starChanges(star)
			n.On[i].Exprs = []ast.Expr{&ast.Columns{Span: star.Span, Star: star}}
		} else {
			b.slot(inItems, func(e ast.Expr) { n.On[i].Exprs = parts(e) })
		}
		n.On[i].Text = []string{p.source(first)}
		n.On[i].Alias = p.alias()
		if !p.more() {
			return
		}
	}
}

// pivoted reads PIVOT (…) and UNPIVOT (…) after a table.
func (b *block) pivoted(first int, t ast.TableExpr) ast.TableExpr {
	p := b.p
	for p.err == nil {
		switch {
		case p.isWord("PIVOT") && p.ahead(1).op("("):
			p.pos += 2
			t = b.pivotInFrom(first, t)
		case p.beginsUnpivot():
			p.advance()
			t = b.unpivotInFrom(first, t)
		default:
			return t
		}
	}
	return t
}

// beginsUnpivot reports whether UNPIVOT ( or UNPIVOT INCLUDE NULLS ( comes next.
func (p *parser) beginsUnpivot() bool {
	next := p.ahead(1)
	return p.isWord("UNPIVOT") && (next.op("(") || (next.word("INCLUDE") || next.word("EXCLUDE")) && p.ahead(2).word("NULLS"))
}

func (b *block) pivotInFrom(first int, t ast.TableExpr) ast.TableExpr {
	p := b.p
	n := &ast.Pivot{Table: t}
	b.pivotItems(&n.Using)
	p.needWord("FOR")
	for p.err == nil && !p.isOp(")") && !p.isWord("GROUP") {
		i := len(n.On)
		n.On = append(n.On, ast.PivotOn{})
		b.operandSlot(func(e ast.Expr) { n.On[i].Exprs = parts(e) })
		p.needWord("IN")
		p.need("(")
		if p.beginsQuery() {
			n.On[i].Query = p.query()
		}
		for p.err == nil && n.On[i].Query == nil {
			k := len(n.On[i].Values)
			n.On[i].Values = append(n.On[i].Values, ast.PivotValue{})
			b.slot(inItems, func(e ast.Expr) { n.On[i].Values[k].Exprs = parts(e) })
			n.On[i].Values[k].Alias = p.alias()
			if !p.more() {
				break
			}
		}
		p.need(")")
	}
	b.pivotGroups(n)
	p.need(")")
	n.Alias, n.Columns = p.tableAlias()
	n.Span = p.span(first)
	return n
}

// operandSlot is a slot of one operand: an IN after it is not part of it.
func (b *block) operandSlot(set func(ast.Expr)) {
	b.out = &out{}
	b.operand()
	b.slots = append(b.slots, &slot{clause: inItems, out: b.out, set: set})
}

func (b *block) unpivotInFrom(first int, t ast.TableExpr) ast.TableExpr {
	p := b.p
	n := &ast.Unpivot{Table: t, IncludeNulls: p.words("INCLUDE", "NULLS")}
	p.words("EXCLUDE", "NULLS")
	p.need("(")
	if p.isOp("(") {
		n.Values = p.names()
	} else {
		n.Values = []string{p.name("a column name")}
	}
	p.needWord("FOR")
	n.Name = p.name("a column name")
	p.needWord("IN")
	p.need("(")
	b.unpivotItems(n)
	p.need(")")
	p.need(")")
	n.Alias, n.Columns = p.tableAlias()
	n.Span = p.span(first)
	return n
}
