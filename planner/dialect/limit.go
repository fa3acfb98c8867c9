package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// limit reads the number after LIMIT, which may be a percentage. The parser would take
// the % for an operator.
func (b *block) limit(q *ast.Query) {
	p := b.p
	set := func(e ast.Expr) { q.Limit = e }
	mark := p.ahead(1)
	if (p.cur().kind == tNumber || p.isWord("NULL")) && (mark.op("%") || mark.word("PERCENT")) && !beginsOperand(p.ahead(2)) {
		set(b.literal())
		p.pos += 2
		q.Percent = true
		return
	}
	if p.isOp("(") && p.percentAfterParens() {
		inner := p.block()
		inner.operandOnly(set)
		p.advance()
		q.Percent = true
		return
	}
	b.slot(inLimit, set)
	q.Percent = p.words("PERCENT")
}

// beginsOperand reports whether a token may be the right side of an operator.
func beginsOperand(t token) bool {
	switch t.kind {
	case tNumber, tString, tParam, tQuoted, tBlob:
		return true
	case tWord:
		return !t.reserved()
	}
	return t.op("(")
}

// percentAfterParens reports whether a percent sign, and no operand, follows the
// parenthesis at the cursor.
func (p *parser) percentAfterParens() bool {
	if p.closing == nil {
		p.closing = closingParens(p.toks)
	}
	at := p.closing[p.pos]
	return (p.toks[at].op("%") || p.toks[at].word("PERCENT")) && !beginsOperand(p.toks[min(at+1, len(p.toks)-1)])
}

// operandOnly reads one operand as a block of its own.
func (b *block) operandOnly(set func(ast.Expr)) {
	b.operandSlot(set)
	b.finish()
}
