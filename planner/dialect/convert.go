package dialect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/xwb1989/sqlparser"
)

// converter turns the parser's tree into ours.
type converter struct {
	b   *block
	err error
}

// piece is a node and the tokens that it covers, parentheses included.
type piece struct {
	node        ast.Expr
	first, last int
}

func (c *converter) span(first, last int) ast.Span {
	toks := c.b.p.toks
	return ast.Span{Pos: toks[first].pos, End: toks[last].end}
}

// lost reports a tree that does not fit the text given to the parser.
func (c *converter) lost(e any) piece {
	if c.err == nil {
		c.err = fmt.Errorf("internal error: the parser returned an unexpected %T", e)
	}
	return piece{node: &ast.Literal{}}
}

func (c *converter) expr(e sqlparser.Expr) piece {
	if c.b.p.spend(); c.err != nil || c.b.p.err != nil {
		return piece{node: &ast.Literal{}}
	}
	switch e := e.(type) {
	case *sqlparser.ColName:
		return c.marked(e.Name.String(), nil)
	case *sqlparser.FuncExpr:
		return c.call(e)
	case *sqlparser.AndExpr, *sqlparser.OrExpr:
		return c.logic(e)
	case *sqlparser.NotExpr:
		x := c.expr(e.Expr)
		return c.prefix(ast.Not, x)
	case *sqlparser.UnaryExpr:
		return c.unary(e)
	case *sqlparser.BinaryExpr:
		l, r := c.expr(e.Left), c.expr(e.Right)
		return c.binary(l, r)
	case *sqlparser.ComparisonExpr:
		return c.comparison(e)
	case *sqlparser.RangeCond:
		x, lo, hi := c.expr(e.Left), c.expr(e.From), c.expr(e.To)
		n := &ast.Between{Span: c.span(x.first, hi.last), X: x.node, Lo: lo.node, Hi: hi.node, Not: e.Operator == sqlparser.NotBetweenStr}
		return piece{n, x.first, hi.last}
	case *sqlparser.IsExpr:
		return c.is(e)
	}
	return c.lost(e)
}

// marked is the node that a numbered name or call stands for.
func (c *converter) marked(name string, args []ast.Expr) piece {
	n, err := strconv.Atoi(name[1:])
	if err != nil || n >= len(c.b.marks) || c.b.marks[n].build == nil {
		return c.lost(name)
	}
	m := c.b.marks[n]
	return piece{m.build(args), m.first, m.last}
}

func (c *converter) call(e *sqlparser.FuncExpr) piece {
	args := make([]ast.Expr, len(e.Exprs))
	for i, a := range e.Exprs {
		x, ok := a.(*sqlparser.AliasedExpr)
		if !ok {
			return c.lost(a)
		}
		args[i] = c.expr(x.Expr).node
	}
	if c.err != nil {
		return piece{node: &ast.Literal{}}
	}
	return c.marked(e.Name.String(), args)
}

// logic flattens a chain of the same operator. It is a loop, because the parser
// makes one level of nesting per operator.
func (c *converter) logic(e sqlparser.Expr) piece {
	_, or := e.(*sqlparser.OrExpr)
	var right []sqlparser.Expr
	for {
		if a, ok := e.(*sqlparser.AndExpr); ok && !or {
			right, e = append(right, a.Right), a.Left
		} else if o, ok := e.(*sqlparser.OrExpr); ok && or {
			right, e = append(right, o.Right), o.Left
		} else {
			break
		}
	}
	first := c.expr(e)
	n := &ast.Logic{Or: or, Args: []ast.Expr{first.node}}
	last := first.last
	for i := len(right) - 1; i >= 0; i-- {
		x := c.expr(right[i])
		n.Args = append(n.Args, x.node)
		last = x.last
	}
	if c.err != nil {
		return first
	}
	n.Span = c.span(first.first, last)
	return piece{n, first.first, last}
}

func (c *converter) prefix(op ast.Op, x piece) piece {
	first := x.first - 1
	if c.err != nil || first < 0 {
		return c.lost(op)
	}
	return piece{&ast.Unary{Span: c.span(first, x.last), Op: op, X: x.node}, first, x.last}
}

func (c *converter) unary(e *sqlparser.UnaryExpr) piece {
	x := c.expr(e.Expr)
	switch e.Operator {
	case sqlparser.UMinusStr:
		return c.prefix(ast.Neg, x)
	case sqlparser.UPlusStr:
		return c.prefix(ast.Plus, x)
	case sqlparser.TildaStr:
		return c.prefix(ast.BitNot, x)
	case sqlparser.BangStr:
		return c.prefix(ast.Not, x)
	}
	return c.lost(e)
}

