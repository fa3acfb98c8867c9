package dialect

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"
)

// typed are the words that, before a string, make it a typed literal: the names of types.
var typed = words(`DATE TIME TIMETZ TIMESTAMP TIMESTAMPTZ TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_US TIMESTAMP_NS DATETIME
	BOOLEAN BOOL LOGICAL TINYINT INT1 SMALLINT INT2 SHORT INTEGER INT INT4 BIGINT INT8 LONG HUGEINT INT128 UHUGEINT
	UTINYINT USMALLINT UINTEGER UBIGINT REAL FLOAT FLOAT4 DOUBLE FLOAT8 DECIMAL NUMERIC DEC
	VARCHAR CHAR BPCHAR TEXT STRING UUID BLOB BYTEA BINARY VARBINARY JSON BIT BITSTRING`)

// beginsTyped reports whether the word begins a typed literal: the words of the type, its
// parameters, and a string.
func (p *parser) beginsTyped(t token) bool {
	if !typed[t.upper] {
		return false
	}
	next := p.ahead(1)
	if next.word("WITH") || next.word("WITHOUT") {
		return p.ahead(2).word("TIME") && p.ahead(3).word("ZONE")
	}
	i := 1
	if t.upper == "DOUBLE" && next.word("PRECISION") {
		i++
	}
	if next.op("(") {
		for i = 2; p.ahead(i).kind == tNumber || p.ahead(i).op(","); i++ {
		}
		if !p.ahead(i).op(")") {
			return false
		}
		if i++; p.ahead(i).word("WITH") || p.ahead(i).word("WITHOUT") {
			i += 3
		}
	}
	return p.ahead(i).kind == tString
}

// bare are functions that are called without parentheses.
var bare = words(`CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP UTC_DATE UTC_TIME UTC_TIMESTAMP
	CURRENT_USER SESSION_USER CURRENT_ROLE CURRENT_SCHEMA CURRENT_CATALOG`)

// word writes an operand that begins with an unquoted word.
func (b *block) word(first int, t token) {
	p := b.p
	next := p.ahead(1)
	if p.beginsTyped(t) {
		b.typedLiteral(first)
		return
	}
	if next.op("(") && b.wordCall(first, t) {
		return
	}
	switch {
	case t.upper == "NULL" || t.upper == "TRUE" || t.upper == "FALSE":
		e := b.literal()
		p.advance()
		b.leaf(first, e)
	case t.upper == "CASE":
		b.caseExpr(first)
	case t.upper == "INTERVAL" && p.beginsInterval():
		b.interval(first)
	case bare[t.upper] && !next.op("(") && !next.op("."):
		p.advance()
		b.leaf(first, &ast.Call{Span: p.span(first), Name: t.text})
	case t.upper == "ARRAY" && next.op("["):
		p.advance()
		b.list(first)
	case t.upper == "MAP" && next.op("{"):
		b.mapLiteral(first)
	case t.reserved() && !(next.op("(") && (t.upper == "LEFT" || t.upper == "RIGHT")):
		if p.cur().word("FROM") && p.prev().word("SELECT") {
			p.fail(p.cur(), "the columns are missing between SELECT and FROM; * stands for all")
			return
		}
		p.unexpectedName("an expression")
	default:
		b.name(first)
	}
}

// wordCall reads the calls whose arguments are not a plain list.
func (b *block) wordCall(first int, t token) bool {
	switch t.upper {
	case "COLUMNS":
		b.columns(first, false)
	case "EXISTS":
		p := b.p
		p.advance()
		p.advance()
		q := p.subquery()
		p.need(")")
		b.leaf(first, &ast.Exists{Span: p.span(first), Query: q})
	case "ARRAY":
		return b.arrayQuery(first)
	case "CAST", "TRY_CAST":
		b.cast(first, t.upper == "TRY_CAST")
	case "SAFE_CAST":
		b.p.unsupported("SAFE_CAST: write TRY_CAST(x AS type)")
	case "CONVERT":
		b.convertCall(first)
	case "EXTRACT":
		b.extract(first)
	case "SUBSTRING", "SUBSTR":
		b.keyworded(first, t.text, "FROM", "FOR")
	case "OVERLAY":
		b.keyworded(first, t.text, "PLACING", "FROM", "FOR")
	case "POSITION":
		b.position(first)
	case "TRIM":
		b.trim(first)
	default:
		return false
	}
	return true
}

func (b *block) caseExpr(first int) {
	p := b.p
	p.advance()
	m := b.open(first)
	n, operand, other := 0, !p.isWord("WHEN"), false
	if operand {
		b.expr()
		n++
	}
	for p.words("WHEN") {
		if n > 0 {
			b.comma()
		}
		b.expr()
		p.needWord("THEN")
		b.comma()
		b.expr()
		n += 2
	}
	if n < 2 {
		p.unexpected("WHEN")
	}
	if p.words("ELSE") {
		b.comma()
		b.expr()
		other = true
	}
	p.needWord("END")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		c := &ast.Case{Span: s}
		if operand {
			c.Operand, a = a[0], a[1:]
		}
		for ; len(a) >= 2; a = a[2:] {
			c.Whens = append(c.Whens, ast.When{Cond: a[0], Then: a[1]})
		}
		if other {
			c.Else = a[0]
		}
		return c
	})
}

