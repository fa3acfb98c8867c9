package dialect

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// This file reads x COLLATE NOCASE, which says how x is compared: as the value of a
// function, LOWER(x). What compares x, such as = and ORDER BY, takes the function's value;
// a COLLATE in another place stays in the tree, and the binder refuses it.

// collations are the functions whose values a collation compares.
var collations = map[string]string{
	"NOCASE": "lower", "NOACCENT": "strip_accents", "NFC": "nfc_normalize",
	"BINARY": "", "C": "", "POSIX": "", // byte by byte, as without a collation
}

// collate reads COLLATE and its collations, divided by points, behind an operand.
func (b *block) collate(first, offset int) bool {
	p := b.p
	if !p.words("COLLATE") {
		return false
	}
	var calls []string
	for p.err == nil {
		t := p.cur()
		for _, name := range strings.Split(strings.ToUpper(p.anyName("a collation")), ".") {
			call, ok := collations[name]
			if !ok && p.err == nil {
				p.pos = max(p.pos-1, 0)
				p.unsupported("COLLATE %s; there are NOCASE, NOACCENT, NFC and BINARY", t.text)
			}
			if call != "" {
				calls = append(calls, call)
			}
		}
		if !p.op(".") {
			break
		}
	}
	s := p.span(first)
	b.close(b.wrap(offset, first), func(a []ast.Expr) ast.Expr { return &ast.Collate{Span: s, X: a[0], Calls: calls} })
	return true
}

// collated gives the expressions, which are compared with each other, the collation that one
// of them has.
func collated(exprs ...*ast.Expr) {
	for _, e := range exprs {
		if c, ok := (*e).(*ast.Collate); ok {
			for _, each := range exprs {
				*each = collationKey(*each, c)
			}
			return
		}
	}
}

// collationKey is what a collation compares in place of e.
func collationKey(e ast.Expr, c *ast.Collate) ast.Expr {
	if own, ok := e.(*ast.Collate); ok {
		e, c = own.X, own
	}
	for _, call := range c.Calls {
		e = &ast.Call{Span: ast.Span{Pos: e.Start(), End: e.Stop()}, Name: call, Args: []ast.Expr{e}}
	}
	return e
}

// collatedAll is collated for the elements of a list and a value that is compared with them.
func collatedAll(x *ast.Expr, list []ast.Expr) {
	exprs := []*ast.Expr{x}
	for i := range list {
		exprs = append(exprs, &list[i])
	}
	collated(exprs...)
}

// collatedCall rewrites the aggregates that compare their argument: MIN(x COLLATE NOCASE) is
// ARG_MIN(x, LOWER(x)).
func collatedCall(c *ast.Call) {
	if len(c.Args) != 1 {
		return
	}
	x, ok := c.Args[0].(*ast.Collate)
	if !ok {
		return
	}
	if name := strings.ToLower(c.Name); name == "min" || name == "max" {
		c.Name = "arg_" + name
		c.Args = []ast.Expr{x.X, collationKey(x, x)}
	}
}
