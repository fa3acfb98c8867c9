package bind

import (
	"errors"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"

	"github.com/parquetsql/parquetsql/vector"
)

// stars is the scope of FROM, for stars and COLUMNS.
func (k *block) stars() starScope {
	t := typer{b: k.b, scope: &scope.Scope{}, clause: "COLUMNS"}
	return starScope{
		Scope: k.scope,
		Matches: func(e ast.Expr) (bool, error) {
			x, err := t.condition(e)
			if err != nil {
				return false, err
			}
			c, ok := x.(*expr.Const)
			if !ok {
				return false, fmt.Errorf("COLUMNS: a condition on names needs constants")
			}
			return !c.Value.Null && c.Value.Bool, nil
		},
		Texts: func(e ast.Expr) ([]string, bool, error) {
			x, err := t.bind(e)
			if err != nil {
				return nil, false, err
			}
			texts, ok := textLiterals(x)
			if !ok {
				return nil, false, fmt.Errorf("COLUMNS takes *, a regular expression, a list of names or a lambda")
			}
			return texts, x.Type().Kind == vector.List, nil
		},
	}
}

// expand makes the items of the select list; stars become columns, and items with COLUMNS
// are repeated.
func (k *block) expand() error {
	for _, it := range k.s.Items {
		if star, ok := it.Expr.(*ast.Star); ok {
			if err := k.star(star); err != nil {
				return err
			}
			continue
		}
		list, err := k.stars().Expand(it)
		if err != nil {
			return err
		}
		for _, it := range list {
			if fields, ok, err := k.unnestedFields(it); ok {
				if err != nil {
					return err
				}
				k.items = append(k.items, fields...)
				continue
			}
			k.items = append(k.items, item{ast: it.Expr, alias: it.Alias, name: it.Alias})
			if it.Alias == "" {
				k.items[len(k.items)-1].name = k.nameOf(it)
			}
		}
	}
	if len(k.items) == 0 {
		return fmt.Errorf("the select list is empty: * selects no column of the table")
	}
	return nil
}

// star adds the columns of a star to the items.
func (k *block) star(star *ast.Star) error {
	columns, err := k.stars().Of(star)
	var missing *errs.NotFoundError
	if star.Table != nil && errors.As(err, &missing) && missing.Kind == "table" {
		if found, errFields := k.fields(star); found {
			return errFields
		}
	}
	if err != nil {
		return errs.At(star.Start(), star.Stop(), err)
	}
	k.items = slices.Grow(k.items, len(columns))
	for _, c := range columns {
		it := item{ast: star, name: c.Shown, x: c.Ref()}
		if c.Expr != nil {
			it.ast, it.x = c.Expr, nil
		} else if c.Conflict != nil {
			return c.Conflict
		}
		k.items = append(k.items, it)
	}
	return nil
}

// fields adds the fields of g.*, where g is a struct. found is false if it is none.
func (k *block) fields(star *ast.Star) (found bool, err error) {
	m, err := k.scope.Resolve(star.Table)
	if err != nil || len(m.Rest) > 0 || m.Type.Kind != vector.Struct {
		return false, err
	}
	src := &scope.Source{}
	for _, f := range m.Type.Fields {
		src.Columns = append(src.Columns, scope.Column{Column: logical.Column{Name: f.Name, Type: f.Type}})
	}
	among := k.stars()
	among.Scope = &scope.Scope{Sources: []*scope.Source{src}}
	of := *star
	of.Table = nil
	columns, err := among.Of(&of)
	whole := &ast.Ident{Span: star.Span, Parts: star.Table}
	for _, c := range columns {
		it := item{ast: c.Expr, name: c.Shown}
		if c.Expr == nil {
			it.ast = &ast.Field{Span: star.Span, X: whole, Name: c.Name}
		}
		k.items = append(k.items, it)
	}
	return true, err
}

// conjunction is a condition with COLUMNS for all its columns.
func (k *block) conjunction(e ast.Expr) (ast.Expr, error) {
	list, err := k.stars().Expand(ast.Item{Expr: e})
	if err != nil {
		return nil, err
	}
	all := &ast.Logic{Span: ast.Span{Pos: e.Start(), End: e.Stop()}}
	for _, it := range list {
		all.Args = append(all.Args, it.Expr)
	}
	if len(all.Args) == 1 {
		return all.Args[0], nil
	}
	return all, nil
}
