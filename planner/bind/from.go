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

// from binds FROM: it returns a node and the names of its columns. outer binds
// names of the query around this one.
func (b *binder) from(t ast.TableExpr, outer *typer) (logical.Node, *scope, error) {
	switch t := t.(type) {
	case *ast.TableName:
		if node, sc, ok, err := b.outerElement(t, outer); ok {
			return node, sc, err
		}
		return b.table(t)
	case *ast.Join:
		return b.join(t, outer)
	case *ast.Derived:
		return b.derived(t, outer)
	}
	return nil, nil, errs.Unsupported("%T", t)
}

// table binds an entry of WITH or a table of the catalog.
func (b *binder) table(t *ast.TableName) (logical.Node, *scope, error) {
	if len(t.Parts) == 1 {
		if c := b.entry(t.Parts[0]); c != nil {
			return b.use(c, t)
		}
	}
	found, path, err := b.find(t.Parts)
	if err != nil {
		return nil, nil, err
	}
	src := &source{alias: t.Alias, path: path}
	node := logical.NewScan(b.ids, found)
	described := found.Description().Columns
	b.tables += 1 + len(described)
	for i, c := range node.Columns() {
		src.columns = append(src.columns, scopeColumn{Column: c, hidden: described[i].Hidden, conflict: described[i].Conflict})
	}
	if err := src.rename(t.Columns); err != nil {
		return nil, nil, err
	}
	return node, &scope{sources: []*source{src}}, nil
}

// find looks up a table: parquet.main.t, main.t, t, information_schema.x. path is
// its full name, which may qualify its columns.
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
		// The name of a table may itself be main.t.
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
		return fmt.Errorf("parquet: %s has %d columns, but its alias names %d", s.label(), i, len(names))
	}
	return nil
}

// element finds the table on the left that begins a path such as o.items.
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

// elementJoin is a join with the element table of a column.
type elementJoin struct {
	b     *binder
	join  *ast.Join
	table *ast.TableName
	outer *typer
}

// bind unnests the columns along a path below a source, one after the other.
func (l *elementJoin) bind(node logical.Node, sc *scope, src *source, path []string) (logical.Node, *scope, error) {
	if j := l.join; j.Kind > ast.Left || j.Natural || j.Asof || j.Using != nil {
		return nil, nil, errs.Unsupported("%s with a repeated field", joinName(j))
	}
	for {
		c, rest, err := src.list(path)
		if err != nil {
			return nil, nil, err
		}
		u := logical.NewUnnest(l.b.ids, node, c.Column, l.join.Kind == ast.Left)
		src = elementSource(u)
		node, path = u, rest
		if len(rest) > 0 {
			continue // the path goes on to a list within the elements
		}
		src.alias = l.table.Alias
		if src.alias == "" {
			src.alias = l.table.Parts[len(l.table.Parts)-1]
		}
		if err := src.rename(l.table.Columns); err != nil {
			return nil, nil, err
		}
		sc = &scope{sources: append(append([]*source(nil), sc.sources...), src)}
		if l.join.On == nil {
			return node, sc, nil
		}
		node, err = l.on(u, sc)
		return node, sc, err
	}
}

// on adds the condition of an element join. A LEFT JOIN evaluates it before it
// makes the row with NULLs.
func (l *elementJoin) on(u *logical.Unnest, sc *scope) (logical.Node, error) {
	t := typer{b: l.b, scope: sc, clause: "ON", outer: l.outer}
	cond, err := t.condition(l.join.On)
	if err != nil {
		return nil, err
	}
	c := *u
	c.On = cond
	return &c, nil
}

// list finds the LIST or MAP column that begins a path.
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
			return nil, nil, fmt.Errorf("parquet: %s.%s is not a table: the column is a %s, not a repeated field (LIST or MAP)", s.label(), name, found[0].Type.Kind)
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

// elementSource is the columns that an unnest adds. * does not
// include whole structs and pos.
func elementSource(u *logical.Unnest) *source {
	src := &source{}
	for _, e := range u.Elements {
		src.columns = append(src.columns, scopeColumn{Column: e.Column, hidden: e.Type.Kind == vector.Struct})
	}
	src.columns = append(src.columns, scopeColumn{Column: u.Pos, hidden: true})
	return src
}
