package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// chain is what expr knows of the operands and operators that it has written. The parser's
// grammar has one comparison, IN, LIKE, BETWEEN or IS between two ANDs. In ours IS binds
// least of them, then come the comparisons, then IN, LIKE and BETWEEN; so x IN (1) = TRUE is
// (x IN (1)) = TRUE. Where two of them meet, the one that binds more tightly becomes an
// operand, as if it were in parentheses.
type chain struct {
	length   int // operators since the last AND or OR
	test     anchor
	side     anchor
	compared bool // a comparison stands before side
	state    chainState
	and      int // ANDs to come that belong to a BETWEEN
}

// anchor is where an operand may begin: the operand of IS after the last AND, OR or NOT
// (test), that of IN, LIKE and BETWEEN after the last comparison too (side).
type anchor struct{ offset, tok int }

// chainState says which operator is the last one.
type chainState uint8

const (
	plain     chainState = iota // none of these, or a comparison
	predicate                   // LIKE or BETWEEN, whose right side may go on
	listed                      // x IN (…), which is complete
	tested                      // x IS NULL, which is complete
)

// begin notes that an operand of AND, OR or NOT begins at the cursor.
func (b *block) begin(c *chain) {
	at := anchor{len(b.out.buf), b.p.pos}
	*c = chain{length: c.length, test: at, side: at}
}

// group makes an operand of what was written since the anchor.
func (b *block) group(at anchor) {
	b.close(b.wrap(at.offset, at.tok), func(a []ast.Expr) ast.Expr { return a[0] })
}

// settle is called before the token at the cursor is written. operator says that the token
// takes what stands before it as an operand.
func (b *block) settle(c *chain, operator bool) {
	t := b.p.cur()
	comparing := operator && t.kind == tOp && isComparison(t.text)
	switch {
	case c.state == predicate && operator && !comparing && (t.kind == tOp || t.word("DIV") || t.word("MOD")):
		return // it is part of the right side
	case c.state == tested && operator:
		b.group(c.test)
		c.compared = false
	case c.state == listed && operator, c.state == predicate && comparing, (c.state == listed || c.state == predicate) && c.compared:
		b.group(c.side)
	}
	c.state = plain
}

// compare notes that a comparison was written up to the cursor.
func (b *block) compare(c *chain) {
	c.compared = true
	c.side = anchor{len(b.out.buf), b.p.pos}
}

// logic writes AND or OR.
func (b *block) logic(t token, c *chain) {
	between := t.upper == "AND" && c.and > 0
	if between {
		c.and--
	} else {
		b.settle(c, false)
		c.length = 0
	}
	b.write(b.p.pos, t.upper)
	b.p.advance()
	if !between {
		b.begin(c)
	}
}
