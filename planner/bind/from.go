package bind

import (
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// from binds what stands in FROM: a node and the names of its columns.
func (b *binder) from(t ast.TableExpr) (logical.Node, *scope, error) {
	switch t := t.(type) {
	case *ast.TableName:
		return b.table(t)
	case *ast.Join:
		return b.join(t)
	}
	return nil, nil, errs.Unsupported("derived tables (a query in FROM)")
}

// table binds a table of the catalog.
func (b *binder) table(t *ast.TableName) (logical.Node, *scope, error) {
	found, path, err := b.find(t.Parts)
	if err != nil {
		return nil, nil, err
	}
	src := &source{alias: t.Alias, path: path}
	for i, c := range found.Columns() {
		src.columns = append(src.columns, scopeColumn{
			Column: vector.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable}, index: i, hidden: c.Hidden, conflict: c.Conflict,
		})
	}
	if err := src.rename(t.Columns); err != nil {
		return nil, nil, err
	}
	return logical.NewScan(found), &scope{sources: []*source{src}}, nil
}

// find looks a table up: parquet.main.t, main.t, t, information_schema.x. path
// is what may stand before its columns.
func (b *binder) find(parts []string) (logical.Table, []string, error) {
	rest := parts
	if len(rest) > 2 && strings.EqualFold(rest[0], "parquet") {
		rest = rest[1:]
	}
	if len(rest) > 1 && strings.EqualFold(rest[0], "main") {
		rest = rest[1:]
	}
	name := strings.Join(rest, ".")
	if len(rest) == 2 && strings.EqualFold(rest[0], "information_schema") {
		name = "information_schema." + strings.ToLower(rest[1])
	}
	t, err := b.env.Catalog.Table(b.ctx, name)
	var missing *errs.NotFoundError
	if errors.As(err, &missing) && len(parts) > len(rest) {
		// A table may itself be called main.t.
		if t, err2 := b.env.Catalog.Table(b.ctx, strings.Join(parts, ".")); err2 == nil {
			return t, parts[len(parts)-1:], nil
		}
	}
	if err != nil {
		return nil, nil, err
	}
	path := []string{"parquet", "main", name}
	if schema, table, ok := strings.Cut(name, "."); ok && schema == "information_schema" {
		path = []string{"parquet", schema, table}
	}
	return t, path, nil
}

// rename gives the visible columns the names of t(a, b).
func (s *source) rename(names []string) error {
	i := 0
	for j := range s.columns {
		if i < len(names) && !s.columns[j].hidden {
			s.columns[j].Name = names[i]
			i++
		}
	}
	if i < len(names) {
		return fmt.Errorf("parquet: %s has %d columns, %d names are given", s.label(), i, len(names))
	}
	return nil
}

// join binds the element tables of a column; other joins are not there.
func (b *binder) join(j *ast.Join) (logical.Node, *scope, error) {
	if j.Kind == ast.Right || j.Kind == ast.Full || j.Natural || j.Using != nil {
		return nil, nil, errs.Unsupported("%s", joinName(j))
	}
	node, sc, err := b.from(j.L)
	if err != nil {
		return nil, nil, err
	}
	t, ok := j.R.(*ast.TableName)
	if !ok {
		return nil, nil, errs.Unsupported("%s with a query or with tables in parentheses", joinName(j))
	}
	src, rest := sc.element(t.Parts)
	if src == nil {
		return nil, nil, errs.Unsupported("%s of two tables (only a repeated field of a table on the left, such as %s.items)", joinName(j), b.example(sc))
	}
	return b.elements(j, node, sc, src, t, rest)
}

func joinName(j *ast.Join) string {
	switch {
	case j.Kind == ast.Comma:
		return "a join"
	case j.Natural:
		return "NATURAL " + j.Kind.String()
	case j.Using != nil:
		return j.Kind.String() + " USING"
	}
	return j.Kind.String()
}

func (b *binder) example(sc *scope) string {
	if len(sc.sources) == 0 {
		return "t"
	}
	return sc.sources[0].label()
}

