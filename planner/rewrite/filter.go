package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Filters moves each conjunct of WHERE as far down as it may go: through
// unnesting where it is about the parent only, and into the scan, which skips
// by it what it need not read. A condition that no row can meet leaves no
// rows, and nothing is read for it.
func Filters(n logical.Node) (logical.Node, error) { return bottomUp(n, pushFilter) }

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
			return &logical.Values{Output: f.Schema()}, nil
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
		return pushScan(n, conjuncts)
	case *logical.Unnest:
		return pushUnnest(n, conjuncts)
	case *logical.Filter:
		return push(n.In, append(append([]expr.Expr(nil), n.Conjuncts...), conjuncts...))
	}
	return &logical.Filter{In: n, Conjuncts: conjuncts}, nil
}

func pushScan(s *logical.Scan, conjuncts []expr.Expr) (logical.Node, error) {
	inTable, err := remapAll(conjuncts, func(i int) int { return s.Columns[i].Column })
	if err != nil {
		return nil, err
	}
	c := *s
	c.Filter = append(append([]expr.Expr(nil), s.Filter...), inTable...)
	return &c, nil
}

// pushUnnest takes below what the kept columns decide. The others stay above:
// of a parent whose elements all fail, LEFT JOIN has made a row by then.
func pushUnnest(u *logical.Unnest, conjuncts []expr.Expr) (logical.Node, error) {
	var below, above []expr.Expr
	for _, c := range conjuncts {
		columns := expr.ColumnsOf(c)
		if len(columns) > 0 && columns[len(columns)-1] < len(u.Keep) {
			below = append(below, c)
		} else {
			above = append(above, c)
		}
	}
	below, err := remapAll(below, func(i int) int { return u.Keep[i] })
	if err != nil {
		return nil, err
	}
	in, err := push(u.In, below)
	if err != nil {
		return nil, err
	}
	var n logical.Node = logical.WithInput(u, in)
	if len(above) > 0 {
		n = &logical.Filter{In: n, Conjuncts: above}
	}
	return n, nil
}
