package bind

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
	"github.com/parquetsql/parquetsql/vector"
)

// listing binds a statement that lists, in FROM.
func (b *binder) listing(l *ast.Listing, outer *typer) (logical.Node, *scope.Scope, error) {
	node, err := b.listed(l.Statement, outer)
	if err != nil {
		return nil, nil, err
	}
	src := &scope.Source{Alias: l.Alias}
	if l.Alias == "" {
		src.Alias = "unnamed_subquery"
	}
	src.Columns, err = scope.Distinct(src.Alias, node.Columns(), l.Columns)
	return node, &scope.Scope{Sources: []*scope.Source{src}}, err
}

// listed is the rows of a statement.
func (b *binder) listed(s ast.Statement, outer *typer) (logical.Node, error) {
	switch s := s.(type) {
	case *ast.Show:
		return b.show(s)
	case *ast.Set:
		return setListing(b.ids, s)
	case *ast.Describe:
		schema, err := b.described(s, outer)
		if n := listedSetting(b.ids, s, err); n != nil {
			return n, nil
		}
		if err != nil {
			var missing *errs.NotFoundError
			if s.Table != nil && errors.As(err, &missing) {
				err = errs.At(s.Table.Start(), s.Table.Stop(), err)
			}
			return nil, err
		}
		return likeListing(describedColumns(b.ids, schema), s.Like)
	case *ast.Summarize:
		n, err := b.query(s.Query, outer)
		if err != nil {
			return nil, err
		}
		return summarizedRows(b.ids, n)
	}
	return nil, fmt.Errorf("a %T cannot be a table", s)
}

// described is the columns of a query or a table.
func (b *binder) described(s *ast.Describe, outer *typer) (vector.Schema, error) {
	if s.Query != nil {
		n, err := b.query(s.Query, outer)
		if err != nil {
			return nil, err
		}
		return n.Columns().Schema(), nil
	}
	if len(s.Table.Parts) == 1 && b.entry(s.Table.Parts[0]) != nil {
		n, _, err := b.table(s.Table)
		if err != nil {
			return nil, err
		}
		return n.Columns().Schema(), nil
	}
	t, _, err := b.find(s.Table.Parts)
	if q := b.view(s.Table.Parts, err); q != nil {
		n, err := b.query(q, nil)
		if err != nil {
			return nil, err
		}
		schema := n.Columns().Schema()
		if last := len(schema) - 1; schema[last].Name == desugar.SystemColumn {
			schema = schema[:last]
		}
		return schema, nil
	}
	if err != nil {
		return nil, err
	}
	return listedTable(t), nil
}

func (b *binder) show(s *ast.Show) (logical.Node, error) {
	if s.Table != nil && s.Kind != ast.ShowCreate { // a table may have the name of a list
		if t, _, err := b.find(s.Table.Parts); err == nil {
			return describedColumns(b.ids, listedTable(t)), nil
		}
	}
	switch s.Kind {
	case ast.ShowSettings, ast.ShowSetting, ast.ShowNothing:
		return listedSettings(b.ids, s)
	case ast.ShowWarnings:
		return b.warnings(s)
	case ast.ShowTables:
		names, err := b.tableNames(s.Name)
		if err != nil {
			return nil, err
		}
		return likeListing(TextRows(b.ids, []string{"name"}, TextColumn(names)), s.Like)
	case ast.ShowAllTables:
		return b.allTables()
	case ast.ShowDatabases:
		names, err := b.schemaNames()
		if err != nil {
			return nil, err
		}
		return likeListing(TextRows(b.ids, []string{"database_name"}, TextColumn(names)), s.Like)
	case ast.ShowFunctions:
		return likeListing(listedFunctions(b.ids), s.Like)
	case ast.ShowCreate:
		t, _, err := b.find(s.Table.Parts)
		if err != nil {
			return nil, err
		}
		name, create := t.Description().Name, createText(t)
		return TextRows(b.ids, []string{"Table", "Create Table"}, [][]*string{{&name, &create}}), nil
	}
	return nil, errs.Unsupported("SHOW")
}

// Schemas is a Catalog whose tables are in several schemas.
type Schemas interface {
	SchemaNames(ctx context.Context) ([]string, error)
	// TablesOf lists the tables of a schema as Table finds them.
	TablesOf(ctx context.Context, schema string) ([]string, error)
}

func (b *binder) schemaNames() ([]string, error) {
	if c, ok := b.env.Catalog.(Schemas); ok {
		return c.SchemaNames(b.ctx)
	}
	return []string{"main"}, nil
}

// tableNames are the tables of a schema; "" means all.
func (b *binder) tableNames(schema string) ([]string, error) {
	if c, ok := b.env.Catalog.(Schemas); ok && schema != "" {
		return c.TablesOf(b.ctx, schema)
	}
	return b.env.Catalog.TableNames(b.ctx)
}

// leavesOut is a Catalog of whose files some are in no table.
type leavesOut interface {
	// LeftOut says which they are and what would help, "" if there are none.
	LeftOut(ctx context.Context) (string, error)
}

// warnings is SHOW WARNINGS, with MySQL's columns: why a table may be missing.
func (b *binder) warnings(s *ast.Show) (logical.Node, error) {
	text := ""
	if c, ok := b.env.Catalog.(leavesOut); ok {
		var err error
		if text, err = c.LeftOut(b.ctx); err != nil {
			return nil, err
		}
	}
	var rows [][]*string
	if text != "" {
		level, code := "Warning", "0"
		rows = append(rows, []*string{&level, &code, &text})
	}
	return TextRows(b.ids, strings.Fields(s.Name), rows), nil
}

// allTables lists the tables with their columns. A table that cannot be read has none.
func (b *binder) allTables() (logical.Node, error) {
	all, err := b.env.Catalog.TableNames(b.ctx)
	if err != nil {
		return nil, err
	}
	found := make([]logical.Table, len(all))
	for i, name := range all {
		if err := b.ctx.Err(); err != nil {
			return nil, err
		}
		if t, err := b.env.Catalog.Table(b.ctx, name); err == nil {
			found[i] = t
		}
	}
	return listedTables(b.ids, all, found)
}
