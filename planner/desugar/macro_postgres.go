package desugar

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// Functions of PostgreSQL that are short for others.

// arrayBound is array_lower(x, 1) and array_upper(x, 1): 1 and the number of elements, NULL where
// there are none.
func arrayBound(c *ast.Call) ast.Expr {
	one, ok := c.Args[1].(*ast.Literal)
	if !ok || one.Kind != ast.Integer || one.Text != "1" {
		return c
	}
	some := Called(c, "nullif", Called(c, "len", c.Args[0]), whole(c, "0"))
	if strings.EqualFold(c.Name, "array_upper") {
		return some
	}
	return &ast.Case{Span: c.Span, Whens: []ast.When{{Cond: &ast.Is{Span: c.Span, X: some, Not: true}, Then: whole(c, "1")}}}
}

// currentSchemas is the schemas in which names are looked up; the argument says whether that of
// PostgreSQL's own is among them.
func currentSchemas(c *ast.Call) ast.Expr {
	list := func(names ...string) ast.Expr {
		var texts []ast.Expr
		for _, name := range names {
			texts = append(texts, quoted(c, name))
		}
		return Called(c, "list_value", texts...)
	}
	return &ast.Case{Span: c.Span, Whens: []ast.When{{Cond: c.Args[0], Then: list("pg_catalog", "main")}}, Else: list("main")}
}

// dateTruncInZone is date_trunc('day', x, 'Europe/Berlin'): of the local time there.
func dateTruncInZone(c *ast.Call) ast.Expr {
	local := Called(c, "timezone", c.Args[2], c.Args[1])
	return Called(c, "timezone", c.Args[2], Called(c, "date_trunc", c.Args[0], local))
}

// expandArray is a row (x, n) for each element of a list and its number.
func expandArray(c *ast.Call) ast.Expr {
	const n = "pg_n"
	number := &ast.Ident{Span: c.Span, Parts: []string{n}}
	element := &ast.Subscript{Span: c.Span, X: c.Args[0], Index: number}
	row := &ast.Call{Span: c.Span, Name: "struct_pack", Args: []ast.Expr{element, number}, ArgNames: []string{"x", "n"}}
	numbers := Called(c, "generate_series", whole(c, "1"), Called(c, "len", c.Args[0]))
	return Called(c, "unnest", Called(c, "list_transform", numbers, &ast.Lambda{Span: c.Span, Params: []string{n}, Body: row}))
}

// bucketOf is width_bucket(x, bounds): how many of the bounds, which ascend, are not above x. The value
// is that of a list of one element, so that it is computed once: random() is another one each time.
func bucketOf(c *ast.Call) ast.Expr {
	const bound = "pg_bound"
	one := Called(c, "list_transform", Called(c, "list_value", c.Args[0]), lambda(c, func(x ast.Expr) ast.Expr {
		under := &ast.Binary{Span: c.Span, Op: ast.Le, L: &ast.Ident{Span: c.Span, Parts: []string{bound}}, R: x}
		count := Called(c, "len", Called(c, "list_filter", c.Args[1], &ast.Lambda{Span: c.Span, Params: []string{bound}, Body: under}))
		return &ast.Case{Span: c.Span, Whens: []ast.When{{Cond: &ast.Is{Span: c.Span, X: x, Not: true}, Then: count}}}
	}))
	return &ast.Subscript{Span: c.Span, X: one, Index: whole(c, "1")}
}

// quoteNullable is QUOTE_LITERAL, but for NULL.
func quoteNullable(c *ast.Call) ast.Expr {
	return Called(c, "coalesce", Called(c, "quote_literal", asText(c, c.Args[0])), quoted(c, "NULL"))
}

// jsonBuild is JSON_OBJECT and JSON_ARRAY under PostgreSQL's names.
func jsonBuild(c *ast.Call) ast.Expr {
	_, kind, _ := strings.Cut(strings.ToLower(c.Name), "_build_")
	return Called(c, "json_"+kind, c.Args...)
}

// toObject is a cast to regclass and its kin.
func toObject(c *ast.Call) ast.Expr {
	name := strings.ToUpper(strings.TrimPrefix(strings.ToLower(c.Name), "to_"))
	return Cast(&ast.Cast{Span: c.Span, X: c.Args[0], Type: ast.TypeName{Span: c.Span, Name: name}})
}

func whole(c *ast.Call, digits string) ast.Expr {
	return &ast.Literal{Span: c.Span, Kind: ast.Integer, Text: digits}
}
