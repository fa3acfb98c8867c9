package dialect

import (
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"
)

// rank is how an operator is written for the parser: as itself, or as another of
// the same precedence. convert.go reads the original operator from the tokens
// between its operands.
var rank = map[string]string{
	"+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "^": "^", "**": "^", "//": "div",
	"&": "|", "|": "|", "||": "|", "&&": "|", "@>": "|", "<@": "|", "<<": "|", ">>": "|", "^@": "|",
	"<=>": "|", "<->": "|",
	"~": "|", "!~": "|", "~~": "|", "!~~": "|", "~~*": "|", "!~~*": "|", "~~~": "|",
	"~*": "|", "!~*": "|", ownMatch: "|", ownNoMatch: "|",
	"=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", ">": ">", "<=": "<=", ">=": ">=",
}

// binary is what each operator token means.
var binary = map[string]ast.Op{
	"+": ast.Add, "-": ast.Sub, "*": ast.Mul, "/": ast.Div, "%": ast.Mod, "^": ast.Pow, "**": ast.Pow, "//": ast.Quotient,
	"&": ast.BitAnd, "|": ast.BitOr, "||": ast.Concat, "&&": ast.Overlaps, "@>": ast.Contains, "<@": ast.Within, "^@": ast.StartsWith, "<<": ast.ShiftLeft, ">>": ast.ShiftRight,
	"=": ast.Eq, "==": ast.Eq, "<>": ast.Ne, "!=": ast.Ne, "<": ast.Lt, ">": ast.Gt, "<=": ast.Le, ">=": ast.Ge,
	"DIV": ast.IntDiv, "MOD": ast.Mod,
}

func isComparison(o string) bool {
	switch rank[o] {
	case "=", "<>", "<", ">", "<=", ">=":
		return true
	}
	return false
}

// expr writes the expression at the cursor and stops at the first token that
// cannot continue it.
func (b *block) expr() {
	c := &chain{}
	b.begin(c)
	for b.p.err == nil {
		if !b.prefixes(c) {
			b.operand()
		}
		if !b.infix(c) {
			if c.and > 0 && b.p.err == nil {
				b.p.unexpected("AND")
			}
			b.settle(c, false)
			return
		}
	}
}

// prefixes writes NOT, signs and generic prefix operators. done says that the operand was
// written too.
func (b *block) prefixes(c *chain) (done bool) {
	p := b.p
	for n := 0; p.err == nil; n++ {
		t := p.cur()
		switch {
		case n > maxPrefixes:
			p.fail(t, "more than %d operators in a row", maxPrefixes)
			return true
		case t.word("NOT"):
			b.write(p.pos, "not")
			p.advance()
			b.begin(c)
			continue
		case t.op("-") || t.op("+") || t.op("!"):
			b.write(p.pos, t.text)
		case t.op("~") || t.op("@") || p.atColumn(t):
			b.generic(t)
			return true
		default:
			return false
		}
		p.advance()
	}
	return true
}

// infix writes what follows an operand: suffixes such as IS NULL and IN (…),
// then an operator. It returns true if another operand must come.
func (b *block) infix(c *chain) bool {
	p := b.p
	for p.err == nil {
		c.length++
		if c.length > maxChain {
			p.fail(p.cur(), "more than %d operators in one expression", maxChain)
			return false
		}
		at, t := p.pos, p.cur()
		if t.kind == tOp {
			as, ok := rank[t.text]
			if !ok {
				return false
			}
			b.settle(c, true)
			b.write(at, as)
			p.advance()
			if isComparison(t.text) {
				b.compare(c)
				if b.quantified() {
					continue
				}
			}
			return true
		}
		if t.kind != tWord {
			return false
		}
		more, done := b.infixWord(t, c)
		if done {
			return more
		}
	}
	return false
}

// infixWord handles one keyword. done is false if it wrote a suffix; then infix
// continues.
func (b *block) infixWord(t token, c *chain) (more, done bool) {
	p, at := b.p, b.p.pos
	switch t.upper {
	case "AND", "OR":
		b.logic(t, c)
		return true, true
	case "DIV":
		b.settle(c, true)
		b.write(at, "div")
	case "MOD":
		b.settle(c, true)
		b.write(at, "%")
	case "IS":
		return b.is(c)
	case "ISNULL", "NOTNULL":
		b.isNull(c, map[string]string{"ISNULL": "is null", "NOTNULL": "is not null"}[t.upper], 1)
		return false, false
	case "NOT":
		return b.negated(c)
	case "ESCAPE":
		b.write(at, "escape")
	default:
		return b.predicate("", c)
	}
	p.advance()
	return true, true
}

// isNull writes a suffix that tests for NULL and takes so many tokens.
func (b *block) isNull(c *chain, as string, tokens int) {
	b.settle(c, true)
	b.write(b.p.pos, as)
	b.p.pos += tokens
	c.state = tested
}

// negated reads NOT before IN, LIKE, BETWEEN and the like.
func (b *block) negated(c *chain) (more, done bool) {
	switch p := b.p; p.ahead(1).upper {
	case "IN", "LIKE", "ILIKE", "BETWEEN", "REGEXP", "RLIKE", "GLOB", "SIMILAR":
		b.settle(c, true)
		p.advance()
		return b.predicate("not ", c)
	case "NULL": // x NOT NULL, as in DuckDB and SQLite
		b.isNull(c, "is not null", 2)
		return false, false
	}
	b.p.unexpected("an operator")
	return false, true
}

