package bind

import (
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// about is an error of an expression at the part of it that is why: of a text that is no value of
// the type to which it is cast, the text itself and not all that it stands among.
func about(e ast.Expr, err error) error {
	if errors.Is(err, errs.ErrInvalidValue) {
		for _, part := range partsOf(e) {
			text, ok := part.(*ast.Literal)
			if ok && text.Kind == ast.String && strings.Contains(err.Error(), "'"+text.Text+"'") {
				return errs.At(text.Start(), text.Stop(), err)
			}
		}
	}
	return errs.At(e.Start(), e.Stop(), err)
}

// span is where an expression is in the statement; zero for one of another text, such as that of a view.
func (b *binder) span(e ast.Expr) expr.Span {
	if b.within > 0 {
		return expr.Span{}
	}
	return expr.SpanOf(e.Start(), e.Stop())
}

// elsewhere is derived for a query whose places are not those of the statement.
func (b *binder) elsewhere(d *ast.Derived, outer *typer) (logical.Node, *scope.Scope, error) {
	b.within++
	defer func() { b.within-- }()
	return b.derived(d, outer)
}

// partsOf is what an expression compares or computes with, in its order.
func partsOf(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.Between:
		return []ast.Expr{e.X, e.Lo, e.Hi}
	case *ast.In:
		return append([]ast.Expr{e.X}, e.List...)
	case *ast.Binary:
		return []ast.Expr{e.L, e.R}
	case *ast.Call:
		return e.Args
	}
	return nil
}
