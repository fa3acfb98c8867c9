package rewrite

import (
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// Nearest finds the one row that is taken of each group of a join by an inequality, where it is the nearest one that
// satisfies it, by an ASOF JOIN: the pairs, of which there are many more than rows, are not made. That is what
// becomes of subqueries which look for the event before or after a row.
//
//	SELECT x.id, MIN(y.id) FROM x, y WHERE y.a = x.a AND y.id > x.id GROUP BY x.id, x.a
//	SELECT x.id, y.id FROM x ASOF JOIN y ON y.a = x.a AND y.id > x.id, if each x.id and x.a is there once
func Nearest(q logical.Query) (logical.Node, error) {
	est := estimatedAtNeed(q)
	return bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		a, ok := n.(*logical.Aggregate)
		if !ok || len(a.Aggs) == 0 || len(a.Groups) == 0 {
			return n, nil
		}
		nearest, err := nearestOf(est, a)
		if nearest == nil || err != nil {
			return n, err
		}
		return nearest, nil
	})
}

// estimatedAtNeed makes an estimator of a query when it is first asked for: statistics may have to be read.
func estimatedAtNeed(q logical.Query) func() *estimate.Estimator {
	return sync.OnceValue(func() *estimate.Estimator {
		est := estimate.New(q.Statistics)
		est.Of(q.Root) // the rows that WITH makes come before those who read them
		return est
	})
}

// nearestOf is the projection of an ASOF JOIN that has the rows of a; nil if there is none.
func nearestOf(est func() *estimate.Estimator, a *logical.Aggregate) (logical.Node, error) {
	in, made := a.In, map[logical.ColumnID]expr.Expr{}
	if p, ok := in.(*logical.Project); ok {
		for _, item := range p.Items {
			made[item.ID] = item.Expr
		}
		in = p.In
	}
	j, ok := in.(*logical.Join)
	if !ok || j.Kind != logical.InnerJoin {
		return nil, nil
	}
	out := &logical.Project{}
	groups := logical.Set{}
	for _, g := range a.Groups {
		e, err := predicate.Replaced(g.Expr, made)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, logical.Computed{Column: g.Column, Expr: e})
		if c, ok := e.(*expr.Column); ok {
			groups.Add(logical.ColumnID(c.Index))
		}
	}
	l, r := j.L, j.R
	if !eachOnce(l, groups) {
		l, r = r, l
	}
	if !eachOnce(l, groups) {
		return nil, nil
	}
	for _, g := range out.Items {
		if !logical.Reads(g.Expr, logical.Made(l)) || expr.IsVolatile(g.Expr) {
			return nil, nil
		}
	}
	asOf := logical.NewAsOfJoin(logical.InnerJoin, l, r, j.On)
	if asOf == nil || !runs(asOf) {
		return nil, nil
	}
	greatest := asOf.Op == expr.OpGe || asOf.Op == expr.OpGt
	for _, g := range a.Aggs {
		b, ok := g.Call.Best()
		if !ok || b.Greatest != greatest {
			return nil, nil
		}
		key, err := predicate.Replaced(b.Key, made)
		if err != nil {
			return nil, err
		}
		value, err := predicate.Replaced(b.Value, made)
		if err != nil {
			return nil, err
		}
		if !expr.Equal(key, asOf.Right) || expr.IsVolatile(value) {
			return nil, nil
		}
		out.Items = append(out.Items, logical.Computed{Column: g.Column, Expr: value})
	}
	if est().Of(j).Count <= est().Of(r).Count {
		return nil, nil
	}
	out.In = asOf
	return out, nil
}

// eachOnce reports whether a node has each combination of values of some columns in one row only: it is a DISTINCT or
// GROUP BY of them.
func eachOnce(n logical.Node, columns logical.Set) bool {
	a, ok := n.(*logical.Aggregate)
	return ok && !slices.ContainsFunc(a.Groups, func(g logical.Computed) bool { return !columns.Has(g.ID) })
}

// runs reports whether there is an operator for an ASOF JOIN: values are compared as they are stored.
func runs(j *logical.AsOfJoin) bool {
	if !vector.Sortable(j.Right.Type()) || j.Left.Type().Storage() != j.Right.Type().Storage() || j.Right.Type().Kind == vector.Boolean ||
		slices.ContainsFunc(append(j.On, j.Left, j.Right), expr.IsVolatile) {
		return false
	}
	return !slices.ContainsFunc(j.On, func(e expr.Expr) bool {
		both := e.Children() // of an equality, says NewAsOfJoin
		l, r := both[0].Type(), both[1].Type()
		return l.IsNested() || r.IsNested() || l.Storage() != r.Storage() || l.Storage() == vector.StoreNone
	})
}
