package dialect

import (
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"
)

// callParts counts the arguments of a numbered call by their role, in the order
// of the arguments.
type callParts struct {
	args, orders int
	filter       bool
	window       windowParts
}

func (c callParts) any() bool { return c.args+c.orders > 0 || c.filter }

// call reads name(…) and the clauses that may follow an aggregate or window.
func (b *block) call(first int, name string) {
	b.callWith(first, b.open(first), name, 0)
}

// method reads .name(…) behind the operand that began at the offset of the output, which is
// name(operand, …).
func (b *block) method(first, offset int) {
	name := b.p.anyName("a function")
	b.callWith(first, b.wrap(offset, first), name, 1)
}

// callWith reads the arguments of a call whose mark is open, and whose first arguments may
// have been written.
func (b *block) callWith(first, m int, name string, written int) {
	p := b.p
	if !p.enter() {
		return
	}
	defer p.leave()
	c := &ast.Call{Name: name}
	n := b.arguments(c, written)
	if after := p.ahead(2); after.word("OVER") || after.word("FILTER") { // else it belongs to the call around this one
		b.nulls(c)
	}
	within := p.words("WITHIN", "GROUP")
	if within {
		b.within(c, &n)
	}
	if p.isWord("FILTER") && p.ahead(1).op("(") {
		b.filter(n.any())
		n.filter = true
	}
	if p.isWord("OVER") && (p.ahead(1).op("(") || p.ahead(1).kind == tWord || p.ahead(1).kind == tQuoted) {
		p.advance()
		c.Over, n.window = b.over(n.any())
	}
	c.Span = p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr {
		n.fill(c, a)
		if within || orderedQuantile(c) {
			b.orderedSet(c)
		}
		if x := operator(c); x != nil {
			return x
		}
		return desugar.Call(c)
	})
}

// within reads the (ORDER BY …) of WITHIN GROUP, which is in place of one in the call.
func (b *block) within(c *ast.Call, n *callParts) {
	p := b.p
	p.need("(")
	if n.orders > 0 || !p.isWord("ORDER") {
		p.unexpected("ORDER BY, here or among the arguments")
		return
	}
	c.OrderBy = b.orders(n.args > 0)
	n.orders = len(c.OrderBy)
	p.need(")")
}

// orderedQuantile reports whether an ORDER BY among the arguments says from which end a
// quantile counts, and perhaps of what it is.
func orderedQuantile(c *ast.Call) bool {
	name := strings.ToLower(c.Name)
	if name != "quantile_cont" && name != "quantile_disc" || len(c.OrderBy) != 1 {
		return false
	}
	if len(c.Args) == 2 && c.OrderBy[0].Desc {
		c.OrderBy[0].Expr, c.Args = c.Args[0], c.Args[1:]
	}
	return len(c.Args) == 1
}

// orderedSet turns a call with WITHIN GROUP into one whose first argument is what it is
// ordered by: PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x) is QUANTILE_CONT(x, p). With
// DESC the fraction is negative, which counts from the greatest value. For other functions
// it is an ORDER BY among the arguments.
func (b *block) orderedSet(c *ast.Call) {
	name := strings.ToLower(c.Name)
	switch {
	case name == "mode" && len(c.Args) == 0 && len(c.OrderBy) == 1:
		c.Args = []ast.Expr{c.OrderBy[0].Expr}
		return
	case name == "percentile_cont" || name == "percentile_disc":
		if len(c.Args) == 1 && !fractional(c.Args[0]) {
			b.p.abort(&errs.SyntaxError{Position: c.Args[0].Start(), Message: strings.ToUpper(name) + " takes a fraction from 0 to 1, or a list of these that is not empty"})
		}
		c.Name = "quantile" + strings.TrimPrefix(name, "percentile")
	case name != "quantile_cont" && name != "quantile_disc":
		return
	}
	if len(c.Args) != 1 || len(c.OrderBy) != 1 {
		return
	}
	fraction := c.Args[0]
	if c.OrderBy[0].Desc {
		fraction = negated(fraction)
	}
	c.Args, c.OrderBy = []ast.Expr{c.OrderBy[0].Expr, fraction}, nil
}

// fractional is false for what is written as a negative number, or as a list that is empty or
// has one.
func fractional(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Unary:
		return e.Op != ast.Neg
	case *ast.Call:
		return e.Name != "list_value" || len(e.Args) > 0 && !slices.ContainsFunc(e.Args, func(x ast.Expr) bool { return !fractional(x) })
	}
	return true
}