func (b *block) typedLiteral(first int) {
	p := b.p
	ty := p.typeName()
	if p.cur().kind != tString {
		p.unexpected("a string")
		return
	}
	text := p.advance().text
	b.leaf(first, &ast.Typed{Span: p.span(first), Type: ty, Text: text})
}

// cast reads CAST(x AS type).
func (b *block) cast(first int, try bool) {
	p := b.p
	p.advance()
	p.advance()
	m := b.open(first)
	b.expr()
	p.needWord("AS")
	ty := p.typeName()
	p.need(")")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr { return desugar.Cast(&ast.Cast{Span: s, X: a[0], Type: ty, Try: try}) })
}

// convertCall reads MySQL's CONVERT(x, type).
func (b *block) convertCall(first int) {
	p := b.p
	p.advance()
	p.advance()
	m := b.open(first)
	b.expr()
	if p.isWord("USING") {
		p.unsupported("CONVERT(… USING …)")
	}
	p.need(",")
	ty := p.typeName()
	p.need(")")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr { return &ast.Cast{Span: s, X: a[0], Type: ty} })
}

// extract reads EXTRACT(part FROM x), which is DATE_PART('part', x).
func (b *block) extract(first int) {
	p := b.p
	p.advance()
	p.advance()
	t := p.cur()
	if t.kind == tEOF || t.kind == tOp {
		p.unexpected("a part of a date")
		return
	}
	p.advance()
	part := &ast.Literal{Span: ast.Span{Pos: t.pos, End: t.end}, Kind: ast.String, Text: t.text}
	p.needWord("FROM")
	m := b.open(first)
	b.expr()
	p.need(")")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		return &ast.Call{Span: s, Name: "date_part", Args: []ast.Expr{part, a[0]}}
	})
}

// keyworded reads calls that separate arguments by keywords or by commas.
func (b *block) keyworded(first int, name string, keywords ...string) {
	p := b.p
	p.advance()
	p.advance()
	m := b.open(first)
	b.expr()
	missing := false // SUBSTRING(x FOR n) has no start
	from := false
	for _, k := range keywords {
		switch {
		case p.words(k):
			from = from || k == "FROM"
		case k == "FROM" && p.isWord("FOR"):
			missing = true
			continue
		default:
			if !p.op(",") {
				continue
			}
		}
		b.comma()
		b.expr()
	}
	p.need(")")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		if missing && len(a) == 2 {
			a = []ast.Expr{a[0], &ast.Literal{Span: s, Kind: ast.Integer, Text: "1"}, a[1]}
		}
		c := &ast.Call{Span: s, Name: name, Args: a}
		if from && strings.HasPrefix(strings.ToLower(name), "subst") { // behind a comma is a number, as in DuckDB
			return desugar.SubstringOf(c)
		}
		return c
	})
}

// position reads POSITION(a IN b) as STRPOS(b, a). It splits at the IN, because
// the parser would read that as an operator.
func (b *block) position(first int) {
	p := b.p
	p.advance()
	p.advance()
	m := b.open(first)
	c := &chain{}
	b.begin(c)
	if !b.prefixes(c) {
		b.operand()
	}
	for p.err == nil && !p.isWord("IN") && b.infix(c) {
		if !b.prefixes(c) {
			b.operand()
		}
	}
	if !p.words("IN") && !p.op(",") {
		p.unexpected("IN")
	}
	b.comma()
	b.expr()
	p.need(")")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		return &ast.Call{Span: s, Name: "strpos", Args: []ast.Expr{a[1], a[0]}}
	})
}

// trim reads TRIM([BOTH|LEADING|TRAILING] [[chars] FROM] x) and TRIM(x[, chars]).
func (b *block) trim(first int) {
	p := b.p
	p.advance()
	p.advance()
	name := "trim"
	switch {
	case p.words("BOTH"):
	case p.words("LEADING"):
		name = "ltrim"
	case p.words("TRAILING"):
		name = "rtrim"
	}
	m := b.open(first)
	n, swap := 0, false
	if !p.isWord("FROM") {
		b.expr()
		n++
	}
	switch {
	case p.words("FROM"):
		swap = n == 1
		if swap {
			b.comma()
		}
		b.expr()
	case p.op(","):
		b.comma()
		b.expr()
	}
	p.need(")")
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		if swap {
			a[0], a[1] = a[1], a[0]
		}
		return &ast.Call{Span: s, Name: name, Args: a}
	})
}
