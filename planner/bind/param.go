package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/vector"
)

// Cast is a value as one of a type that is named as in SQL.
func Cast(s vector.Scalar, t ast.TypeName) (vector.Scalar, error) {
	x, err := castLiteral(expr.NewArgument(s), t, false)
	if err != nil {
		return s, err
	}
	return expr.EvalConstant(x)
}

// settle tells Env.Typed which type a placeholder takes on from the values that it is compared or
// computed with: that of the first one that has a type.
func (t *typer) settle(list []ast.Expr, xs []expr.Expr) {
	if t.b.env.Typed == nil {
		return
	}
	for i, e := range list {
		p, ok := e.(*ast.Param)
		if !ok {
			continue
		}
		for j, x := range xs {
			if i != j && x.Type().Kind != vector.Null {
				t.b.env.Typed(p, x.Type())
				break
			}
		}
	}
}

// settleAs tells Env.Typed the type of an expression that is a placeholder.
func (b *binder) settleAs(e ast.Expr, ty vector.Type) {
	if p, ok := e.(*ast.Param); ok && b.env.Typed != nil {
		b.env.Typed(p, ty)
	}
}
