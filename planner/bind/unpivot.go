package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"

	"github.com/parquetsql/parquetsql/vector"
)

// unpivot binds UNPIVOT: each row becomes one for each entry, which is unnested from a list
// of them.
func (b *binder) unpivot(u *ast.Unpivot, outer *typer) (logical.Node, *scope.Scope, error) {
	node, sc, err := b.from(u.Table, outer)
	if err != nil {
		return nil, nil, err
	}
	k := &block{b: b, s: &ast.Select{}, outer: outer, scope: sc}
	entries, err := k.entries(u)
	if err != nil {
		return nil, nil, err
	}
	read := map[string]bool{}
	for _, e := range entries {
		for _, x := range e.Exprs {
			pivotReads(x, read)
		}
	}
	t := typer{b: b, scope: sc, clause: "UNPIVOT", outer: outer, steps: newLayers()}
	rows := make([][]expr.Expr, len(entries))
	for i, e := range entries {
		if rows[i], err = t.all(e.Exprs...); err != nil {
			return nil, nil, err
		}
		rows[i] = append([]expr.Expr{expr.NewConst(vector.StringScalar(e.Alias))}, rows[i]...)
	}
	list, err := unpivotEntries(rows)
	if err != nil {
		return nil, nil, err
	}
	node, made, err := seriesFields(b.ids, t.steps.Compute(node), list, false)
	if err != nil {
		return nil, nil, err
	}
	if !u.IncludeNulls {
		present := &logical.Filter{In: node}
		for _, c := range made[1:] {
			present.Conjuncts = append(present.Conjuncts, expr.NewIsNull(c.Ref(), true))
		}
		node = present
	}
	src := &scope.Source{Alias: u.Alias}
	if u.Alias == "" && len(sc.Sources) == 1 {
		src.Alias = sc.Sources[0].Label()
	}
	for c := range scope.Shown(sc.Sources) {
		if !read[strings.ToLower(c.Name)] {
			src.Columns = append(src.Columns, *c)
		}
	}
	for i, c := range made {
		c.Name = append([]string{u.Name}, u.Values...)[i]
		src.Columns = append(src.Columns, scope.Column{Column: c})
	}
	return node, &scope.Scope{Sources: []*scope.Source{src}}, src.Rename(u.Columns)
}

// entries is the elements of ON, those with COLUMNS repeated for each column, with the names
// that they show.
func (k *block) entries(u *ast.Unpivot) ([]ast.UnpivotOn, error) {
	var out []ast.UnpivotOn
	for _, on := range u.On {
		items := []ast.Item{{Expr: on.Exprs[0], Text: on.Text[0], Alias: on.Alias}}
		if len(on.Exprs) == 1 {
			var err error
			if items, err = k.stars().Expand(items[0]); err != nil {
				return nil, err
			}
		}
		for _, it := range items {
			e := ast.UnpivotOn{Exprs: on.Exprs, Alias: it.Alias}
			if len(on.Exprs) == 1 {
				e.Exprs = []ast.Expr{it.Expr}
			}
			e.Exprs = named(e.Exprs)
			if e.Alias == "" {
				e.Alias = entryName(e.Exprs, it.Text, k.shownName)
			}
			if len(e.Exprs) != len(u.Values) {
				return nil, fmt.Errorf("UNPIVOT: %s has %d values for %d columns", e.Alias, len(e.Exprs), len(u.Values))
			}
			out = append(out, e)
		}
	}
	return out, nil
}

// named is the expressions of an entry: a literal alone is the name of a column.
func named(list []ast.Expr) []ast.Expr {
	out := slices.Clone(list)
	for i, e := range out {
		if l, ok := e.(*ast.Literal); ok && (l.Kind == ast.Integer || l.Kind == ast.String) {
			out[i] = &ast.Ident{Span: l.Span, Parts: []string{l.Text}}
		}
	}
	return out
}

// shownName is the name of a column as its table has it, since it becomes a value.
func (k *block) shownName(id *ast.Ident) string {
	if m, err := k.scope.Resolve(id.Parts); err == nil && len(m.Rest) == 0 {
		return m.Name
	}
	return id.Parts[len(id.Parts)-1]
}
