package dialect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"
)

// schemas are the names that may stand before that of a function.
var schemas = map[string]bool{"main": true, "pg_catalog": true, "system": true, "information_schema": true}

// maxPostfix is how many casts, subscripts and arrows may follow one operand: with maxLevel they are
// less than the 200 parentheses of the parser.
const maxPostfix = 150

// maxParts bounds the parts of a dotted name. Files nest columns in fewer levels.
const maxParts = 100

// operand writes one operand.
func (b *block) operand() {
	p := b.p
	if p.spend(); p.err != nil || !p.enter() {
		return
	}
	defer p.leave()
	b.inner(b.suffixed)
}

// maxLevel is how many operands may stand within each other in one expression of the parser,
// which takes 200 parentheses within each other.
const maxLevel = 40

// inner lets write write an operand within the others that are open. One that is deep becomes
// an expression of its own, with a name for it in its place.
func (b *block) inner(write func()) {
	b.level++
	defer func() { b.level-- }()
	if b.level <= maxLevel {
		write()
		return
	}
	first, around, level := b.p.pos, b.out, b.level
	var e ast.Expr
	b.out, b.level = &out{}, 0
	write()
	// It comes before the expression that contains it, since that is added when it is complete.
	b.slots = append(b.slots, &slot{clause: inItems, out: b.out, set: func(x ast.Expr) { e = x }})
	b.out, b.level = around, level
	b.out.at(first)
	b.out.buf = append(b.out.buf, 'q')
	b.number(first, func([]ast.Expr) ast.Expr { return e })
}

// suffixed writes an operand and what is behind it: casts, subscripts, paths.
func (b *block) suffixed() {
	p := b.p
	first, offset := p.pos, len(b.out.buf)
	b.primary(first)
	for n := 0; p.err == nil && b.postfix(first, offset); n++ {
		if n > maxPostfix {
			p.fail(p.cur(), "more than %d casts, subscripts or paths in a row", maxPostfix)
		}
	}
}

func (b *block) primary(first int) {
	p := b.p
	t := p.cur()
	switch t.kind {
	case tWord:
		b.word(first, t)
		return
	case tQuoted:
		b.name(first)
		return
	case tOp:
		switch t.text {
		case "(":
			b.paren(first)
			return
		case "*":
			if p.ahead(1).word("COLUMNS") && p.ahead(2).op("(") {
				p.advance()
				b.columns(first, true)
				return
			}
		case "[":
			b.list(first)
			return
		case "{":
			b.structure(first)
			return
		case "#":
			b.positional(first)
			return
		}
	}
	e := b.literal()
	if e == nil {
		p.unexpected("an expression")
		return
	}
	p.advance()
	b.leaf(first, e)
}

// positional writes #1.
func (b *block) positional(first int) {
	p := b.p
	p.advance()
	n, err := strconv.Atoi(p.cur().text)
	if p.cur().kind != tNumber || err != nil || n < 1 {
		p.unexpected("the number of a column, from 1")
		return
	}
	p.advance()
	b.leaf(first, &ast.Nth{Span: p.span(first), N: n})
}

// literal is the literal or placeholder at the cursor, or nil. It does not move
// the cursor; a placeholder is counted.
func (b *block) literal() ast.Expr {
	p := b.p
	t := p.cur()
	s := ast.Span{Pos: t.pos, End: t.end}
	switch t.kind {
	case tString:
		return &ast.Literal{Span: s, Kind: ast.String, Text: t.text}
	case tBlob:
		return &ast.Literal{Span: s, Kind: ast.Blob, Text: t.text}
	case tNumber:
		return &ast.Literal{Span: s, Kind: numberKind(t.text), Text: t.text}
	case tParam:
		return p.param(t, s)
	case tSystem:
		return &ast.Call{Span: s, Name: "current_setting", Args: []ast.Expr{&ast.Literal{Span: s, Kind: ast.String, Text: t.text}}}
	case tWord:
		switch t.upper {
		case "NULL":
			return &ast.Literal{Span: s, Kind: ast.Null}
		case "TRUE":
			return &ast.Literal{Span: s, Kind: ast.True}
		case "FALSE":
			return &ast.Literal{Span: s, Kind: ast.False}
		}
	}
	return nil
}

