package dialect

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// from reads the tables after FROM, from left to right.
func (b *block) from() ast.TableExpr {
	p := b.p
	first := p.pos
	left := b.joins()
	for n := 1; p.more() && p.err == nil; n++ {
		if n > maxChain {
			p.fail(p.cur(), "more than %d tables", maxChain)
		}
		right := b.joins()
		left = &ast.Join{Span: p.span(first), Kind: ast.Comma, L: left, R: right}
	}
	return left
}

// joins reads a table and the JOINs after it.
func (b *block) joins() ast.TableExpr {
	p := b.p
	first := p.pos
	left := b.table()
	done := map[*ast.Join]bool{} // the joins whose condition was read
	for n := 0; p.err == nil; n++ {
		if n > maxChain {
			p.fail(p.cur(), "more than %d tables", maxChain)
		}
		if p.beginsCondition() {
			j := nested(left, done)
			if j == nil {
				return left
			}
			b.joinCondition(j)
			done[j], j.Span, left = true, p.span(first), j
			continue
		}
		j := &ast.Join{L: left}
		if !p.joinKind(j) {
			return left
		}
		j.R = b.table()
		if !j.Natural && p.beginsCondition() {
			b.joinCondition(j)
			done[j] = true
		}
		j.Span = p.span(first)
		left = j
	}
	return left
}

// conditional reports whether a join may have a condition.
func conditional(j *ast.Join) bool {
	return !j.Natural && j.Kind != ast.Comma && j.Kind != ast.Cross && j.Kind != ast.Positional
}

// nested makes (t JOIN u) JOIN v ON … the join t JOIN (u JOIN v ON …), whose condition
// follows; nil if it is no such join.
func nested(t ast.TableExpr, done map[*ast.Join]bool) *ast.Join {
	last, ok := t.(*ast.Join)
	if !ok || !done[last] && conditional(last) {
		return nil
	}
	j, ok := last.L.(*ast.Join)
	if !ok || done[j] || !conditional(j) {
		return nil
	}
	last.L, j.R, last.Pos = j.R, last, j.R.Start()
	return j
}

// beginsCondition reports whether the ON or USING of a join comes next.
func (p *parser) beginsCondition() bool {
	return p.isWord("ON") || p.isWord("USING") && p.ahead(1).op("(")
}

func (b *block) joinCondition(j *ast.Join) {
	if b.p.words("ON") {
		b.slot(inOn, func(e ast.Expr) { j.On = e })
		return
	}
	b.p.advance()
	first := b.p.pos
	j.Using = b.p.names()
	j.UsingAt = b.p.span(first)
}

// sides are the words before JOIN that give its kind.
var sides = map[string]ast.JoinKind{
	"INNER": ast.Inner, "CROSS": ast.Cross, "LEFT": ast.Left, "RIGHT": ast.Right, "FULL": ast.Full,
	"SEMI": ast.Semi, "ANTI": ast.Anti, "POSITIONAL": ast.Positional,
}

// joinKind reads the words up to JOIN; it returns false if there is no join.
func (p *parser) joinKind(j *ast.Join) bool {
	if t := p.cur(); t.word("STRAIGHT_JOIN") {
		p.unsupported("STRAIGHT_JOIN")
		return false
	}
	j.Natural = p.words("NATURAL")
	j.Asof = p.words("ASOF")
	kind, side := sides[p.cur().upper]
	if side && !p.joinFollows() {
		p.advance()
		p.unexpected("JOIN")
		return false
	}
	switch {
	case side:
		p.advance()
		j.Kind = kind
	case p.isWord("JOIN"):
		j.Kind = ast.Inner
	default:
		if j.Natural || j.Asof {
			p.unexpected("JOIN")
		}
		return false
	}
	if outer := kind == ast.Left || kind == ast.Right || kind == ast.Full; outer && !p.words("OUTER") && kind == ast.Left {
		if p.words("SEMI") { // LEFT SEMI JOIN and LEFT ANTI JOIN of Impala and Spark
			j.Kind = ast.Semi
		} else if p.words("ANTI") {
			j.Kind = ast.Anti
		}
	}
	p.needWord("JOIN")
	return true
}

// table reads one table with its alias.
func (b *block) table() ast.TableExpr {
	p := b.p
	first := p.pos
	if !p.enter() {
		return &ast.TableName{}
	}
	defer p.leave()
	alias := p.prefixAlias(true)
	t := b.primaryTable(first)
	if alias != "" {
		t = aliased(t, alias)
	}
	t = b.pivoted(first, t)
	if p.words("TABLESAMPLE") {
		s := p.sample()
		t = &ast.Sampled{Span: p.span(first), Table: t, Sample: s}
	}
	return t
}

