package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// rank is how an operator is written for the parser: as itself, or as another of
// the same precedence. convert.go reads the original operator from the tokens
// between its operands.
var rank = map[string]string{
	"+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "^": "^", "**": "^", "//": "div",
	"&": "|", "|": "|", "||": "|", "&&": "|", "@>": "|", "<@": "|", "<<": "|", ">>": "|", "^@": "|",
	"~": "|", "!~": "|", "~~": "|", "!~~": "|", "~~*": "|", "!~~*": "|", "~~~": "|",
	"=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "<=>": "<=>",
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
	chain := 0
	for b.p.err == nil {
		if !b.prefixes() {
			b.operand()
		}
		if !b.infix(&chain) {
			return
		}
	}
}

// prefixes writes NOT, signs and generic prefix operators. done says that the operand was
// written too.
func (b *block) prefixes() (done bool) {
	p := b.p
	for n := 0; p.err == nil; n++ {
		t := p.cur()
		switch {
		case n > maxPrefixes:
			p.fail(t, "more than %d operators in a row", maxPrefixes)
			return true
		case t.word("NOT"):
			b.write(p.pos, "not")
		case t.op("-") || t.op("+") || t.op("!"):
			b.write(p.pos, t.text)
		case t.op("~") || t.op("@"):
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
func (b *block) infix(chain *int) bool {
	p := b.p
	for p.err == nil {
		*chain++
		if *chain > maxChain {
			p.fail(p.cur(), "more than %d operators in one expression", maxChain)
			return false
		}
		at, t := p.pos, p.cur()
		if t.kind == tOp {
			as, ok := rank[t.text]
			if !ok {
				return false
			}
			b.write(at, as)
			p.advance()
			if isComparison(t.text) && b.quantified() {
				continue
			}
			return true
		}
		if t.kind != tWord {
			return false
		}
		more, done := b.infixWord(t, chain)
		if done {
			return more
		}
	}
	return false
}

// infixWord handles one keyword. done is false if it wrote a suffix; then infix
// continues.
func (b *block) infixWord(t token, chain *int) (more, done bool) {
	p, at := b.p, b.p.pos
	switch t.upper {
	case "AND", "OR":
		*chain = 0
		b.write(at, t.upper)
	case "DIV":
		b.write(at, "div")
	case "MOD":
		b.write(at, "%")
	case "IS":
		return b.is()
	case "ISNULL":
		b.write(at, "is null")
		p.advance()
		return false, false
	case "NOTNULL":
		b.write(at, "is not null")
		p.advance()
		return false, false
	case "NOT":
		return b.negated()
	case "ESCAPE":
		b.write(at, "escape")
	case "COLLATE":
		p.unsupported("COLLATE")
	default:
		return b.predicate("")
	}
	p.advance()
	return true, true
}

// negated reads NOT before IN, LIKE, BETWEEN and the like.
func (b *block) negated() (more, done bool) {
	switch p := b.p; p.ahead(1).upper {
	case "IN", "LIKE", "ILIKE", "BETWEEN", "REGEXP", "RLIKE", "GLOB", "SIMILAR":
		p.advance()
		return b.predicate("not ")
	case "NULL": // x NOT NULL, as in DuckDB and SQLite
		b.write(p.pos, "is not null")
		p.pos += 2
		return false, false
	}
	b.p.unexpected("an operator")
	return false, true
}

func (b *block) predicate(not string) (more, done bool) {
	p, at := b.p, b.p.pos
	switch p.cur().upper {
	case "LIKE", "ILIKE", "GLOB":
		b.write(at, not+"like")
	case "SIMILAR":
		if !p.ahead(1).word("TO") {
			return false, true
		}
		b.write(at, not+"like")
		p.advance()
	case "REGEXP", "RLIKE":
		b.write(at, not+"regexp")
	case "BETWEEN":
		if p.ahead(1).word("SYMMETRIC") {
			p.unsupported("BETWEEN SYMMETRIC")
		}
		b.write(at, not+"between")
	case "IN":
		b.write(at, not+"in")
		p.advance()
		b.inList()
		return false, false
	default:
		return false, true
	}
	p.advance()
	return true, true
}

// is reads IS [NOT] NULL, TRUE, FALSE, UNKNOWN and DISTINCT FROM.
func (b *block) is() (more, done bool) {
	p, at := b.p, b.p.pos
	p.advance()
	not := ""
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
		return true, true
	default:
		p.unexpected("NULL, TRUE, FALSE or DISTINCT FROM")
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
	first := p.pos
	p.advance()
	p.advance()
	if p.beginsQuery() {
		q := p.query()
		p.need(")")
		b.leaf(first, &ast.Quantified{Span: p.span(first), All: all, Query: q})
		return true
	}
	m := b.open(first)
	b.expr()
	p.need(")")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr { return &ast.Quantified{Span: s, All: all, Arg: a[0]} })
	return true
}

// inList writes the right side of IN as a one-element tuple. Its literals bypass
// the parser, so that a list may have very many.
func (b *block) inList() {
	p := b.p
	first := p.pos
	b.out.buf = append(b.out.buf, '(')
	if !p.isOp("(") { // x IN list
		b.operand()
		b.out.buf = append(b.out.buf, ')', ' ')
		return
	}
	p.advance()
	if p.beginsQuery() {
		q := p.query()
		p.need(")")
		b.leaf(first, &ast.Subquery{Span: p.span(first), Query: q})
	} else {
		m := b.open(first)
		items := b.items(")")
		p.need(")")
		s := p.span(first)
		b.close(m, func(a []ast.Expr) ast.Expr { return &ast.Row{Span: s, Items: fill(items, a)} })
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
