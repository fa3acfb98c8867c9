package dialect

import "github.com/parquetsql/parquetsql/planner/ast"

// distinctOn reads the expressions of DISTINCT ON (…).
func (b *block) distinctOn(s *ast.Select) {
	p := b.p
	p.need("(")
	for p.err == nil {
		i := len(s.DistinctOn)
		s.DistinctOn = append(s.DistinctOn, nil)
		b.slot(inItems, func(e ast.Expr) { s.DistinctOn[i] = e })
		if !p.more() {
			break
		}
	}
	p.need(")")
}
