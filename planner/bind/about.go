package bind

import (
	"errors"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// placed is what has a place in the statement.
type placed interface {
	Start() int
	Stop() int
}

// aboutNames is an error at what has an alias with too many names.
func aboutNames(t placed, err error) error {
	if _, ok := errors.AsType[*scope.NamesError](err); ok {
		return errs.At(t.Start(), t.Stop(), err)
	}
	return err
}

// span is where an expression is in the statement; zero for one of another text, such as that of a view.
func (b *binder) span(e placed) expr.Span {
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