// primaryTable reads a table after its prefix alias.
func (b *block) primaryTable(first int) ast.TableExpr {
	p := b.p
	lateral := p.words("LATERAL")
	if p.isOp("(") {
		if s := p.listing(); s != nil {
			s.Alias, s.Columns = p.tableAlias()
			s.Span = p.span(first)
			return s
		}
		if p.queryInParens(p.pos) {
			p.advance()
			d := &ast.Derived{Lateral: lateral, Query: p.query()}
			p.need(")")
			d.Alias, d.Columns = p.tableAlias()
			d.Span = p.span(first)
			return d
		}
		return b.tablesInParens()
	}
	if p.isWord("VALUES") && p.ahead(1).op("(") {
		d := &ast.Derived{Query: &ast.Query{Body: p.values()}}
		d.Alias, d.Columns = p.tableAlias()
		d.Span = p.span(first)
		d.Query.Span = d.Span
		return d
	}
	if t := p.cur(); t.name() && p.ahead(1).op(".") && p.ahead(2).kind == tWord && p.ahead(3).op("(") && schemas[strings.ToLower(t.text)] {
		p.pos += 2
		return b.qualifiedFunction(first, t.text)
	}
	if p.cur().name() && p.ahead(1).op("(") {
		return b.tableFunction(first)
	}
	file := p.cur().kind == tString
	t := p.tableName()
	b.version(t)
	if t.Alias, t.Columns = p.tableAlias(); t.Alias == "" && file {
		t.Alias = baseName(t.Parts[0])
	}
	t.Span = p.span(first)
	return t
}

// baseName is the name of a file without folder and extension, which DuckDB gives its table.
func baseName(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	base, _, _ := strings.Cut(name, ".")
	if strings.ContainsAny(base, "*?[") {
		return ""
	}
	return base
}

// tablesInParens reads tables in parentheses. With an alias they are one table, so
// they become a query.
func (b *block) tablesInParens() ast.TableExpr {
	p := b.p
	first := p.pos
	p.advance()
	t := b.from()
	p.need(")")
	alias, columns := p.tableAlias()
	if alias == "" {
		return t
	}
	span := p.span(first)
	all := &ast.Select{Span: span, Items: []ast.Item{{Expr: &ast.Star{Span: span}}}, From: t}
	return &ast.Derived{Span: span, Query: &ast.Query{Span: span, Body: all}, Alias: alias, Columns: columns}
}

// queryInParens reports whether the parenthesis at a token contains a query, and not
// tables: a query in parentheses may begin either.
func (p *parser) queryInParens(at int) bool {
	if p.closing == nil {
		p.closing, p.holds = closingParens(p.toks), make(map[int]bool)
	}
	first, holds := at, false
	for ; p.toks[at].op("("); at++ {
		if known, ok := p.holds[at]; ok {
			holds = known
			break
		}
		t := p.toks[at+1] // there is one: the last token is tEOF
		if queryWords[t.upper] && !(t.word("TABLE") && !p.toks[at+2].name()) || p.beginsPivot(at+1) && !p.toks[at+2].word("PIVOT") && !p.toks[at+2].word("AS") {
			holds = true
			break
		}
		if after := p.toks[p.closing[at+1]]; !after.op(")") && !afterQuery[after.upper] {
			break
		}
	}
	// All of a run of parentheses have the answer of the last one.
	for i := first; i < at; i++ {
		p.holds[i] = holds
	}
	return holds
}

// afterQuery are the words that continue a query whose first part is in parentheses.
var afterQuery = words(`UNION INTERSECT EXCEPT ORDER LIMIT OFFSET FETCH`)

// closingParens is, for each opening parenthesis, the token after the one that closes
// it; for other tokens and without a closing one the last token.
func closingParens(toks []token) []int {
	out := make([]int, len(toks))
	var open []int
	for i, t := range toks {
		out[i] = len(toks) - 1
		if t.op("(") {
			open = append(open, i)
		} else if t.op(")") && len(open) > 0 {
			out[open[len(open)-1]] = i + 1
			open = open[:len(open)-1]
		}
	}
	return out
}

// tableAlias reads [AS] alias [(columns)]. Words that begin a join are not an alias.
func (p *parser) tableAlias() (alias string, columns []string) {
	t := p.cur()
	if t.kind == tWord && joinWords[t.upper] && p.joinFollows() || t.word("PIVOT") && p.ahead(1).op("(") || p.beginsUnpivot() {
		return "", nil
	}
	alias = p.alias()
	if alias != "" && p.isOp("(") {
		columns = p.names()
	}
	return alias, columns
}

// joinFollows reports whether JOIN comes next, perhaps after LEFT, OUTER and so on.
func (p *parser) joinFollows() bool {
	for i := 1; i < 4; i++ {
		switch t := p.ahead(i); t.upper {
		case "JOIN":
			return true
		case "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "SEMI", "ANTI":
		default:
			return false
		}
	}
	return false
}