// binary finds the operator in the tokens. There is nothing else between two
// operands, because a mark covers the parentheses of its operand.
func (c *converter) binary(l, r piece) piece {
	if c.err != nil {
		return l
	}
	t := c.b.p.toks[l.last+1]
	key := t.text
	if t.kind == tWord {
		key = t.upper
	}
	if m, ok := matches[key]; ok {
		return piece{&ast.Match{Span: c.span(l.first, r.last), Kind: m.kind, X: l.node, Pattern: r.node, Not: m.not}, l.first, r.last}
	}
	span := c.span(l.first, r.last)
	switch key {
	case "<=>":
		return piece{&ast.DistinctFrom{Span: span, L: l.node, R: r.node, Not: true, Spaceship: true}, l.first, r.last}
	case "<->":
		return piece{&ast.Call{Span: span, Name: key, Args: []ast.Expr{l.node, r.node}}, l.first, r.last}
	}
	op, ok := binary[key]
	if !ok {
		return c.lost(op)
	}
	n := &ast.Binary{Span: c.span(l.first, r.last), Op: op, L: l.node, R: r.node, At: t.pos}
	return piece{n, l.first, r.last}
}

var likeKinds = map[string]ast.LikeKind{
	"LIKE": ast.Like, "ILIKE": ast.ILike, "GLOB": ast.Glob, "SIMILAR": ast.SimilarTo, "REGEXP": ast.Regexp, "RLIKE": ast.Regexp,
}

func (c *converter) comparison(e *sqlparser.ComparisonExpr) piece {
	l := c.expr(e.Left)
	switch e.Operator {
	case sqlparser.InStr, sqlparser.NotInStr:
		return c.in(l, e)
	}
	r := c.expr(e.Right)
	if c.err != nil {
		return l
	}
	at := l.last + 1
	t := c.b.p.toks[at]
	switch {
	case t.kind == tOp:
		return c.binary(l, r)
	case t.word("IS"):
		n := &ast.DistinctFrom{Span: c.span(l.first, r.last), L: l.node, R: r.node, Not: c.b.p.toks[at+1].word("NOT")}
		return piece{n, l.first, r.last}
	}
	n := &ast.Match{X: l.node, Pattern: r.node, Not: t.word("NOT")}
	if n.Not {
		t = c.b.p.toks[at+1]
	}
	kind, ok := likeKinds[t.upper]
	if !ok {
		return c.lost(e)
	}
	n.Kind = kind
	last := r.last
	if e.Escape != nil {
		x := c.expr(e.Escape)
		n.Escape, last = x.node, x.last
	}
	n.Span = c.span(l.first, last)
	return piece{c.likeAny(n), l.first, last}
}

// likeAny is x LIKE ANY (list) and x LIKE ALL (list): a LIKE for each pattern.
func (c *converter) likeAny(n *ast.Match) ast.Expr {
	q, ok := n.Pattern.(*ast.Quantified)
	if !ok {
		return n
	}
	list, ok := q.Arg.(*ast.Call)
	if q.Query != nil || !ok || !strings.EqualFold(list.Name, "list_value") || len(list.Args) == 0 {
		c.b.p.abort(errs.At(q.Start(), q.Stop(), errs.Unsupported("LIKE ANY of what is no written list")))
		return n
	}
	all := &ast.Logic{Span: n.Span, Or: !q.All}
	for _, pattern := range list.Args {
		one := *n
		one.Pattern = pattern
		all.Args = append(all.Args, &one)
	}
	if len(all.Args) == 1 {
		return all.Args[0]
	}
	return all
}

func (c *converter) in(l piece, e *sqlparser.ComparisonExpr) piece {
	tuple, ok := e.Right.(sqlparser.ValTuple)
	if !ok || len(tuple) != 1 {
		return c.lost(e.Right)
	}
	r := c.expr(tuple[0])
	n := &ast.In{Span: c.span(l.first, r.last), X: l.node, Not: e.Operator == sqlparser.NotInStr}
	switch r := r.node.(type) {
	case *ast.Row:
		n.List = r.Items
	case *ast.Subquery:
		n.Query = r.Query
	default:
		n.Within = r
	}
	return piece{n, l.first, r.last}
}

// is reads the suffix from the tokens, whose number says where the node ends.
func (c *converter) is(e *sqlparser.IsExpr) piece {
	x := c.expr(e.Expr)
	if c.err != nil {
		return x
	}
	n := &ast.Is{X: x.node}
	switch e.Operator {
	case sqlparser.IsNotNullStr:
		n.Not = true
	case sqlparser.IsTrueStr, sqlparser.IsNotTrueStr:
		n.Kind, n.Not = ast.IsTrue, e.Operator == sqlparser.IsNotTrueStr
	case sqlparser.IsFalseStr, sqlparser.IsNotFalseStr:
		n.Kind, n.Not = ast.IsFalse, e.Operator == sqlparser.IsNotFalseStr
	}
	toks, last := c.b.p.toks, x.last+1
	if toks[last].word("IS") {
		last++
		if toks[last].word("NOT") {
			last++
		}
	} else if toks[last].word("NOT") { // x NOT NULL
		last++
	}
	n.Span = c.span(x.first, last)
	return piece{n, x.first, last}
}
