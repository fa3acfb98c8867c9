package dialect

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// collate reads COLLATE and its collations, divided by points, behind an operand.
func (b *block) collate(first, offset int) bool {
	p := b.p
	if !p.words("COLLATE") {
		return false
	}
	var names []string
	for p.err == nil {
		names = append(names, strings.Split(p.anyName("a collation"), ".")...)
		if !p.op(".") {
			break
		}
	}
	s := p.span(first)
	b.close(b.wrap(offset, first), func(a []ast.Expr) ast.Expr { return &ast.Collate{Span: s, X: a[0], Names: names} })
	return true
}