func numberKind(s string) ast.LiteralKind {
	k := ast.Integer
	for i := range len(s) {
		switch s[i] {
		case 'e', 'E':
			return ast.Double
		case '.':
			k = ast.Decimal
		}
	}
	return k
}

// findAt notes whether placeholders are numbered, and which names are written @name alone.
func (p *parser) findAt() {
	colons := map[string]bool{}
	for _, t := range p.toks {
		if t.kind != tParam {
			continue
		}
		switch c := p.text[t.pos]; {
		case c == '?', c == '$' && isDigit(t.text[0]):
			p.numbered = true
		case c == '@' && !colons[t.text] && !contains(p.params.At, t.text):
			p.params.At = append(p.params.At, t.text)
		case c != '@':
			colons[t.text] = true
		}
	}
	p.params.At = slices.DeleteFunc(p.params.At, func(name string) bool { return colons[name] })
}

// atColumn reports whether a token is @x that means the absolute value of a column.
func (p *parser) atColumn(t token) bool {
	return t.kind == tParam && p.text[t.pos] == '@' && (p.numbered || contains(p.columns, t.text))
}

// param counts a placeholder. The number of a ? follows from the place of its
// token, so it does not depend on the order in which the text is read.
func (p *parser) param(t token, s ast.Span) ast.Expr {
	style := p.text[t.pos]
	if style == '$' && !isDigit(t.text[0]) || style == '@' {
		style = ':'
	}
	if p.style == 0 {
		p.style = style
	}
	if p.style != style {
		p.fail(t, "placeholders of different kinds (?, $1, :name) in one statement")
		return nil
	}
	switch style {
	case ':':
		if !contains(p.params.Names, t.text) {
			p.params.Names = append(p.params.Names, t.text)
		}
		return p.placeholder(ast.Param{Span: s, Name: t.text})
	case '$':
		n, err := strconv.Atoi(t.text)
		if err != nil || n < 1 || n > 65535 {
			p.fail(t, "placeholders are numbered from $1 to $65535")
			return nil
		}
		p.params.Count = max(p.params.Count, n)
		return p.placeholder(ast.Param{Span: s, Ordinal: n})
	}
	n := p.ordinal(t.pos)
	p.params.Count = max(p.params.Count, n)
	return p.placeholder(ast.Param{Span: s, Ordinal: n})
}

func (p *parser) placeholder(x ast.Param) ast.Expr {
	p.params.All = append(p.params.All, x)
	return &x
}

// ordinal is the number of the ? at the position.
func (p *parser) ordinal(pos int) int {
	if p.question == nil {
		p.question = map[int]int{}
		for _, t := range p.toks {
			if t.kind == tParam && p.text[t.pos] == '?' {
				p.question[t.pos] = len(p.question) + 1
			}
		}
	}
	return p.question[pos]
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// paren writes (x), (query) or (a, b).
func (b *block) paren(first int) {
	p := b.p
	p.advance()
	if p.beginsQuery() {
		q := p.subquery()
		p.need(")")
		b.leaf(first, &ast.Subquery{Span: p.span(first), Query: q})
		return
	}
	m := b.open(first)
	n := b.exprs()
	p.need(")")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		if n == 1 {
			return a[0]
		}
		return &ast.Row{Span: s, Items: a}
	})
}

// exprs writes a list of expressions as arguments and counts them.
func (b *block) exprs() int {
	n := 0
	for b.p.err == nil {
		b.expr()
		n++
		if !b.p.op(",") {
			break
		}
		b.comma()
	}
	return n
}

