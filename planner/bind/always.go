package bind

import "github.com/parquetsql/parquetsql/planner/ast"

// evaluated notes the names that an expression evaluates first and for each of
// its rows. The stage may then share an alias of such a name even if the alias may
// fail: it fails for the same rows. All other operands may be skipped: those after
// AND and OR, the branches of CASE, the arguments of functions, and operands after
// one that is NULL.
func (s *stage) evaluated(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		s.always[e] = true
	case *ast.Unary:
		s.evaluated(e.X)
	case *ast.Binary:
		s.evaluated(e.L)
		if l, ok := e.L.(*ast.Literal); ok && l.Kind != ast.Null {
			s.evaluated(e.R)
		}
	case *ast.Logic:
		s.evaluated(e.Args[0])
	case *ast.Between:
		s.evaluated(e.X)
	case *ast.In:
		s.evaluated(e.X)
	case *ast.Match:
		s.evaluated(e.X)
	case *ast.Is:
		s.evaluated(e.X)
	case *ast.DistinctFrom:
		s.evaluated(e.L)
	}
}
