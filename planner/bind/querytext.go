package bind

import (
	"fmt"
	"maps"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/literal"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/names"
)

// maxTexts is how many queries in strings a query may have, within each other too.
const maxTexts = 100

// queryText binds query('SELECT …').
func (b *binder) queryText(f *ast.TableFunction, outer *typer) (logical.Node, *names.Scope, error) {
	if len(f.Args) != 1 || len(f.Options) > 0 || f.Ordinality {
		return nil, nil, fmt.Errorf("query takes the text of a query")
	}
	t := typer{b: b, scope: &names.Scope{}, clause: "the arguments of query", outer: outer}
	x, err := t.bind(f.Args[0])
	if err != nil {
		return nil, nil, err
	}
	texts, ok := literal.Texts(x)
	if !ok || len(texts) != 1 {
		return nil, nil, fmt.Errorf("query takes the text of a query, not %s", x)
	}
	if b.texts++; b.texts > maxTexts || b.env.Parse == nil {
		return nil, nil, errs.Unsupported("more than %d calls of the table function query", maxTexts)
	}
	d := &ast.Derived{Span: f.Span, Alias: f.Alias, Columns: f.Columns}
	if d.Alias == "" {
		d.Alias = f.Name
	}
	if d.Query, err = b.env.Parse(b.ctx, texts[0]); err != nil {
		return nil, nil, errs.Within("the text of query", err)
	}
	maps.Copy(b.uses, ast.CountUses(d.Query))
	node, sc, err := b.derived(d, nil)
	return node, sc, errs.Within("the text of query", err)
}
