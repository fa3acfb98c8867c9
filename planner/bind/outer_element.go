package bind

import (
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// outerElement binds the element table of a column of a query around this one, as in
// EXISTS (SELECT 1 FROM o.items i WHERE …). ok is false if the name means none.
func (b *binder) outerElement(t *ast.TableName, outer *typer) (node logical.Node, sc *scope.Scope, ok bool, err error) {
	for o := outer; o != nil; o = o.outer {
		src, path := o.scope.Element(t.Parts)
		if src == nil {
			continue
		}
		c, rest, err := src.List(path)
		if err != nil {
			return nil, nil, true, err
		}
		x, err := o.bind(&ast.Ident{Span: t.Span, Parts: t.Parts[:len(t.Parts)-len(rest)]})
		if err != nil {
			return nil, nil, true, err
		}
		list := logical.Column{ID: b.ids.New(), Name: c.Name, Type: x.Type(), Nullable: true}
		row := &logical.Project{In: &logical.OneRow{}, Items: []logical.Computed{{Column: list, Expr: x}}}
		only := &scope.Source{Alias: src.Label(), Columns: []scope.Column{{Column: list}}}
		l := &elementJoin{b: b, join: &ast.Join{Kind: ast.Comma}, table: t, outer: outer}
		node, sc, err = l.bind(row, &scope.Scope{}, only, path)
		return node, sc, true, err
	}
	return nil, nil, false, nil
}
