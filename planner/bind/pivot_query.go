package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
)

// PIVOT as a query: the values that become columns are conditions of FILTER, for
// each aggregate one.

// mostPivoted is how many columns a PIVOT may make.
const mostPivoted = 2000

// pivotValue is one that becomes columns.
type pivotValue struct {
	Name string   // of the columns
	Is   ast.Expr // the condition that a row has it
}

// pivotSelect is the query of a PIVOT without its FROM. columns is the names of the source,
// values those of each element of ON.
func pivotSelect(p *ast.Pivot, columns []string, values [][]pivotValue) (*ast.Select, error) {
	s := &ast.Select{Span: p.Span}
	for _, g := range groups(p, columns) {
		text := ""
		if id, ok := g.(*ast.Ident); ok {
			text = id.Parts[len(id.Parts)-1]
		}
		s.Items = append(s.Items, ast.Item{Expr: g, Text: text})
		s.GroupBy = append(s.GroupBy, &ast.Grouping{Keys: []ast.Expr{g}})
	}
	all, err := combined(values)
	if err != nil {
		return nil, err
	}
	using := p.Using
	if len(using) == 0 && len(p.On) > 0 {
		using = []ast.Item{{Expr: &ast.Call{Span: p.Span, Name: "count", Star: true}}}
	}
	if len(all)*len(using) > mostPivoted {
		return nil, errs.Unsupported("PIVOT with more than %d columns", mostPivoted)
	}
	for _, v := range all {
		for _, u := range using {
			it := ast.Item{Alias: title(v.Name, u, len(using))}
			var found bool
			if it.Expr, found = filtered(u.Expr, v.Is); !found {
				return nil, fmt.Errorf("PIVOT: %s in USING is no aggregate", u.Text)
			}
			s.Items = append(s.Items, it)
		}
	}
	return s, nil
}

// title is the name of a column.
func title(value string, u ast.Item, n int) string {
	own := u.Alias
	if own == "" {
		own = u.Text
		if c, ok := u.Expr.(*ast.Call); ok && c.Star {
			own = "count_star()"
		}
	}
	switch {
	case value == "":
		return own
	case n == 1 && u.Alias == "":
		return value
	}
	return value + "_" + own
}

// groups is what the rows are grouped by: GROUP BY, or the columns that neither ON nor USING
// reads.
func groups(p *ast.Pivot, columns []string) []ast.Expr {
	if p.Grouped || len(p.On) == 0 { // without ON: as in SELECT
		return p.GroupBy
	}
	read := map[string]bool{}
	for _, on := range p.On {
		for _, e := range on.Exprs {
			pivotReads(e, read)
		}
	}
	for _, u := range p.Using {
		pivotReads(u.Expr, read)
	}
	var out []ast.Expr
	for _, name := range columns {
		if !read[strings.ToLower(name)] {
			out = append(out, &ast.Ident{Span: p.Span, Parts: []string{name}})
		}
	}
	return out
}

// pivotReads adds the names in an expression, in lower case.
func pivotReads(e ast.Expr, names map[string]bool) {
	ast.Walk(e, func(e ast.Expr) bool {
		if id, ok := e.(*ast.Ident); ok {
			names[strings.ToLower(strings.Join(id.Parts, "."))] = true
			names[strings.ToLower(id.Parts[len(id.Parts)-1])] = true
		}
		return true
	})
}

// combined is each value of one list with each of the others.
func combined(values [][]pivotValue) ([]pivotValue, error) {
	out := []pivotValue{{}}
	for _, list := range values {
		if len(out)*len(list) > mostPivoted {
			return nil, errs.Unsupported("PIVOT with more than %d columns", mostPivoted)
		}
		var next []pivotValue
		for _, a := range out {
			for _, b := range list {
				if a.Is != nil {
					b = pivotValue{Name: a.Name + "_" + b.Name, Is: and(a.Is, b.Is)}
				}
				next = append(next, b)
			}
		}
		out = next
	}
	return out, nil
}

func and(a, b ast.Expr) ast.Expr {
	return &ast.Logic{Span: ast.Span{Pos: a.Start(), End: b.Stop()}, Args: []ast.Expr{a, b}}
}

// filtered is an expression whose aggregates see the rows of a condition only; nil is all.
func filtered(e, is ast.Expr) (out ast.Expr, found bool) {
	out, _ = ast.Replace(e, func(e ast.Expr) ([]ast.Expr, bool) {
		c, ok := e.(*ast.Call)
		if !ok || c.Over != nil || !aggregate.Is(c.Name) {
			return nil, false
		}
		found = true
		own := *c
		switch {
		case is == nil:
		case own.Filter == nil:
			own.Filter = is
		default:
			own.Filter = and(own.Filter, is)
		}
		return []ast.Expr{&own}, true
	})
	return out, found
}

// distinctPivot is the query of the values of an expression as text, in their order.
func distinctPivot(e ast.Expr, from ast.TableExpr, with []ast.CTE) *ast.Query {
	at := ast.Span{Pos: e.Start(), End: e.Stop()}
	value := pivotText(e)
	s := &ast.Select{Span: at, Distinct: true, Items: []ast.Item{{Expr: value, Alias: "v"}}, From: from,
		Where: &ast.Is{Span: at, X: value, Kind: ast.IsNull, Not: true}}
	limit := &ast.Literal{Span: at, Kind: ast.Integer, Text: fmt.Sprint(mostPivoted + 1)}
	first := &ast.Literal{Span: at, Kind: ast.Integer, Text: "1"}
	return &ast.Query{Span: at, With: with, Body: s, OrderBy: []ast.Order{{Expr: first}}, Limit: limit}
}

// namedPivot is the query of the values that a query names, as text.
func namedPivot(q *ast.Query, with []ast.CTE) *ast.Query {
	at := q.Span
	from := &ast.Derived{Span: at, Query: q, Alias: "named", Columns: []string{"v"}}
	v := &ast.Ident{Span: at, Parts: from.Columns}
	s := &ast.Select{Span: at, Items: []ast.Item{{Expr: pivotText(v), Alias: "v"}}, From: from, Where: &ast.Is{Span: at, X: v, Kind: ast.IsNull, Not: true}}
	return &ast.Query{Span: at, With: with, Body: s, Limit: &ast.Literal{Span: at, Kind: ast.Integer, Text: fmt.Sprint(mostPivoted + 1)}}
}

// pivotText is an expression as text.
func pivotText(e ast.Expr) ast.Expr {
	at := ast.Span{Pos: e.Start(), End: e.Stop()}
	return &ast.Cast{Span: at, X: e, Type: ast.TypeName{Span: at, Name: "VARCHAR"}}
}
