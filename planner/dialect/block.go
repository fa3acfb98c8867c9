package dialect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/xwb1989/sqlparser"
)

// clause is the clause of a block that contains an expression.
type clause uint8

const (
	inItems clause = iota
	inOn
	inWhere
	inGroup
	inHaving
	inOrder
	inLimit // the parser takes the first as LIMIT and the second as OFFSET, even if they are not
	clauses
)

// intro is what the parser's text has before the first expression of a
// clause, and between is what comes before every other.
var intro = [clauses]string{"select ", " from q0 join q0 on ", " where ", " group by ", " having ", " order by ", " limit "}
var between = [clauses]string{", ", " join q0 on ", " and ", ", ", " and ", ", ", " offset "}

// slot is one expression of a block and the place that receives its tree.
type slot struct {
	clause clause
	out    *out
	set    func(ast.Expr)
	offset int // of out in the parser's text
}

// slot writes the expression at the cursor; set is called by finish.
func (b *block) slot(c clause, set func(ast.Expr)) {
	b.out = &out{}
	b.expr()
	b.slots = append(b.slots, &slot{clause: c, out: b.out, set: set})
}

// finish lets the parser read the block and passes the trees to the slots.
func (b *block) finish() {
	if b.p.err != nil || len(b.slots) == 0 {
		return
	}
	text, ordered := b.assemble()
	tree, err := callParser(b.p.ctx, text)
	if end := b.p.ctx.Err(); end != nil {
		b.p.abort(end) // the text seemed to end where the context did
		return
	}
	if err != nil {
		b.misread(err, ordered)
		return
	}
	sel, ok := tree.(*sqlparser.Select)
	if !ok {
		b.p.abort(fmt.Errorf("internal error: the parser returned a %T for a query", tree))
		return
	}
	c := &converter{b: b}
	trees := collect(sel)
	for _, s := range ordered {
		if len(trees[s.clause]) == 0 {
			b.p.abort(fmt.Errorf("internal error: the parser lost an expression"))
			return
		}
		e := c.expr(trees[s.clause][0])
		trees[s.clause] = trees[s.clause][1:]
		if c.err != nil {
			b.p.abort(c.err)
			return
		}
		s.set(e.node)
	}
	b.resolve()
}

// assemble writes the expressions as one SELECT, clause by clause.
func (b *block) assemble() (string, []*slot) {
	text := []byte{}
	ordered := make([]*slot, 0, len(b.slots))
	for c := range clauses {
		n := 0
		for _, s := range b.slots {
			if s.clause != c {
				continue
			}
			if n == 0 {
				text = append(text, intro[c]...)
			} else {
				text = append(text, between[c]...)
			}
			n++
			s.offset = len(text)
			text = append(text, s.out.buf...)
			ordered = append(ordered, s)
		}
		if c == inItems && n == 0 {
			text = append(text, "select 1"...)
		}
	}
	return string(text), ordered
}

// callParser is the only caller of the parser. Because the parser is third-party
// code and reads the user's text, a panic becomes an error. It reads the text in pieces,
// so that the end of the context ends it.
func callParser(ctx context.Context, text string) (s sqlparser.Statement, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the parser failed: %v", r)
		}
	}()
	return sqlparser.ParseNext(sqlparser.NewTokenizer(&pieces{ctx, strings.NewReader(text)}))
}

// pieces is a text until the context ends.
type pieces struct {
	ctx  context.Context
	text *strings.Reader
}

// Read implements io.Reader.
func (p *pieces) Read(into []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.text.Read(into)
}

var parserPosition = regexp.MustCompile(`at position (\d+)`)

// misread turns the parser's error into one about the user's text.
func (b *block) misread(err error, slots []*slot) {
	m := parserPosition.FindStringSubmatch(err.Error())
	if m == nil {
		b.p.abort(&errs.SyntaxError{Position: b.p.toks[b.first].pos, Message: err.Error()})
		return
	}
	// The parser counts bytes from 1 and has read one byte past the unexpected
	// token, so this is the token's last byte.
	at, _ := strconv.Atoi(m[1])
	offset := at - 2
	var in *slot
	for _, s := range slots {
		if s.offset <= offset || in == nil {
			in = s
		}
	}
	t := b.p.toks[in.out.tokenAt(offset-in.offset)]
	help := "parentheses may help"
	if slices.ContainsFunc(b.p.toks, func(t token) bool { return t.op("&&") }) { // of MySQL; here lists have it
		help = "AND joins conditions"
	}
	b.p.fail(t, "%s is not allowed here; %s", t.describe(), help)
}

// collect lists the expressions of the parser's tree by clause.
func collect(sel *sqlparser.Select) [clauses][]sqlparser.Expr {
	var out [clauses][]sqlparser.Expr
	for _, s := range sel.SelectExprs {
		if a, ok := s.(*sqlparser.AliasedExpr); ok {
			out[inItems] = append(out[inItems], a.Expr)
		}
	}
	var ons func(t sqlparser.TableExpr)
	ons = func(t sqlparser.TableExpr) {
		if j, ok := t.(*sqlparser.JoinTableExpr); ok {
			ons(j.LeftExpr)
			out[inOn] = append(out[inOn], j.Condition.On)
		}
	}
	for _, t := range sel.From {
		ons(t)
	}
	if sel.Where != nil {
		out[inWhere] = append(out[inWhere], sel.Where.Expr)
	}
	out[inGroup] = sel.GroupBy
	if sel.Having != nil {
		out[inHaving] = append(out[inHaving], sel.Having.Expr)
	}
	for _, o := range sel.OrderBy {
		out[inOrder] = append(out[inOrder], o.Expr)
	}
	if sel.Limit != nil {
		out[inLimit] = append(out[inLimit], sel.Limit.Rowcount)
		if sel.Limit.Offset != nil {
			out[inLimit] = append(out[inLimit], sel.Limit.Offset)
		}
	}
	return out
}
