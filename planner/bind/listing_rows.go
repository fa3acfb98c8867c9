package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// Plans of statements that list: SHOW, DESCRIBE and SUMMARIZE (listing_*.go). Their
// rows are tables like others, so that FROM (DESCRIBE t) reads them too.

// TextRows is rows of text columns. A nil pointer is NULL.
func TextRows(ids *logical.IDs, names []string, rows [][]*string) *logical.Values {
	n := &logical.Values{}
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
			v.Texts = vector.Shared
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

// TextColumn is the rows of one text column.
func TextColumn(list []string) [][]*string {
	rows := make([][]*string, len(list))
	for i := range list {
		rows[i] = []*string{&list[i]}
	}
	return rows
}

// describedColumns is the rows of DESCRIBE.
func describedColumns(ids *logical.IDs, schema vector.Schema) *logical.Values {
	yes, no := "YES", "NO"
	var rows [][]*string
	for _, c := range schema {
		name, ty, null := c.Name, c.Type.String(), &yes
		if !c.Nullable {
			null = &no
		}
		rows = append(rows, []*string{&name, &ty, null, nil, nil, nil})
	}
	return TextRows(ids, []string{"column_name", "column_type", "null", "key", "default", "extra"}, rows)
}

// listedTable is the visible columns of a table.
func listedTable(t logical.Table) vector.Schema {
	var out vector.Schema
	for _, c := range t.Description().Columns {
		if !c.Hidden {
			out = append(out, vector.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable})
		}
	}
	return out
}

// likeListing keeps the rows whose first column matches the pattern.
func likeListing(n logical.Node, pattern *string) (logical.Node, error) {
	if pattern == nil {
		return n, nil
	}
	cond, err := expr.NewLike(n.Columns()[0].Ref(), expr.NewConst(vector.StringScalar(*pattern)), nil, false, false)
	if err != nil {
		return nil, err
	}
	return &logical.Filter{In: n, Conjuncts: []expr.Expr{cond}}, nil
}
