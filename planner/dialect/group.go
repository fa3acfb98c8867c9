package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// groupBy reads the elements of GROUP BY.
func (b *block) groupBy(s *ast.Select) {
	p := b.p
	if p.all() {
		s.GroupAll = true
		return
	}
	s.GroupBy = b.groupings(true)
	if p.words("WITH", "ROLLUP") {
		p.unsupported("WITH ROLLUP; write GROUP BY ROLLUP (…)")
	}
}

// groupings reads a list of elements. sets says that they may be ROLLUP, CUBE and
// GROUPING SETS, as in GROUP BY and in GROUPING SETS itself.
func (b *block) groupings(sets bool) []*ast.Grouping {
	p := b.p
	var out []*ast.Grouping
	for p.err == nil {
		out = append(out, b.grouping(sets))
		if !p.more() {
			break
		}
	}
	return out
}

func (b *block) grouping(sets bool) *ast.Grouping {
	p := b.p
	g := &ast.Grouping{}
	t := p.cur()
	switch {
	case sets && (t.word("ROLLUP") || t.word("CUBE")) && p.ahead(1).op("("):
		p.advance()
		g.Kind = ast.GroupRollup
		if t.word("CUBE") {
			g.Kind = ast.GroupCube
		}
		b.parts(g, false)
	case sets && t.word("GROUPING") && p.ahead(1).word("SETS") && p.ahead(2).op("("):
		p.words("GROUPING", "SETS")
		g.Kind = ast.GroupSets
		b.parts(g, true)
	case t.op("(") && p.ahead(1).op(")"):
		p.advance()
		p.advance()
	default:
		b.slot(inGroup, func(e ast.Expr) {
			g.Keys = []ast.Expr{e}
			if row, ok := e.(*ast.Row); ok {
				g.Keys = row.Items
			}
		})
	}
	return g
}

// parts reads the elements in parentheses.
func (b *block) parts(g *ast.Grouping, sets bool) {
	p := b.p
	if !p.enter() {
		return
	}
	defer p.leave()
	p.need("(")
	g.Parts = b.groupings(sets)
	p.need(")")
}
