package dialect

import (
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"
)

// operator is what the call of an operator by its name means, such as "+"(1, 2); else nil.
// Nothing may follow its arguments, which are not those of an aggregate.
func operator(c *ast.Call) ast.Expr {
	if c.Distinct || c.Filter != nil || c.OrderBy != nil || c.Over != nil {
		return nil
	}
	op, is := binary[c.Name]
	m, like := matches[c.Name]
	switch {
	case len(c.Args) == 2 && is && !isComparison(c.Name) && c.Name != "MOD":
		return &ast.Binary{Span: c.Span, Op: op, L: c.Args[0], R: c.Args[1]}
	case len(c.Args) == 2 && like:
		return &ast.Match{Span: c.Span, Kind: m.kind, Not: m.not, X: c.Args[0], Pattern: c.Args[1]}
	case len(c.Args) != 1:
	case c.Name == "-":
		return &ast.Unary{Span: c.Span, Op: ast.Neg, X: c.Args[0]}
	case c.Name == "+":
		return &ast.Unary{Span: c.Span, Op: ast.Plus, X: c.Args[0]}
	case c.Name == "~":
		return &ast.Unary{Span: c.Span, Op: ast.BitNot, X: c.Args[0]}
	case c.Name == "@":
		return desugar.Called(c, "abs", c.Args...)
	case c.Name == "!__postfix":
		return desugar.Called(c, "factorial", c.Args...)
	}
	return nil
}