func (b *block) predicate(not string, c *chain) (more, done bool) {
	p, at := b.p, b.p.pos
	t := p.cur()
	switch t.upper {
	case "LIKE", "ILIKE", "GLOB", "REGEXP", "RLIKE", "BETWEEN", "IN":
	case "SIMILAR":
		if !p.ahead(1).word("TO") {
			return false, true
		}
	default:
		return false, true
	}
	b.settle(c, true)
	c.state = predicate
	switch t.upper {
	case "LIKE", "ILIKE", "GLOB":
		b.write(at, not+"like")
	case "SIMILAR":
		b.write(at, not+"like")
		p.advance()
	case "REGEXP", "RLIKE":
		b.write(at, not+"regexp")
	case "BETWEEN":
		if p.ahead(1).word("SYMMETRIC") {
			p.unsupported("BETWEEN SYMMETRIC")
		}
		b.write(at, not+"between")
		c.and++
	case "IN":
		b.write(at, not+"in")
		p.advance()
		b.inList()
		c.state = listed
		return false, false
	}
	p.advance()
	if t.upper == "LIKE" || t.upper == "ILIKE" {
		if b.quantified() {
			return false, false
		}
	}
	return true, true
}

// is reads IS [NOT] NULL, TRUE, FALSE, UNKNOWN and DISTINCT FROM.
func (b *block) is(c *chain) (more, done bool) {
	p, at := b.p, b.p.pos
	b.settle(c, true)
	if next := p.ahead(1); c.compared && (next.word("DISTINCT") || next.word("NOT") && p.ahead(2).word("DISTINCT")) {
		b.group(c.test)
	}
	p.advance()
	not := ""
	c.state = tested
	if p.words("NOT") {
		not = "not "
	}
	switch {
	case p.words("NULL") || p.words("UNKNOWN"):
		b.write(at, "is "+not+"null")
	case p.words("TRUE"):
		b.write(at, "is "+not+"true")
	case p.words("FALSE"):
		b.write(at, "is "+not+"false")
	case p.words("DISTINCT", "FROM"):
		b.write(at, "<=>")
		b.compare(c)
		c.state = plain
		return true, true
	default:
		p.unexpected("NULL, TRUE, FALSE or DISTINCT FROM (= and <> compare values)")
	}
	return false, false
}

// quantified reads ANY (…) and ALL (…) after a comparison.
func (b *block) quantified() bool {
	p := b.p
	all := p.isWord("ALL")
	if !all && !p.isWord("ANY") && !p.isWord("SOME") || !p.ahead(1).op("(") {
		return false
	}
	if !p.enter() {
		return true
	}
	defer p.leave()
	first := p.pos
	p.advance()
	p.advance()
	if p.beginsQuery() {
		q := p.subquery()
		p.need(")")
		b.leaf(first, &ast.Quantified{Span: p.span(first), All: all, Query: q})
		return true
	}
	p.pos = first
	b.inner(func() {
		m := b.open(first)
		p.pos += 2
		b.expr()
		p.need(")")
		s := p.span(first)
		b.close(m, func(a []ast.Expr) ast.Expr { return &ast.Quantified{Span: s, All: all, Arg: desugar.Array(a[0])} })
	})
	return true
}

// inList writes the right side of IN as a one-element tuple. Its literals bypass
// the parser, so that a list may have very many.
func (b *block) inList() {
	p := b.p
	if !p.enter() {
		return
	}
	defer p.leave()
	first := p.pos
	b.out.buf = append(b.out.buf, '(')
	if !p.isOp("(") { // x IN list
		b.operand()
		b.out.buf = append(b.out.buf, ')', ' ')
		return
	}
	p.advance()
	if p.beginsQuery() {
		q := p.subquery()
		p.need(")")
		b.leaf(first, &ast.Subquery{Span: p.span(first), Query: q})
	} else {
		p.pos = first
		b.inner(func() {
			m := b.open(first)
			p.advance()
			items := b.items(")")
			p.need(")")
			s := p.span(first)
			b.close(m, func(a []ast.Expr) ast.Expr { return &ast.Row{Span: s, Items: fill(items, a)} })
		})
	}
	b.out.buf = append(b.out.buf, ')', ' ')
}

// items writes the expressions of a list, up to the closing bracket, as arguments, except
// single literals. It returns the literals, with nil in place of the other expressions.
func (b *block) items(closing string) []ast.Expr {
	p := b.p
	var items []ast.Expr
	written := false
	for p.err == nil {
		end := p.ahead(1).op(",") || p.ahead(1).op(closing)
		if e := b.literal(); e != nil && end {
			items = append(items, e)
			p.advance()
		} else {
			if written {
				b.comma()
			}
			written = true
			b.expr()
			items = append(items, nil)
		}
		if !p.op(",") || p.isOp(closing) {
			break
		}
	}
	return items
}

// fill replaces the nils by the converted expressions.
func fill(items, written []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(items))
	for i, e := range items {
		if e == nil {
			e, written = written[0], written[1:]
		}
		out[i] = e
	}
	return out
}

// beginsQuery reports whether a query follows the parenthesis before the cursor. It may
// be in parentheses itself: ((SELECT 1)) is one, ((SELECT 1) + 1) is not.
func (p *parser) beginsQuery() bool {
	return p.queryInParens(p.pos-1) && (!p.isWord("VALUES") || p.ahead(1).op("("))
}
