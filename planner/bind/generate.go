package bind

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"

	"github.com/parquetsql/parquetsql/vector"
)

// tableFunction binds a function in FROM. Its arguments may be names of the query
// around.
func (b *binder) tableFunction(f *ast.TableFunction, outer *typer) (logical.Node, *scope.Scope, error) {
	switch name := strings.ToLower(f.Name); {
	case f.Ordinality:
	case isReadParquet(f):
		return b.readParquet(f, outer)
	case lakeOptions[name] != nil:
		return b.lakeScan(f, outer)
	case isHistogram(name):
		return b.histogram(f, outer)
	case name == "query":
		return b.queryText(f, outer)
	case desugar.ViewOf(name) != "" && b.env.View != nil:
		return b.elsewhere(&ast.Derived{Span: f.Span, Query: b.env.View([]string{desugar.ViewOf(name)}), Alias: cmp.Or(f.Alias, f.Name), Columns: f.Columns}, outer)
	}
	f = desugar.Rows(f)
	if q := valueOf(f); q != nil {
		return b.derived(&ast.Derived{Span: f.Span, Query: q, Alias: cmp.Or(f.Alias, f.Name), Columns: f.Columns}, outer)
	}
	if q, err := desugar.TableFunction(f); err != nil || q != nil {
		if err != nil {
			return nil, nil, err
		}
		d := &ast.Derived{Span: f.Span, Query: q, Alias: f.Alias, Columns: f.Columns}
		if d.Alias == "" {
			d.Alias = f.Name
		}
		return b.derived(d, outer)
	}
	g := &generated{b: b, f: f, t: typer{b: b, scope: &scope.Scope{}, clause: "the arguments of " + f.Name, outer: outer, steps: newLayers()}}
	node, src, err := g.bind(&logical.OneRow{}, false)
	if err != nil {
		return nil, nil, err
	}
	return node, &scope.Scope{Sources: []*scope.Source{src}}, nil
}

// valueOf is a scalar function in FROM, whose value is a row there; nil if it is another function.
func valueOf(f *ast.TableFunction) *ast.Query {
	if desugar.Generates(strings.ToLower(f.Name)) || f.Ordinality || len(f.Options) > 0 || !function.Is(f.Name) {
		return nil
	}
	if q, err := desugar.TableFunction(f); q != nil || err != nil {
		return nil
	}
	call := desugar.Call(&ast.Call{Span: f.Span, Name: f.Name, Args: f.Args})
	return &ast.Query{Span: f.Span, Body: &ast.Select{Span: f.Span, Items: []ast.Item{{Expr: call, Alias: cmp.Or(f.Alias, f.Name)}}}}
}

// generated is a function that generates rows, for each row of an input.
type generated struct {
	b *binder
	f *ast.TableFunction
	t typer // of the arguments
	u *logical.Unnest
}

// bind makes the rows, and the source of their columns.
func (g *generated) bind(in logical.Node, outer bool) (logical.Node, *scope.Source, error) {
	name := strings.ToLower(g.f.Name)
	if !desugar.Generates(name) {
		return nil, nil, desugar.Unsupported(g.f.Name)
	}
	if len(g.f.Options) > 0 {
		return nil, nil, fmt.Errorf("%s has no option %s", g.f.Name, g.f.Options[0].Name)
	}
	args, err := g.t.all(g.f.Args...)
	if err != nil {
		return nil, nil, err
	}
	columns, err := g.rows(g.t.steps.Compute(in), args, outer)
	if err != nil {
		return nil, nil, err
	}
	src := &scope.Source{Alias: g.f.Alias}
	if src.Alias == "" {
		src.Alias = name
	}
	if strings.HasPrefix(name, "json_") { // all columns have names and are in *
		for _, c := range columns {
			src.Columns = append(src.Columns, scope.Column{Column: c})
		}
		columns = columns[:1]
	} else {
		columns[0].Name = name
		src.Columns = []scope.Column{{Column: columns[0]}}
	}
	pos := scope.Column{Column: g.u.Pos, Hidden: true}
	var node logical.Node = g.u
	if g.f.Ordinality {
		if node, pos, err = g.ordinality(); err != nil {
			return nil, nil, err
		}
	}
	src.Columns = append(src.Columns, pos)
	for _, c := range columns[1:] {
		src.Columns = append(src.Columns, scope.Column{Column: c, Hidden: true})
	}
	if g.b.env.PostgreSQL && g.f.Alias != "" && len(g.f.Columns) == 0 && !strings.HasPrefix(name, "json_") {
		// The alias is the only column's, too; it keeps its other name, which is DuckDB's.
		other := src.Columns[0]
		other.Hidden = true
		src.Columns[0].Name = g.f.Alias
		src.Columns = append(src.Columns, other)
	}
	return node, src, src.Rename(g.f.Columns)
}

