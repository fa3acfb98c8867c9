package bind

import (
	"context"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
	"github.com/parquetsql/parquetsql/vector"
)

// A table is the union of its files, so that its columns and their types need all footers. But
// where conditions on partition columns rule files out, and the query names its columns, the
// other files do: a block over one table is first bound as if the table had no other files. If
// a name is not found then, or anything else fails, it is bound again over all files.
//
// What is safe is kept simple: FROM has one table, and neither *, nor subqueries, nor a sample is
// in the block. A name counts as found only in the columns of FROM: with all files it could not
// mean an alias, or a column of the query around.

// Lister is a Catalog that knows values of a table's files before it opens them.
type Lister interface {
	// Listed is the files of a table; nil: nothing is known of them, or there is no such table.
	Listed(ctx context.Context, name string) (Listed, error)
	// ListedFiles is the same for Catalog.Files.
	ListedFiles(ctx context.Context, paths []string, hive string) (Listed, error)
}

// Listed is the files of a table, not opened, or its folders, not listed.
type Listed interface {
	// Columns are the partition columns.
	Columns() vector.Schema
	Len() int
	// Values has their values in n files, from file from on, one row a file.
	Values(from, n int) (*vector.Batch, error)
	// Some is the same of some files; of folders it is their files. nil: it is not known.
	Some(ctx context.Context, keep []bool) (Listed, error)
	// Table is the table of these files alone; nil: there is none.
	Table(ctx context.Context) (logical.Table, error)
}

// narrowed is a block over the files that the conditions on partition columns leave; nil where that
// are all files, or where it is not known to be right.
func (b *binder) narrowed(q *ast.Query, s *ast.Select, outer *typer) logical.Node {
	names, ok := namesOf(q, s)
	if !ok || s.Where == nil {
		return nil
	}
	bound, tables := b.bound, b.tables
	node := b.overSomeFiles(q, s, outer, names)
	if node == nil { // what was bound does not count twice
		b.bound, b.tables = bound, tables
	}
	return node
}

func (b *binder) overSomeFiles(q *ast.Query, s *ast.Select, outer *typer, names [][]string) logical.Node {
	listed, src := b.listedFrom(s.From, outer)
	if listed == nil {
		return nil
	}
	if listed = b.fewer(listed, src, s.Where); listed == nil {
		return nil
	}
	table, err := listed.Table(b.ctx)
	if table == nil || err != nil {
		return nil // all files are read, and the error comes again
	}
	k := &block{b: b, s: s, outer: outer}
	b.instead = table
	k.node, k.scope, err = b.from(s.From, outer)
	if b.instead = nil; err != nil {
		return nil
	}
	for _, parts := range names {
		if _, err := k.scope.Resolve(parts); err != nil {
			return nil
		}
	}
	node, err := k.bind(q)
	if err != nil {
		return nil
	}
	return node
}

// fewer is what a condition leaves of files or, one after the other, of folders and of the files in
// them; nil: all of it.
func (b *binder) fewer(listed Listed, src *scope.Source, where ast.Expr) (left Listed) {
	defer func(bound int) { b.bound = bound }(b.bound)
	for {
		keep := b.keep(listed, src, where)
		if keep == nil {
			return left
		}
		some, err := listed.Some(b.ctx, keep)
		if some == nil || err != nil {
			return nil // everything is looked at, and the error comes again
		}
		if listed, left = some, some; listed.Len() == 0 {
			return nil
		}
	}
}

// namesOf are the names in a block's expressions; false if it may not be narrowed.
func namesOf(q *ast.Query, s *ast.Select) (names [][]string, ok bool) {
	if s.Sample != nil {
		return nil, false
	}
	ok = true
	look := func(e ast.Expr) {
		if e != nil && ast.HasSubquery(e) {
			ok = false
		}
		ast.Walk(e, func(e ast.Expr) bool {
			switch e := e.(type) {
			case *ast.Star, *ast.Columns, *ast.Nth:
				ok = false
			case *ast.Ident:
				names = append(names, e.Parts)
			}
			return ok
		})
	}
	for _, e := range s.Exprs() {
		look(e)
	}
	for _, o := range q.OrderBy {
		if !isAlias(o.Expr, s.Items) { // which comes before a column
			look(o.Expr)
		}
	}
	return names, ok
}

