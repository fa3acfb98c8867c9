package bind

import (
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
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
