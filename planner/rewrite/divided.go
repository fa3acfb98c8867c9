package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// dividedKeys groups by the values of which LISTs and STRUCTs that are written out are made, instead of these: columns
// are found by words and by the codes of dictionaries, and nothing nested is made of each row. A projection
// above makes them, once for each group. above is nil where there are no such keys.
func dividedKeys(q logical.Query, a *logical.Aggregate) (out *logical.Aggregate, above *logical.Project) {
	out = &logical.Aggregate{In: a.In, Aggs: a.Aggs}
	made := make([]logical.Computed, len(a.Groups))
	var divided []int
	for i, g := range a.Groups {
		if x, _ := writtenOut(a.In, g.Expr); expr.MadeOf(x) != nil && !expr.IsVolatile(x) {
			divided = append(divided, i)
			continue
		}
		made[i] = logical.HandOn(g.Column)
		out.Groups = append(out.Groups, g)
	}
	if len(divided) == 0 {
		return a, nil
	}
	for _, i := range divided {
		g := a.Groups[i]
		x, within := writtenOut(a.In, g.Expr)
		var columns []expr.Expr
		for _, part := range expr.MadeOf(x) {
			if within {
				part = beside(q, out, part)
			}
			columns = append(columns, keyOf(q, out, part).Ref())
		}
		made[i] = logical.Computed{Column: g.Column, Expr: expr.Remade(x, columns)}
	}
	for _, agg := range a.Aggs {
		made = append(made, logical.HandOn(agg.Column))
	}
	return out, &logical.Project{In: out, Items: made}
}

// writtenOut is a key, or what a projection below computes as that column.
func writtenOut(in logical.Node, key expr.Expr) (x expr.Expr, within bool) {
	c, ok := key.(*expr.Column)
	p, below := in.(*logical.Project)
	if !ok || !below {
		return key, false
	}
	i := slices.IndexFunc(p.Items, func(item logical.Computed) bool { return int(item.ID) == c.Index })
	return p.Items[i].Expr, true
}

// beside is x, over the input of the projection below a, as a column of that projection.
func beside(q logical.Query, a *logical.Aggregate, x expr.Expr) expr.Expr {
	p := a.In.(*logical.Project)
	column := columnOf(q, p.In, x)
	i := slices.IndexFunc(p.Items, func(item logical.Computed) bool { return item.ID == column.ID || expr.Equal(item.Expr, x) })
	if i < 0 {
		i = len(p.Items)
		p = &logical.Project{In: p.In, Items: append(slices.Clone(p.Items), logical.Computed{Column: column, Expr: x})}
		a.In = p
	}
	return p.Items[i].Ref()
}