// isAlias reports whether an expression is the alias of an item.
func isAlias(e ast.Expr, items []ast.Item) bool {
	id, ok := e.(*ast.Ident)
	if !ok || len(id.Parts) != 1 {
		return false
	}
	for _, it := range items {
		if strings.EqualFold(it.Alias, id.Parts[0]) {
			return true
		}
	}
	return false
}

// listedFrom is the files of the only table of FROM, and its name; nil if it is no such table.
func (b *binder) listedFrom(from ast.TableExpr, outer *typer) (Listed, *scope.Source) {
	catalog, ok := b.env.Catalog.(Lister)
	if !ok {
		return nil, nil
	}
	var out Listed
	var err error
	src := &scope.Source{}
	switch t := from.(type) {
	case *ast.TableName:
		if len(t.Columns) > 0 || t.Version != nil || len(t.Parts) == 1 && b.entry(t.Parts[0]) != nil {
			return nil, nil
		}
		for o := outer; o != nil; o = o.outer {
			if element, _ := o.scope.Element(t.Parts); element != nil {
				return nil, nil
			}
		}
		name, path := b.nameOf(t.Parts)
		src.Alias, src.Path = t.Alias, path
		out, err = catalog.Listed(b.ctx, name)
	case *ast.TableFunction:
		if len(t.Columns) > 0 || !isReadParquet(t) {
			return nil, nil
		}
		src.Alias = t.Alias
		var paths []string
		var hive string
		if paths, hive, _, err = b.filesOf(t, outer); err == nil {
			out, err = catalog.ListedFiles(b.ctx, paths, hive)
		}
	}
	if err != nil {
		return nil, nil // it comes again
	}
	return out, src
}

// keep says which files may have rows that satisfy a condition; nil: all, or none.
func (b *binder) keep(listed Listed, src *scope.Source, where ast.Expr) []bool {
	ids := &logical.IDs{}
	var columns []vector.Column
	src.Columns = nil
	for _, c := range listed.Columns() {
		src.Columns = append(src.Columns, scope.Column{Column: logical.Column{ID: ids.New(), Name: c.Name, Type: c.Type, Nullable: c.Nullable}})
		columns = append(columns, c)
	}
	if len(columns) == 0 {
		return nil
	}
	filters := b.partitionFilters(src, where)
	if len(filters) == 0 {
		return nil
	}
	keep, left := make([]bool, listed.Len()), 0
	for from := 0; from < len(keep); from += vector.BatchSize {
		values, err := listed.Values(from, min(vector.BatchSize, len(keep)-from))
		if err != nil {
			return nil
		}
		at := vector.Batch{Len: values.Len, Cols: append([]*vector.Vector{nil}, values.Cols...)} // identities begin with 1
		for _, f := range filters {
			if f.Apply(&at) != nil {
				return nil
			}
		}
		for i := range at.Rows() {
			keep[from+at.Row(i)] = true
			left++
		}
	}
	if left == 0 || left == len(keep) {
		return nil
	}
	return keep
}

// partitionFilters are the conjuncts of a condition that partition columns alone decide.
func (b *binder) partitionFilters(src *scope.Source, where ast.Expr) []*expr.Filter {
	var out []*expr.Filter
	for _, e := range conjunctsOf(where) {
		t := typer{b: b, scope: &scope.Scope{Sources: []*scope.Source{src}}, clause: "WHERE", columnsOnly: true}
		x, err := t.condition(e)
		if err == nil && len(expr.ColumnsOf(x)) > 0 && !expr.CanFail(x) && !expr.IsVolatile(x) {
			out = append(out, expr.NewFilter(x))
		}
	}
	return out
}

// conjunctsOf are the conditions that a condition is the conjunction of.
func conjunctsOf(e ast.Expr) []ast.Expr {
	l, ok := e.(*ast.Logic)
	if !ok || l.Or {
		return []ast.Expr{e}
	}
	var out []ast.Expr
	for _, a := range l.Args {
		out = append(out, conjunctsOf(a)...)
	}
	return out
}
