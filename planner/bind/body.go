package bind

import (
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// query binds a query expression. outer binds the names that are unknown inside,
// in the query around it; nil at the top.
func (b *binder) query(q *ast.Query, outer *typer) (logical.Node, error) {
	if err := b.spend(1); err != nil {
		return nil, err
	}
	if len(q.With) > 0 {
		return b.with(q, outer)
	}
	return b.body(q, outer)
}

// body binds a query without its WITH.
func (b *binder) body(q *ast.Query, outer *typer) (logical.Node, error) {
	switch body := q.Body.(type) {
	case *ast.Select:
		return b.selectNode(q, body, outer)
	case *ast.Query:
		if !body.Trimmed() {
			// ORDER BY and LIMIT after the parentheses are those of the query within, which
			// may then order by more than its output.
			inner := *body
			inner.OrderBy, inner.OrderAll, inner.Limit, inner.Offset = q.OrderBy, q.OrderAll, q.Limit, q.Offset
			return b.query(&inner, outer)
		}
	}
	node, others, err := b.operand(q.Body, outer)
	if err != nil {
		return nil, err
	}
	if len(q.OrderBy) == 0 && q.OrderAll == nil {
		return b.limit(q, node)
	}
	ordered := *q
	ordered.OrderBy = nil
	for _, o := range q.OrderBy {
		o.Expr = ast.OrderTerm(q.Body, o.Expr)
		ordered.OrderBy = append(ordered.OrderBy, o)
	}
	return b.orderOutput(&ordered, node, others, outer)
}

// operand binds what stands between set operations. others is lists of names, by
// column, that ORDER BY may use besides those of the result.
func (b *binder) operand(body ast.Body, outer *typer) (n logical.Node, others [][]string, err error) {
	switch body := body.(type) {
	case *ast.Select:
		n, err = b.selectNode(&ast.Query{Span: body.Span}, body, outer)
	case *ast.Query:
		n, err = b.query(body, outer)
	case *ast.SetOp:
		return b.setOps(body, outer)
	case *ast.Values:
		n, err = b.values(body, outer)
	default:
		err = errs.Unsupported("%T", body)
	}
	return n, nil, err
}

// orderOutput adds ORDER BY and LIMIT to a result that is no SELECT. Names mean the
// columns of the result; in a set operation those of the other sides too.
func (b *binder) orderOutput(q *ast.Query, node logical.Node, others [][]string, outer *typer) (logical.Node, error) {
	src := &scope.Source{}
	for _, c := range node.Columns() {
		src.Columns = append(src.Columns, scope.Column{Column: c})
	}
	columns := node.Columns()
	seen := map[string]bool{"": true}
	for _, list := range others {
		for i, name := range list[:min(len(list), len(columns))] {
			if lower := strings.ToLower(name); !seen[lower] {
				seen[lower] = true
				c := columns[i]
				c.Name = name
				src.Columns = append(src.Columns, scope.Column{Column: c, Hidden: true})
			}
		}
	}
	all := &ast.Select{Span: q.Span, Items: []ast.Item{{Expr: &ast.Star{Span: q.Span}}}}
	k := &block{b: b, s: all, outer: outer, node: node, scope: &scope.Scope{Sources: []*scope.Source{src}}}
	return k.bind(q)
}

// setOps binds a chain of set operations without recursion to the left: it may be
// long.
func (b *binder) setOps(op *ast.SetOp, outer *typer) (logical.Node, [][]string, error) {
	var ops []*ast.SetOp
	var first ast.Body = op
	for {
		o, ok := first.(*ast.SetOp)
		if !ok {
			break
		}
		ops, first = append(ops, o), o.L
	}
	left, _, err := b.operand(first, outer)
	if err != nil {
		return nil, nil, err
	}
	c := newSetChain(b.ids, left, ast.Written(first))
	for i := len(ops) - 1; i >= 0; i-- {
		if err := b.spend(1); err != nil {
			return nil, nil, err
		}
		right, _, err := b.operand(ops[i].R, outer)
		if err == nil {
			err = c.Add(ops[i], right, ast.Written(ops[i].R))
		}
		if err != nil {
			return nil, nil, err
		}
	}
	n, err := c.Result()
	return n, c.Names(), err
}
