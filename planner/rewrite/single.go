package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Single moves the join with a subquery that is one value for all rows to the table
// whose columns a condition compares with it. In
//
//	FROM sales, days WHERE sales.day = days.id AND days.month = (SELECT MAX(month) FROM days)
//
// the value belongs to days. The condition, which Filters moves down to the value, then
// leaves few days before they are joined. Without this rule it would wait for all pairs.
// That the subquery has several rows is then found even if no pair needs its value, as
// DuckDB finds it.
func Single(q logical.Query) (logical.Node, error) {
	root, err := bottomUp(q.Root, func(n logical.Node) (logical.Node, error) {
		f, ok := n.(*logical.Filter)
		if !ok {
			return n, nil
		}
		in, err := sinkSingles(f.In, f.Conjuncts)
		if err != nil || in == f.In {
			return n, err
		}
		return &logical.Filter{In: in, Conjuncts: f.Conjuncts}, nil
	})
	if err != nil || root == q.Root || slices.Equal(root.Columns().List(), q.Root.Columns().List()) {
		return root, err
	}
	ordered := &logical.Project{In: root}
	for _, c := range q.Root.Columns() {
		ordered.Items = append(ordered.Items, logical.HandOn(c))
	}
	return ordered, nil
}

// sinkSingles moves the single joins at the head of n.
func sinkSingles(n logical.Node, conjuncts []expr.Expr) (logical.Node, error) {
	j, ok := n.(*logical.Join)
	if !ok || j.Kind != logical.SingleJoin {
		return n, nil
	}
	l, err := sinkSingles(j.L, conjuncts)
	if err != nil {
		return nil, err
	}
	if len(j.On) == 0 {
		left, right := logical.Made(l), logical.Made(j.R)
		i := slices.IndexFunc(conjuncts, func(c expr.Expr) bool {
			read := logical.ReadBy(c)
			return !read.Intersect(right).Empty() && !read.Intersect(left).Empty() && right.Union(left).Contains(read)
		})
		if i >= 0 {
			moved, joined, err := sinkSingle(l, j, logical.ReadBy(conjuncts[i]).Intersect(left))
			if err != nil || joined {
				return moved, err
			}
		}
	}
	if l == j.L {
		return j, nil
	}
	return j.Over([]logical.Node{l, j.R})
}

// sinkSingle is n with the single join s at the table below n that has the columns.
// joined says that there is a join above that table: else nothing is gained.
func sinkSingle(n logical.Node, s *logical.Join, columns logical.Set) (moved logical.Node, joined bool, err error) {
	side := 0
	switch n := n.(type) {
	case *logical.Filter:
	case *logical.Join:
		switch {
		case logical.Made(n.L).Contains(columns) && !n.Kind.PadsLeft():
		case n.Kind == logical.InnerJoin && logical.Made(n.R).Contains(columns):
			side = 1
		default:
			side = -1
		}
		joined = side >= 0
	default:
		side = -1
	}
	if side < 0 {
		moved, err = s.Over([]logical.Node{n, s.R})
		return moved, false, err
	}
	moved, err = mapInputs(n, func(i int, in logical.Node) (logical.Node, error) {
		if i != side {
			return in, nil
		}
		in, below, err := sinkSingle(in, s, columns)
		joined = joined || below
		return in, err
	})
	return moved, joined, err
}
