package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Filters moves each conjunct as far down as it may go: through projections and
// unnesting where it reads only columns that they hand on, and into the scan,
// which skips by it what need not be read. A condition that no row can meet
// leaves no rows, and nothing is read for it.
func Filters(q logical.Query) (logical.Node, error) { return bottomUp(q.Root, pushFilter) }

func pushFilter(n logical.Node) (logical.Node, error) {
	f, ok := n.(*logical.Filter)
	if !ok {
		return n, nil
	}
	var conjuncts []expr.Expr
	for _, c := range f.Conjuncts {
		k, ok := c.(*expr.Const)
		switch {
		case !ok:
			conjuncts = append(conjuncts, c)
		case k.Value.Null || !k.Value.Bool:
			return &logical.Values{Output: f.Columns()}, nil
		}
	}
	return push(f.In, conjuncts)
}

// push is the node with conjuncts applied at or below it.
func push(n logical.Node, conjuncts []expr.Expr) (logical.Node, error) {
	if len(conjuncts) == 0 {
		return n, nil
	}
	switch n := n.(type) {
	case *logical.Scan:
		c := *n
		c.Filter = slices.Concat(n.Filter, conjuncts)
		return &c, nil
	case *logical.Filter:
		return push(n.In, slices.Concat(n.Conjuncts, conjuncts))
	case *logical.Project, *logical.Unnest:
		return pushThrough(n, conjuncts)
	}
	return &logical.Filter{In: n, Conjuncts: conjuncts}, nil
}

// pushThrough takes below a node what the columns of its input decide. The
// others stay above: a projection computes what they read; and of a parent whose
// elements all fail, LEFT JOIN has made a row before WHERE is asked. A conjunct
// that may raise an error stays above as well where one that the user wrote before
// it does: that one may be what keeps the error away.
func pushThrough(n logical.Node, conjuncts []expr.Expr) (logical.Node, error) {
	in := n.Inputs()[0]
	from := in.Columns().IDs()
	u, ok := n.(*logical.Unnest)
	guarded := ok && u.On != nil && !u.Outer
	var below, above []expr.Expr
	for _, c := range conjuncts {
		read := logical.ReadBy(c)
		if !read.Empty() && from.Contains(read) && !((guarded || len(above) > 0) && expr.CanFail(c)) {
			below = append(below, c)
		} else {
			above = append(above, c)
		}
	}
	in, err := push(in, below)
	if err != nil {
		return nil, err
	}
	if n, err = logical.WithInputs(n, []logical.Node{in}); err != nil || len(above) == 0 {
		return n, err
	}
	return &logical.Filter{In: n, Conjuncts: above}, nil
}
