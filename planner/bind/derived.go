package bind

import (
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// derived binds a query in FROM.
func (b *binder) derived(d *ast.Derived, outer *typer) (logical.Node, *scope.Scope, error) {
	node, err := b.query(d.Query, outer)
	if err != nil {
		return nil, nil, err
	}
	src := &scope.Source{Alias: d.Alias}
	if d.Alias == "" {
		src.Alias = "unnamed_subquery" // as DuckDB names it
	}
	src.Columns, err = scope.Distinct(src.Alias, node.Columns(), d.Columns)
	return node, &scope.Scope{Sources: []*scope.Source{src}}, err
}