// negated is a fraction, or a list of them, as a product, which keeps the sign of 0.
func negated(e ast.Expr) ast.Expr {
	if list, ok := e.(*ast.Call); ok && list.Name == "list_value" {
		out := *list
		out.Args = nil
		for _, x := range list.Args {
			out.Args = append(out.Args, negated(x))
		}
		return &out
	}
	at := ast.Span{Pos: e.Start(), End: e.Stop()}
	return &ast.Binary{Span: at, Op: ast.Mul, L: e, R: &ast.Literal{Span: at, Kind: ast.Double, Text: "-1e0"}}
}

// arguments writes the arguments between the parentheses, behind those that are written.
func (b *block) arguments(c *ast.Call, written int) (n callParts) {
	p := b.p
	n.args = written
	p.need("(")
	if strings.EqualFold(c.Name, "count") && p.cur().name() && p.ahead(1).op(".") && p.ahead(2).op("*") && p.ahead(3).op(")") {
		p.pos += 2 // COUNT(t.*) is COUNT(*)
	}
	if p.isOp("*") && (p.ahead(1).op(")") || p.ahead(1).word("FROM")) { // the parenthesis may have been forgotten
		p.advance()
		c.Star = true
	} else if !p.isOp(")") {
		if p.words("DISTINCT") {
			c.Distinct = true
		} else {
			p.words("ALL")
		}
		if !p.isWord("ORDER") {
			if n.args > 0 {
				b.comma()
			}
			n.args = b.callArgs(c, n.args)
		}
		c.OrderBy = b.orders(n.args > 0)
		n.orders = len(c.OrderBy)
	}
	if p.words("SEPARATOR") { // MySQL's GROUP_CONCAT(x SEPARATOR ',')
		p.unsupported("SEPARATOR; write the separator as the second argument")
	}
	b.nulls(c)
	p.need(")")
	return n
}

// callArgs writes the arguments of a call, which may have names, behind n others, and counts
// them all.
func (b *block) callArgs(c *ast.Call, n int) int {
	p := b.p
	for p.err == nil {
		if t := p.cur(); (t.kind == tWord || t.kind == tQuoted) && (p.ahead(1).op(":=") || p.ahead(1).op("=>")) {
			p.pos += 2
			c.ArgNames = append(append(c.ArgNames, make([]string, n-len(c.ArgNames))...), t.text)
		}
		if params := p.lambda(lambdaCalls[strings.ToUpper(c.Name)] && n > 0); params != nil {
			b.lambda(params)
		} else {
			b.expr()
		}
		n++
		if !p.op(",") {
			break
		}
		b.comma()
	}
	if c.ArgNames != nil {
		c.ArgNames = append(c.ArgNames, make([]string, n-len(c.ArgNames))...)
	}
	return n
}

// fill puts the converted expressions into the call.
func (n callParts) fill(c *ast.Call, a []ast.Expr) {
	c.Args, a = a[:n.args:n.args], a[n.args:]
	a = setOrders(c.OrderBy, a)
	if n.filter {
		c.Filter, a = a[0], a[1:]
	}
	if c.Over != nil {
		n.window.fill(c.Over, a)
	}
}

func (b *block) nulls(c *ast.Call) {
	switch {
	case b.p.words("IGNORE", "NULLS"):
		c.IgnoreNulls = true
	case b.p.words("RESPECT", "NULLS"):
	}
}

func (b *block) filter(comma bool) {
	p := b.p
	p.advance()
	p.need("(")
	p.words("WHERE")
	if comma {
		b.comma()
	}
	b.expr()
	p.need(")")
}

// orders writes the keys of an ORDER BY, if there is one, as arguments.
func (b *block) orders(comma bool) []ast.Order {
	p := b.p
	if !p.words("ORDER") {
		return nil
	}
	p.needWord("BY")
	var out []ast.Order
	for p.err == nil {
		if comma {
			b.comma()
		}
		comma = true
		b.expr()
		out = append(out, p.direction())
		if !p.op(",") {
			break
		}
	}
	return out
}

func setOrders(orders []ast.Order, a []ast.Expr) []ast.Expr {
	for i := range orders {
		orders[i].Expr = a[i]
	}
	return a[len(orders):]
}

// direction reads ASC or DESC, and NULLS FIRST or NULLS LAST.
func (p *parser) direction() ast.Order {
	var o ast.Order
	if p.words("DESC") {
		o.Desc = true
	} else {
		p.words("ASC")
	}
	switch {
	case p.words("NULLS", "FIRST"):
		o.Nulls = ast.NullsFirst
	case p.words("NULLS", "LAST"):
		o.Nulls = ast.NullsLast
	}
	return o
}