// name writes a column or, if a parenthesis follows, a call.
func (b *block) name(first int) {
	p := b.p
	parts := []string{p.anyName("a name")}
	if p.isOp(".") && p.ahead(2).op("(") && schemas[strings.ToLower(parts[0])] {
		p.advance()
		parts[0] = p.anyName("a function")
	}
	if p.isOp("(") {
		b.call(first, parts[0])
		return
	}
	for p.isOp(".") && !p.ahead(2).op("(") && p.err == nil { // a method is read behind its operand
		p.advance()
		if parts = append(parts, p.anyName("a name")); len(parts) > maxParts {
			p.fail(p.cur(), "a name of more than %d parts", maxParts)
		}
	}
	b.leaf(first, &ast.Ident{Span: p.span(first), Parts: parts})
}

// atZone writes AT TIME ZONE zone after the operand, which is TIMEZONE(zone, x).
func (b *block) atZone(first, offset int) bool {
	p := b.p
	if !p.words("AT", "TIME", "ZONE") {
		return false
	}
	m := b.wrap(offset, first)
	b.comma()
	zone := p.pos
	at := len(b.out.buf)
	b.primary(zone)
	for n := 0; p.err == nil && n < maxPostfix && b.postfixOp(zone, at); n++ {
	}
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		return &ast.Call{Span: s, Name: "timezone", Args: []ast.Expr{a[1], a[0]}}
	})
	return true
}

// keys writes what keys lead to in a JSON value: x #> '{a,b}' and, as text, x #>> ARRAY['a', 'b']::text[]
// (PostgreSQL's manual, 9.16).
func (b *block) keys(m, first int, op token) {
	p := b.p
	b.comma()
	from, at := p.pos, len(b.out.buf)
	b.primary(from)
	for n := 0; p.err == nil && n < maxPostfix && p.isOp("::") && b.postfixOp(from, at); n++ {
	}
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		x, ok := desugar.JSONKeys(s, a[0], a[1], op.text == "#>>")
		if !ok {
			p.fail(op, "%s takes the keys as a constant, like '{a,b}', without quotes in them and at most four of them numbers", op.text)
		}
		return x
	})
}

// postfix writes one suffix of the operand that began at token first and at the given
// offset of the output.
func (b *block) postfix(first, offset int) bool {
	return b.postfixOp(first, offset) || b.atZone(first, offset) || b.collate(first, offset)
}

// postfixOp writes one ::type, [i], ->path, ->>path, #>keys, #>>keys or .field.
func (b *block) postfixOp(first, offset int) bool {
	p := b.p
	t := p.cur()
	if t.kind != tOp {
		return false
	}
	switch t.text {
	case "!":
		b.factorial(first, offset)
	case "::":
		p.advance()
		ty := p.typeName()
		s := p.span(first)
		b.close(b.wrap(offset, first), func(a []ast.Expr) ast.Expr { return desugar.Cast(&ast.Cast{Span: s, X: a[0], Type: ty}) })
	case "[":
		p.advance()
		b.subscript(b.wrap(offset, first), first)
	case "->", "->>":
		p.advance()
		m := b.wrap(offset, first)
		b.comma()
		if p.isOp("-") { // an index from the end
			b.write(p.pos, "-")
			p.advance()
		}
		b.primary(p.pos)
		s := p.span(first)
		b.close(m, func(a []ast.Expr) ast.Expr {
			return &ast.Arrow{Span: s, X: a[0], Path: a[1], Text: t.text == "->>"}
		})
	case "#>", "#>>":
		p.advance()
		b.keys(b.wrap(offset, first), first, t)
	case ".":
		p.advance()
		if p.ahead(1).op("(") {
			b.method(first, offset)
			break
		}
		field := p.anyName("a field")
		s := p.span(first)
		b.close(b.wrap(offset, first), func(a []ast.Expr) ast.Expr { return &ast.Field{Span: s, X: a[0], Name: field} })
	default:
		return false
	}
	return true
}
