package dialect

import (
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
)

func (p *parser) block() *block { return &block{p: p, first: p.pos} }

// subquery is query within an expression.
func (p *parser) subquery() *ast.Query {
	if p.nested++; p.nested > maxSubqueries {
		p.fail(p.cur(), "more than %d subqueries in expressions", maxSubqueries)
	}
	return p.query()
}

// query reads [WITH …] body [ORDER BY …] [LIMIT …].
func (p *parser) query() *ast.Query {
	first := p.pos
	q := &ast.Query{}
	if !p.enter() {
		return q
	}
	defer p.leave()
	if p.words("WITH") {
		q.With = p.with()
	}
	// If there is only one block, the outermost ORDER BY belongs to it, so that
	// the parser reads both at once.
	b := p.block()
	if p.isWord("SELECT") || p.isWord("FROM") || p.beginsPivot(p.pos) {
		s := p.selectBlock(b)
		q.Body = s
		if k := p.cur(); k.word("UNION") || k.word("INTERSECT") || k.word("EXCEPT") {
			b.finish()
			q.Body = p.setOps(q.Body, first, 0)
			b = p.block()
		}
	} else {
		q.Body = p.setOps(p.term(), first, 0)
		b = p.block()
	}
	b.tail(q)
	b.finish()
	q.Span = p.span(first)
	return q
}

// tail reads ORDER BY, LIMIT, OFFSET and FETCH.
func (b *block) tail(q *ast.Query) {
	p := b.p
	if p.words("ORDER") {
		p.by()
		all := p.all()
		if all {
			o := p.direction()
			q.OrderAll = &o
		}
		for p.err == nil && !all {
			i := len(q.OrderBy)
			b.slot(inOrder, func(e ast.Expr) { q.OrderBy[i].Expr = e })
			q.OrderBy = append(q.OrderBy, p.direction())
			if !p.op(",") {
				break
			}
		}
	}
	limit := func(e ast.Expr) { q.Limit = e }
	offset := func(e ast.Expr) { q.Offset = e }
	var sawLimit, sawOffset bool
	for p.err == nil {
		switch {
		case !sawLimit && p.words("LIMIT"):
			sawLimit = true
			if p.words("ALL") {
				break
			}
			b.limit(q)
			if !sawOffset && p.op(",") { // MySQL's LIMIT offset, count
				sawOffset = true
				b.slots[len(b.slots)-1].set = offset
				b.slot(inLimit, limit)
			}
		case !sawOffset && p.words("OFFSET"):
			sawOffset = true
			b.slot(inLimit, offset)
			_ = p.words("ROWS") || p.words("ROW")
		case !sawLimit && p.words("FETCH"):
			sawLimit = true
			b.fetch(limit)
		case p.isWord("FOR") || p.isWord("LOCK"):
			p.abort(fmt.Errorf("%w: locking rows (FOR UPDATE)", errs.ErrReadOnly))
		default:
			return
		}
	}
}

// fetch reads the standard's FETCH FIRST n ROWS ONLY.
func (b *block) fetch(limit func(ast.Expr)) {
	p := b.p
	if !p.words("FIRST") && !p.words("NEXT") {
		p.unexpected("FIRST")
	}
	if p.isWord("ROW") || p.isWord("ROWS") {
		t := p.cur()
		limit(&ast.Literal{Span: ast.Span{Pos: t.pos, End: t.pos}, Kind: ast.Integer, Text: "1"})
	} else {
		b.slot(inLimit, limit)
	}
	if !p.words("ROWS") && !p.words("ROW") {
		p.unexpected("ROWS")
	}
	if p.isWord("WITH") {
		p.unsupported("FETCH … WITH TIES")
	}
	p.needWord("ONLY")
}

// selectBlock reads SELECT up to QUALIFY; the caller finishes the block. FROM may come
// before SELECT, and SELECT * may then be left out.
func (p *parser) selectBlock(b *block) *ast.Select {
	first := p.pos
	s := &ast.Select{}
	if p.beginsPivot(p.pos) {
		b.pivotBlock(s)
		s.Span = p.span(first)
		return s
	}
	if p.words("FROM") {
		s.From = b.from()
		if !p.isWord("SELECT") {
			at := p.span(first)
			s.Items = []ast.Item{{Expr: &ast.Star{Span: at}}}
		}
	}
	if p.words("SELECT") {
		b.selectList(s)
	}
	if s.From == nil && p.words("FROM") {
		s.From = b.from()
	}
	if p.words("WHERE") {
		b.slot(inWhere, func(e ast.Expr) { s.Where = e })
	}
	if p.words("GROUP") {
		p.by()
		b.groupBy(s)
	}
	if p.words("HAVING") {
		b.slot(inHaving, func(e ast.Expr) { s.Having = e })
	}
	if p.words("WINDOW") {
		b.windows()
	}
	if p.words("QUALIFY") {
		b.slot(inItems, func(e ast.Expr) { s.Qualify = e })
	}
	if p.words("USING", "SAMPLE") {
		s.Sample = p.sample()
	}
	s.Span = p.span(first)
	return s
}

// selectList reads what comes after SELECT, up to FROM.
func (b *block) selectList(s *ast.Select) {
	p := b.p
	if p.words("DISTINCT") {
		s.Distinct = true
		if p.words("ON") {
			b.distinctOn(s)
		}
	} else {
		p.words("ALL")
	}
	b.selectItems(s)
	if p.isWord("INTO") {
		p.abort(fmt.Errorf("%w: SELECT INTO", errs.ErrReadOnly))
	}
}

// all reads the ALL of GROUP BY ALL and ORDER BY ALL, also spelled *. If the expression or the
// list continues after it, ALL is the name of a column.
func (p *parser) all() bool {
	if next := p.ahead(1); !p.isOp("*") && !p.isWord("ALL") || next.op(",") || next.op(".") || next.op("(") {
		return false
	}
	p.advance()
	return true
}

// alias reads AS name, or a word that can only be an alias here.
func (p *parser) alias() string {
	if p.words("AS") {
		if t := p.cur(); t.kind == tString || t.kind == tWord {
			p.advance()
			return t.text
		}
		return p.name("an alias")
	}
	t := p.cur()
	if t.kind == tQuoted || t.kind == tString || t.kind == tWord && !t.reserved() && !notAlias[t.upper] {
		p.advance()
		return t.text
	}
	return ""
}
