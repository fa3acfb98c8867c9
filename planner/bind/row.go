package bind

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/vector"
)

// row binds an operand as a row of n values: (a, b) or a subquery with n columns.
func (t *typer) row(e ast.Expr, n int) ([]expr.Expr, error) {
	switch e := e.(type) {
	case *ast.Row:
		if len(e.Items) != n {
			return nil, fmt.Errorf("a row of %d values is compared with one of %d", len(e.Items), n)
		}
		return t.all(e.Items...)
	case *ast.Subquery:
		return t.single(e, n)
	}
	if n != 1 {
		return nil, fmt.Errorf("a row of %d values is compared with a single value", n)
	}
	return t.all(e)
}

// comparison binds l op r, where both sides may be rows.
func (t *typer) comparison(op expr.Op, e *ast.Binary) (expr.Expr, error) {
	n, rows := 1, true
	for _, side := range []ast.Expr{e.R, e.L} {
		switch side := side.(type) {
		case *ast.Row:
			n = len(side.Items)
		case *ast.Subquery:
		default:
			rows = false
		}
	}
	if n > 1 && !rows { // with a STRUCT
		xs, err := t.all(e.L, e.R)
		if err != nil {
			return nil, err
		}
		for _, x := range xs {
			if k := x.Type().Kind; k != vector.Struct && k != vector.Null {
				return nil, fmt.Errorf("a row of %d values is compared with a single value", n)
			}
		}
		return expr.NewCompare(op, xs[0], xs[1])
	}
	l, err := t.row(e.L, n)
	if err != nil {
		return nil, err
	}
	r, err := t.row(e.R, n)
	if err != nil {
		return nil, err
	}
	if len(l) == 1 && len(r) == 1 {
		t.settle([]ast.Expr{e.L, e.R}, []expr.Expr{l[0], r[0]})
	}
	x, err := compareRows(op, l, r)
	return x, aboutText(err, e.L, e.R)
}

// aboutText is an error of a comparison at the text that is written in place of a value of
// another type, if one side is such a text.
func aboutText(err error, sides ...ast.Expr) error {
	for i, side := range sides {
		text, ok := side.(*ast.Literal)
		other, both := sides[1-i].(*ast.Literal)
		if err != nil && ok && text.Kind == ast.String && !(both && other.Kind == ast.String) {
			return errs.At(text.Start(), text.Stop(), err)
		}
	}
	return err
}

// rowIn binds (a, b) [NOT] IN ((c, d), …).
func (t *typer) rowIn(row *ast.Row, e *ast.In) (expr.Expr, error) {
	l, err := t.all(row.Items...)
	if err != nil {
		return nil, err
	}
	arms := make([]expr.Expr, len(e.List))
	for i, x := range e.List {
		r, err := t.row(x, len(l))
		if err != nil {
			return nil, err
		}
		if arms[i], err = compareRows(expr.OpEq, l, r); err != nil {
			return nil, err
		}
	}
	any, err := expr.NewOr(arms...)
	if err != nil || !e.Not {
		return any, err
	}
	return expr.NewNot(any)
}
