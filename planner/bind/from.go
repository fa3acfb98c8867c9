package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
)

// from binds FROM: it returns a node and the names of its columns. outer binds
// names of the query around this one.
func (b *binder) from(t ast.TableExpr, outer *typer) (logical.Node, *scope.Scope, error) {
	n, sc, err := b.tableExpr(t, outer)
	var missing *errs.NotFoundError
	if errors.As(err, &missing) || errors.Is(err, errs.ErrUnsupported) {
		err = errs.At(t.Start(), t.Stop(), err)
	}
	return n, sc, aboutNames(t, err)
}

func (b *binder) tableExpr(t ast.TableExpr, outer *typer) (logical.Node, *scope.Scope, error) {
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
	case *ast.Pivot:
		return b.pivot(t, outer)
	case *ast.Unpivot:
		return b.unpivot(t, outer)
	case *ast.Sampled:
		node, sc, err := b.from(t.Table, outer)
		if err != nil {
			return nil, nil, err
		}
		node, err = sampleOf(b.ids, node, t.Sample, b.seed())
		return node, sc, err
	case *ast.Listing:
		return b.listing(t, outer)
	case *ast.TableFunction:
		return b.tableFunction(t, outer)
	}
	return nil, nil, errs.Unsupported("%T", t)
}

// seed is another one for each sample and each query.
func (b *binder) seed() uint64 {
	return uint64(b.env.Now.UnixNano()) + uint64(b.bound)<<32 + uint64(b.tables)
}

// table binds an entry of WITH or a table of the catalog.
func (b *binder) table(t *ast.TableName) (logical.Node, *scope.Scope, error) {
	if len(t.Parts) == 1 && t.Version == nil {
		if c := b.entry(t.Parts[0]); c != nil {
			return b.use(c, t)
		}
	}
	look, err := b.lookUp(t.Version)
	if err != nil {
		return nil, nil, err
	}
	found, path, err := b.findBy(t.Parts, look)
	if q := b.view(t.Parts, err); q != nil && t.Version == nil {
		alias := t.Alias
		if alias == "" {
			alias = t.Parts[len(t.Parts)-1]
		}
		node, sc, err := b.elsewhere(&ast.Derived{Span: t.Span, Query: q, Alias: alias, Columns: t.Columns}, nil)
		if err == nil {
			hideSystemColumn(sc.Sources[0])
			if t.Alias == "" { // its columns may have the name of its schema: pg_catalog.pg_class.oid
				sc.Sources[0].Alias, sc.Sources[0].Path = "", viewPath(t.Parts)
			}
		}
		return node, sc, err
	}
	if err != nil {
		return nil, nil, otherSchema(t.Parts, look, err)
	}
	src := &scope.Source{Alias: t.Alias, Path: path}
	node := b.scan(src, found)
	if strings.ContainsAny(t.Parts[len(t.Parts)-1], "./*?[") { // a path
		src.NameFileColumns()
	}
	if err := src.Rename(t.Columns); err != nil {
		return nil, nil, err
	}
	return node, &scope.Scope{Sources: []*scope.Source{src}}, nil
}

// otherSchema says of public.t that the schema of tables is main.
func otherSchema(parts []string, look func(name string) (logical.Table, error), err error) error {
	var missing *errs.NotFoundError
	if len(parts) != 2 || !errors.As(err, &missing) {
		return err
	}
	if _, unknown := look(parts[1]); unknown != nil {
		return err
	}
	missing.Nearest, missing.Hint = nil, fmt.Sprintf("the schema of tables is main: main.%[1]s, or %[1]s alone", errs.Written(parts[1]))
	return err
}

// viewPath is the name of a view with that of its schema.
func viewPath(parts []string) []string {
	if len(parts) == 1 && strings.HasPrefix(strings.ToLower(parts[0]), "pg_") {
		return []string{"pg_catalog", parts[0]}
	}
	return parts
}

// hideSystemColumn makes * leave out the column that views of PostgreSQL's catalog have behind
// their own.
func hideSystemColumn(src *scope.Source) {
	if last := &src.Columns[len(src.Columns)-1]; last.Name == desugar.SystemColumn {
		last.Hidden = true
	}
}

