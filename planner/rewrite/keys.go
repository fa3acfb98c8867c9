package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Keys takes from GROUP BY the keys that are constant, equal to another one, computed
// from other ones, or LISTs and STRUCTs of others. A projection above makes them, once for each group.
func Keys(q logical.Query) (logical.Node, error) {
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		a, ok := n.(*logical.Aggregate)
		if !ok {
			return n, nil
		}
		a, above := dividedKeys(q, a)
		fewer, err := fewerKeys(a)
		if above == nil || err != nil {
			return fewer, err
		}
		above.In = fewer
		return above, nil
	})
}

func fewerKeys(a *logical.Aggregate) (logical.Node, error) {
	plain := map[logical.ColumnID]logical.Column{} // by the column of the input
	for _, g := range a.Groups {
		if c, ok := g.Expr.(*expr.Column); ok && sameIfEqual(c.T) {
			if _, again := plain[logical.ColumnID(c.Index)]; !again {
				plain[logical.ColumnID(c.Index)] = g.Column
			}
		}
	}
	out := &logical.Aggregate{In: a.In, Aggs: a.Aggs}
	above := &logical.Project{In: out}
	var known expr.Index // of out.Groups
	for i, g := range a.Groups {
		last := i == len(a.Groups)-1 && len(out.Groups) == 0 // without keys there is a row for no rows
		made, err := fromKeys(g, plain)
		if same := known.Find(g.Expr, func(i int) expr.Expr { return out.Groups[i].Expr }); same >= 0 && !expr.IsVolatile(g.Expr) {
			made = out.Groups[same].Ref()
		}
		switch {
		case err != nil:
			return nil, err
		case made == nil || last:
			known.Add(g.Expr, len(out.Groups))
			out.Groups = append(out.Groups, g)
			above.Items = append(above.Items, logical.HandOn(g.Column))
		default:
			above.Items = append(above.Items, logical.Computed{Column: g.Column, Expr: made})
		}
	}
	if len(out.Groups) == len(a.Groups) {
		return a, nil
	}
	for _, agg := range a.Aggs {
		above.Items = append(above.Items, logical.HandOn(agg.Column))
	}
	return above, nil
}

// fromKeys is a key as an expression over the columns of keys that are plain columns; nil
// if the key must stay.
func fromKeys(g logical.Computed, plain map[logical.ColumnID]logical.Column) (expr.Expr, error) {
	if expr.IsVolatile(g.Expr) {
		return nil, nil
	}
	if _, ok := g.Expr.(*expr.Column); ok {
		return nil, nil
	}
	for _, id := range expr.ColumnsOf(g.Expr) {
		if _, ok := plain[logical.ColumnID(id)]; !ok {
			return nil, nil
		}
	}
	return expr.Transform(g.Expr, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok {
			return plain[logical.ColumnID(c.Index)].Ref()
		}
		return e
	})
}