// element finds the table on the left that a path such as o.items begins with.
func (s *scope) element(parts []string) (*source, []string) {
	for cut := min(len(parts)-1, 3); cut >= 1; cut-- {
		for _, src := range s.sources {
			if src.called(parts[:cut]) {
				return src, parts[cut:]
			}
		}
	}
	return nil, nil
}

// elements unnests the columns along a path, one after the other.
func (b *binder) elements(j *ast.Join, node logical.Node, sc *scope, src *source, t *ast.TableName, path []string) (logical.Node, *scope, error) {
	for {
		c, rest, err := src.list(path)
		if err != nil {
			return nil, nil, err
		}
		u := unnest(node, c, j.Kind == ast.Left)
		src = elementSource(u, len(node.Schema()))
		node, path = u, rest
		if len(rest) > 0 {
			continue // a list within the elements: its own elements are meant
		}
		src.alias = t.Alias
		if src.alias == "" {
			src.alias = t.Parts[len(t.Parts)-1]
		}
		if err := src.rename(t.Columns); err != nil {
			return nil, nil, err
		}
		sc = &scope{sources: append(append([]*source(nil), sc.sources...), src)}
		if j.On == nil {
			return node, sc, nil
		}
		return b.on(j, u, sc)
	}
}

// on checks the condition of an element join: before the NULL row of a LEFT
// JOIN is made, else like WHERE.
func (b *binder) on(j *ast.Join, u *logical.Unnest, sc *scope) (logical.Node, *scope, error) {
	t := typer{b: b, scope: sc, clause: "ON"}
	cond, err := t.condition(j.On)
	if err != nil {
		return nil, nil, err
	}
	c := *u
	c.On = cond
	return &c, sc, nil
}

// list finds the LIST or MAP column that a path begins with.
func (s *source) list(path []string) (*scopeColumn, []string, error) {
	for n := len(path); n >= 1; n-- {
		name := strings.Join(path[:n], ".")
		found, _ := s.find(name)
		if len(found) > 1 {
			return nil, nil, fmt.Errorf("parquet: the column %q is ambiguous", name)
		}
		if len(found) == 0 {
			continue
		}
		if k := found[0].Type.Kind; k == vector.List || k == vector.Map {
			return found[0], path[n:], nil
		}
		if n == len(path) {
			return nil, nil, fmt.Errorf("parquet: %s.%s is no table: the column is a %s, not a repeated field (LIST or MAP)", s.label(), name, found[0].Type.Kind)
		}
	}
	var names []string
	for _, c := range s.columns {
		if c.Type.Kind == vector.List || c.Type.Kind == vector.Map {
			names = append(names, s.label()+"."+c.Name)
		}
	}
	name := s.label() + "." + strings.Join(path, ".")
	return nil, nil, &errs.NotFoundError{Kind: "table", Name: name, Nearest: errs.Nearest(name, names)}
}

// unnest keeps all columns; rules drop those that nobody needs.
func unnest(in logical.Node, c *scopeColumn, outer bool) *logical.Unnest {
	u := &logical.Unnest{In: in, Column: c.index, Pos: true, Outer: outer}
	for i, col := range in.Schema() {
		u.Keep = append(u.Keep, i)
		u.Output = append(u.Output, col)
	}
	for i, e := range vector.ElementColumns(c.Type) {
		col := e.Column
		col.Nullable = col.Nullable || outer
		u.Fields = append(u.Fields, i)
		u.Output = append(u.Output, col)
	}
	u.Output = append(u.Output, vector.Column{Name: "pos", Type: vector.Of(vector.BigInt), Nullable: outer})
	return u
}

// elementSource is the columns that an unnest adds, from the index from. Whole
// structs and pos are there by name only.
func elementSource(u *logical.Unnest, from int) *source {
	src := &source{}
	for i := from; i < len(u.Output); i++ {
		src.columns = append(src.columns, scopeColumn{Column: u.Output[i], index: i, hidden: u.Output[i].Type.Kind == vector.Struct || i == len(u.Output)-1})
	}
	return src
}
