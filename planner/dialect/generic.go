package dialect

import (
	"slices"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// This file has what PostgreSQL and DuckDB call generic operators: all but the arithmetic
// and the comparing ones. They have one precedence between the two, from left to right; as
// prefixes they take all that binds more tightly: ~1 + 1 is ~(1 + 1).

// matches are the operators that are other words for LIKE and its kin.
var matches = map[string]struct {
	kind ast.LikeKind
	not  bool
}{
	"~~": {ast.Like, false}, "!~~": {ast.Like, true}, "~~*": {ast.ILike, false}, "!~~*": {ast.ILike, true},
	"~~~": {ast.Glob, false}, "~": {ast.Tilde, false}, "!~": {ast.Tilde, true},
	"~*": {ast.IRegexp, false}, "!~*": {ast.IRegexp, true}, ownMatch: {ast.Regexp, false}, ownNoMatch: {ast.Regexp, true},
}

// The operators that PostgreSQL means by ~ and !~, which DuckDB does not: they find the pattern within
// the text. They are meant where the schema of PostgreSQL's operators is named; for sessions of
// PostgreSQL's clients ~ alone means them too (bind.Env).
const (
	ownMatch   = "pg_catalog.~"
	ownNoMatch = "pg_catalog.!~"
)

// qualified makes operators of OPERATOR(pg_catalog.=) and its kin.
func (p *parser) qualified() {
	for i := 0; i < len(p.toks); i++ {
		at := p.toks[i:]
		if !at[0].word("OPERATOR") || len(at) < 6 || !at[1].op("(") {
			continue
		}
		name, width := 2, 4 // OPERATOR ( = )
		if at[2].word("PG_CATALOG") && at[3].op(".") {
			name, width = 4, 6
		}
		if _, known := rank[at[name].text]; at[name].kind != tOp || !known || !at[name+1].op(")") {
			continue
		}
		t := at[name]
		t.pos, t.end = at[0].pos, at[width-1].end
		switch {
		case width == 6 && t.text == "~":
			t.text = ownMatch
		case width == 6 && t.text == "!~":
			t.text = ownNoMatch
		}
		p.toks = slices.Replace(p.toks, i, i+width, t)
	}
}

// tighter reports whether the token is an operator that binds more tightly than a generic
// one, and how it is written for the parser.
func tighter(t token) (as string, ok bool) {
	switch {
	case t.word("DIV"):
		return "div", true
	case t.word("MOD"):
		return "%", true
	case t.kind != tOp:
		return "", false
	}
	switch as = rank[t.text]; as {
	case "+", "-", "*", "/", "%", "^", "div":
		return as, true
	}
	return "", false
}

// generic reads a generic prefix operator and its operand.
func (b *block) generic(t token) {
	p := b.p
	if !p.enter() {
		return
	}
	defer p.leave()
	first := p.pos
	m := b.open(first)
	column := t.kind == tParam // @x is one token
	if !column {
		p.advance()
	}
	for n := 0; p.err == nil; n++ {
		if n > maxChain {
			p.fail(p.cur(), "more than %d operators in one expression", maxChain)
			return
		}
		switch {
		case column:
			b.columnOf(t)
			column = false
		case !b.prefixes(&chain{}):
			b.operand()
		}
		as, ok := tighter(p.cur())
		if !ok {
			break
		}
		b.write(p.pos, as)
		p.advance()
	}
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		if t.kind == tParam || t.text == "@" {
			return &ast.Call{Span: s, Name: "abs", Args: a}
		}
		return &ast.Unary{Span: s, Op: ast.BitNot, X: a[0]}
	})
}

// columnOf writes the column of @x and its suffixes.
func (b *block) columnOf(t token) {
	first, offset := b.p.pos, len(b.out.buf)
	b.p.advance()
	b.leaf(first, &ast.Ident{Span: ast.Span{Pos: t.pos + 1, End: t.end}, Parts: []string{t.text}})
	for b.p.err == nil && b.postfix(first, offset) {
	}
}

// factorial reads the ! behind an operand. DuckDB lets it take all that stands before it
// (2 * 3! is 720 there), so it is refused where that would matter.
func (b *block) factorial(first, offset int) {
	p := b.p
	t := p.advance()
	if first > 0 {
		before := p.toks[first-1]
		if _, arithmetic := tighter(before); arithmetic || rank[before.text] == "|" || before.op("~") || before.op("@") || before.op("!") {
			p.fail(t, "! behind an operator is not clear; parentheses or FACTORIAL(…) help")
			return
		}
	}
	s := p.span(first)
	b.close(b.wrap(offset, first), func(a []ast.Expr) ast.Expr { return &ast.Call{Span: s, Name: "factorial", Args: a} })
}
