package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// pivot binds PIVOT as a query over its table.
func (b *binder) pivot(p *ast.Pivot, outer *typer) (logical.Node, *scope.Scope, error) {
	node, sc, err := b.from(p.Table, outer)
	if err != nil {
		return nil, nil, err
	}
	var columns []string
	for c := range scope.Shown(sc.Sources) {
		columns = append(columns, c.Name)
	}
	values := make([][]pivotValue, len(p.On))
	for i, on := range p.On {
		if values[i], err = b.pivotValues(p, on); err != nil {
			return nil, nil, err
		}
	}
	s, err := pivotSelect(p, columns, values)
	if err != nil {
		return nil, nil, err
	}
	k := &block{b: b, s: s, outer: outer, node: node, scope: sc}
	if node, err = k.bind(&ast.Query{Span: p.Span, Body: s}); err != nil {
		return nil, nil, err
	}
	src := &scope.Source{Alias: p.Alias}
	if p.Alias == "" && len(sc.Sources) == 1 {
		src.Alias = sc.Sources[0].Label()
	}
	src.Columns, err = scope.Distinct(src.Label(), node.Columns(), p.Columns)
	return node, &scope.Scope{Sources: []*scope.Source{src}}, err
}

// pivotValues is the values of an element of ON: those after IN, or else those that a query
// finds in the table.
func (b *binder) pivotValues(p *ast.Pivot, on ast.PivotOn) ([]pivotValue, error) {
	if on.Values == nil {
		return b.foundValues(p, on)
	}
	var out []pivotValue
	for _, v := range on.Values {
		if len(v.Exprs) != len(on.Exprs) {
			return nil, fmt.Errorf("PIVOT: %d values for %d expressions", len(v.Exprs), len(on.Exprs))
		}
		var titles []string
		var all []ast.Expr
		for i, e := range v.Exprs {
			is := on.Exprs[i]
			if id, ok := e.(*ast.Ident); ok { // IN (a, b) is IN ('a', 'b')
				e = &ast.Literal{Span: id.Span, Kind: ast.String, Text: strings.Join(id.Parts, ".")}
				is = pivotText(is)
			}
			name, err := b.title(e)
			if err != nil {
				return nil, err
			}
			titles = append(titles, name)
			all = append(all, &ast.DistinctFrom{Span: p.Span, L: is, R: e, Not: true})
		}
		value := pivotValue{Name: strings.Join(titles, "_"), Is: &ast.Logic{Span: p.Span, Args: all}}
		if len(all) == 1 {
			value.Is = all[0]
		}
		if v.Alias != "" {
			value.Name = v.Alias
		}
		out = append(out, value)
	}
	return out, nil
}

// title is the text of a constant.
func (b *binder) title(e ast.Expr) (string, error) {
	t := typer{b: b, scope: &scope.Scope{}, clause: "IN of PIVOT"}
	x, err := t.bind(pivotText(e))
	if err != nil {
		return "", err
	}
	c, ok := x.(*expr.Const)
	if !ok {
		return "", fmt.Errorf("PIVOT: the values after IN must be constants, not %s", x)
	}
	if c.Value.Null {
		return "NULL", nil
	}
	return c.Value.Str, nil
}

// foundValues runs a query for the values of an expression: that after IN, or one for all of
// them.
func (b *binder) foundValues(p *ast.Pivot, on ast.PivotOn) ([]pivotValue, error) {
	if b.env.Strings == nil || len(on.Exprs) != 1 {
		return nil, errs.Unsupported("PIVOT without the values after IN")
	}
	q := distinctPivot(on.Exprs[0], p.Table, b.visibleEntries())
	if on.Query != nil {
		q = namedPivot(on.Query, b.visibleEntries())
	}
	texts, err := b.env.Strings(b.ctx, q)
	if err != nil {
		return nil, err
	}
	var out []pivotValue
	seen := map[string]bool{}
	for _, s := range texts {
		if seen[s] {
			continue
		}
		seen[s] = true
		is := &ast.Binary{Span: p.Span, Op: ast.Eq, L: pivotText(on.Exprs[0]), R: &ast.Literal{Span: p.Span, Kind: ast.String, Text: s}}
		out = append(out, pivotValue{Name: s, Is: is})
	}
	return out, nil
}

// visibleEntries is the entries of WITH that FROM may name, each after those that it may
// name itself.
func (b *binder) visibleEntries() []ast.CTE {
	var out []ast.CTE
	seen := map[string]bool{}
	for c := b.ctes; c != nil; c = c.next {
		if name := strings.ToLower(c.def.Name); !seen[name] {
			seen[name] = true
			out = append(out, *c.def)
		}
	}
	slices.Reverse(out)
	return out
}