// view is the query of a name that find did not find; nil if there is none.
func (b *binder) view(parts []string, err error) *ast.Query {
	var missing *errs.NotFoundError
	if b.env.View == nil || !errors.As(err, &missing) {
		return nil
	}
	return b.env.View(parts)
}

// scan reads a table; src gets its columns.
func (b *binder) scan(src *scope.Source, t logical.Table) logical.Node {
	node := logical.NewScan(b.ids, t)
	described := t.Description().Columns
	b.tables += 1 + len(described)
	src.Columns = slices.Grow(src.Columns, len(described))
	for i, c := range node.Columns() {
		src.Columns = append(src.Columns, scope.Column{Column: c, Hidden: described[i].Hidden, Conflict: described[i].Conflict})
	}
	return node
}

// nameOf is the name of a table: parquet.main.t, main.t, t, information_schema.x. path is
// its full name, which may qualify its columns.
func (b *binder) nameOf(parts []string) (name string, path []string) {
	if len(parts) > 2 && strings.EqualFold(parts[0], "parquet") {
		parts = parts[1:]
	}
	if len(parts) > 1 && strings.EqualFold(parts[0], "main") {
		parts = parts[1:]
	}
	name = strings.Join(parts, ".")
	if len(parts) == 2 && strings.EqualFold(parts[0], "information_schema") {
		name = "information_schema." + strings.ToLower(parts[1])
	}
	if schema, table, ok := strings.Cut(name, "."); ok && schema == "information_schema" {
		return name, []string{"parquet", schema, table}
	}
	return name, []string{"parquet", "main", name}
}

// find looks up a table.
func (b *binder) find(parts []string) (logical.Table, []string, error) {
	look, _ := b.lookUp(nil)
	return b.findBy(parts, look)
}

func (b *binder) findBy(parts []string, look func(name string) (logical.Table, error)) (logical.Table, []string, error) {
	name, path := b.nameOf(parts)
	t, err := look(name)
	var missing *errs.NotFoundError
	if whole := strings.Join(parts, "."); errors.As(err, &missing) && whole != name {
		// The name of a table may itself be main.t.
		t2, err2 := look(whole)
		if err2 == nil && t2.Description().Path == nil {
			return t2, parts[len(parts)-1:], nil
		}
		if !errors.As(err2, &missing) {
			t, err = t2, err2
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if own := t.Description().Path; own != nil {
		path = append([]string{"parquet"}, own...)
	}
	return t, path, nil
}

// elementJoin is a join with the element table of a column.
type elementJoin struct {
	b     *binder
	join  *ast.Join
	table *ast.TableName
	outer *typer
}

// bind unnests the columns along a path below a source, one after the other.
func (l *elementJoin) bind(node logical.Node, sc *scope.Scope, src *scope.Source, path []string) (logical.Node, *scope.Scope, error) {
	if j := l.join; j.Kind > ast.Left || j.Natural || j.Asof || j.Using != nil {
		return nil, nil, errs.Unsupported("%s with a repeated field", j.Written())
	}
	for {
		c, rest, err := src.List(path)
		if err != nil {
			return nil, nil, err
		}
		u := logical.NewUnnest(l.b.ids, node, c.Column, l.join.Kind == ast.Left)
		src = scope.Elements(u)
		node, path = u, rest
		if len(rest) > 0 {
			continue // the path goes on to a list within the elements
		}
		src.Alias = l.table.Alias
		if src.Alias == "" {
			src.Alias = l.table.Parts[len(l.table.Parts)-1]
		}
		if err := src.Rename(l.table.Columns); err != nil {
			return nil, nil, err
		}
		sc = &scope.Scope{Sources: append(append([]*scope.Source(nil), sc.Sources...), src)}
		if l.join.On == nil {
			return node, sc, nil
		}
		node, err = l.on(u, sc)
		return node, sc, err
	}
}

// on adds the condition of an element join. A LEFT JOIN evaluates it before it
// makes the row with NULLs.
func (l *elementJoin) on(u *logical.Unnest, sc *scope.Scope) (logical.Node, error) {
	t := typer{b: l.b, scope: sc, clause: "ON", outer: l.outer}
	cond, err := t.condition(l.join.On)
	if err != nil {
		return nil, err
	}
	c := *u
	c.On = cond
	return &c, nil
}