// rows makes the node and returns the column of its values and others, which * leaves out.
func (g *generated) rows(in logical.Node, args []expr.Expr, outer bool) (columns []logical.Column, err error) {
	name := strings.ToLower(g.f.Name)
	switch name {
	case "range", "generate_series":
		s := seriesCall{Name: name, Args: args, Inclusive: name == "generate_series"}
		g.u, err = s.Series(g.b.ids, in, outer)
		if err == nil {
			columns = []logical.Column{g.u.Elements[0].Column}
		}
		return columns, err
	case "json_each", "json_tree":
		list, err := function.New(name, args)
		if err != nil {
			return nil, err
		}
		g.u, columns, err = seriesFields(g.b.ids, in, list, outer)
		return columns, err
	}
	if len(args) != 1 {
		return nil, fmt.Errorf("UNNEST in FROM takes one list, not %d arguments; in SELECT it may stand several times", len(args))
	}
	g.u, columns, err = elementsOf(g.b.ids, in, args[0], outer)
	return columns, err
}

// ordinality adds the position of a row, from 1.
func (g *generated) ordinality() (logical.Node, scope.Column, error) {
	x, err := expr.NewArith(expr.OpAdd, g.u.Pos.Ref(), expr.NewConst(vector.IntScalar(1)))
	if err != nil {
		return nil, scope.Column{}, err
	}
	node, added := computedSeries(g.b.ids, g.u, []string{"ordinality"}, []expr.Expr{x})
	return node, scope.Column{Column: added[0]}, nil
}

// generatedJoin binds a join with a function whose arguments read columns of the left
// side: a row for each value, for each row there, in their order.
func (b *binder) generatedJoin(node logical.Node, left *scope.Scope, j *ast.Join, outer *typer) (logical.Node, *scope.Scope, error) {
	f := j.R.(*ast.TableFunction)
	g := &generated{b: b, f: f, t: typer{b: b, scope: left, clause: "the arguments of " + f.Name, outer: outer, steps: newLayers()}}
	node, src, err := g.bind(node, j.Kind == ast.Left)
	if err != nil {
		return nil, nil, err
	}
	sc := &scope.Scope{Sources: append(append([]*scope.Source(nil), left.Sources...), src)}
	if j.On == nil {
		return node, sc, nil
	}
	t := typer{b: b, scope: sc, clause: "ON", outer: outer}
	g.u.On, err = t.condition(j.On)
	return node, sc, err
}

// generates reports whether the right side of a join is a function that the left side
// gives its arguments, without subqueries.
func generates(j *ast.Join, left *scope.Scope) bool {
	f, ok := j.R.(*ast.TableFunction)
	if !ok || j.Kind > ast.Left || j.Kind == ast.Right || j.Natural || j.Asof || j.Using != nil {
		return false
	}
	if f.Ordinality && j.On != nil {
		return false
	}
	reads := false
	for _, arg := range f.Args {
		if ast.HasSubquery(arg) {
			return false
		}
		ast.Walk(arg, func(e ast.Expr) bool {
			if id, ok := e.(*ast.Ident); ok && !reads {
				_, reads = left.Lookup(id.Parts)
			}
			return true
		})
	}
	return reads
}
