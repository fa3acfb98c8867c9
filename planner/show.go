package planner

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/reference"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/lower"
	"github.com/parquetsql/parquetsql/vector"
)

// text is a node of text columns. A nil pointer is NULL.
func text(names []string, rows [][]*string) *logical.Values {
	n, ids := &logical.Values{}, &logical.IDs{}
	for i, name := range names {
		c := logical.Column{ID: ids.New(), Name: name, Type: vector.Of(vector.Varchar)}
		for _, r := range rows {
			c.Nullable = c.Nullable || r[i] == nil
		}
		n.Output = append(n.Output, c)
	}
	for len(rows) > 0 {
		part := rows[:min(len(rows), vector.BatchSize)]
		rows = rows[len(part):]
		b := &vector.Batch{Len: len(part)}
		for i, c := range n.Output {
			v := vector.New(c.Type, len(part))
			for j, r := range part {
				if r[i] == nil {
					v.SetNull(j)
				} else {
					v.Str[j] = *r[i]
				}
			}
			b.Cols = append(b.Cols, v)
		}
		n.Batches = append(n.Batches, b)
	}
	return n
}

func column(list []string) [][]*string {
	rows := make([][]*string, len(list))
	for i := range list {
		rows[i] = []*string{&list[i]}
	}
	return rows
}

// like keeps the rows whose first column matches the pattern.
func (r *run) like(n logical.Node, pattern *string) (*lower.Plan, error) {
	if pattern != nil {
		cond, err := expr.NewLike(n.Columns()[0].Ref(), expr.NewConst(vector.StringScalar(*pattern)), nil, false, false)
		if err != nil {
			return nil, err
		}
		n = &logical.Filter{In: n, Conjuncts: []expr.Expr{cond}}
	}
	return r.start(n)
}

func (r *run) show(s *ast.Show) (*lower.Plan, error) {
	switch s.Kind {
	case ast.ShowTables:
		return r.like(text([]string{"name"}, column(r.session.Snapshot.TableNames())), s.Like)
	case ast.ShowDatabases:
		return r.like(text([]string{"database_name"}, column([]string{"main"})), s.Like)
	case ast.ShowFunctions:
		return r.like(showFunctions(), s.Like)
	case ast.ShowCreate:
		return r.showCreate(s.Table)
	}
	return nil, errs.Unsupported("SHOW")
}

// showFunctions has a row for each name and signature of a function.
func showFunctions() logical.Node {
	var rows [][]*string
	for _, f := range reference.Rows() {
		signature, example := f.Name+f.Signature.String(), f.Example
		if f.Result != "" {
			example += " → " + f.Result
		}
		rows = append(rows, []*string{&f.Name, &f.Kind, &signature, &f.Help, &example})
	}
	return text([]string{"name", "type", "signature", "help", "example"}, rows)
}

// showCreate writes the CREATE TABLE statement that describes the table.
func (r *run) showCreate(name *ast.TableName) (*lower.Plan, error) {
	t, err := bind.Table(r.ctx, r.env, name.Parts)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, c := range t.Description().Columns {
		if c.Hidden {
			continue
		}
		line := "  " + quote(c.Name) + " " + c.Type.String()
		if !c.Nullable {
			line += " NOT NULL"
		}
		lines = append(lines, line)
	}
	table := t.Description().Name
	create := "CREATE TABLE " + quote(table) + " (\n" + strings.Join(lines, ",\n") + "\n)"
	return r.start(text([]string{"Table", "Create Table"}, [][]*string{{&table, &create}}))
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

var describeColumns = []string{"column_name", "column_type", "null", "key", "default", "extra"}

func (r *run) describe(s *ast.Describe) (*lower.Plan, error) {
	var schema vector.Schema
	if s.Query != nil {
		n, err := bind.Query(r.ctx, r.env, s.Query)
		if err != nil {
			return nil, err
		}
		schema = n.Root.Columns().Schema()
	} else {
		t, err := bind.Table(r.ctx, r.env, s.Table.Parts)
		if err != nil {
			return nil, err
		}
		for _, c := range t.Description().Columns {
			if !c.Hidden {
				schema = append(schema, vector.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable})
			}
		}
	}
	yes, no := "YES", "NO"
	var rows [][]*string
	for _, c := range schema {
		name, ty, null := c.Name, c.Type.String(), &yes
		if !c.Nullable {
			null = &no
		}
		rows = append(rows, []*string{&name, &ty, null, nil, nil, nil})
	}
	return r.like(text(describeColumns, rows), s.Like)
}
