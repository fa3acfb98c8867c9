package bind

import (
	"fmt"
	"strings"

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
		if err := listArgument(op, e, l[0], r[0]); err != nil {
			return nil, err
		}
	}
	x, err := compareRows(op, l, r)
	return x, t.aboutName(aboutText(err, e.L, e.R), e.L, e.R)
}

// listArgument is the error of a slice as an argument that is compared with one value. A text would be
// read as a list.
func listArgument(op expr.Op, e *ast.Binary, l, r expr.Expr) error {
	for i, side := range []ast.Expr{e.L, e.R} {
		list, other := l, r
		if i == 1 {
			list, other = r, l
		}
		_, given := side.(*ast.Param)
		_, constant := other.(*expr.Const)
		if !given || constant || list.Type().Kind != vector.List || !isPlain(other.Type()) {
			continue
		}
		write := "= ANY(?) or IN (?)"
		if op == expr.OpNe {
			write = "<> ALL(?) or NOT IN (?)"
		}
		return errs.At(side.Start(), side.Stop(), fmt.Errorf("a list is compared with one value; write %s", write))
	}
	return nil
}

// isPlain reports whether values of a type are no lists and never JSON.
func isPlain(t vector.Type) bool {
	switch t.Kind {
	case vector.Null, vector.Variant, vector.JSON, vector.BSON:
		return false
	}
	return !t.IsNested()
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

// aboutName is an error of a comparison with a text that is the name of a column.
func (t *typer) aboutName(err error, sides ...ast.Expr) error {
	for _, side := range sides {
		text, ok := side.(*ast.Literal)
		if err == nil || !ok || text.Kind != ast.String {
			continue
		}
		if _, found := t.scope.Lookup([]string{text.Text}); found {
			return errs.Reword(err, func(err error) error {
				return fmt.Errorf("%w; the name of a column has double quotes: %s", err, errs.Quoted(text.Text))
			})
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
		if _, ok := x.(*ast.Param); ok && len(l) > 1 {
			places := "(" + strings.Repeat("?, ", len(l)-1) + "?)"
			return nil, errs.At(x.Start(), x.Stop(), fmt.Errorf("an argument is no row of %d values; each value has a placeholder: IN (%s, %[2]s, …)", len(l), places))
		}
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
