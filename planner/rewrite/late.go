package rewrite

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

const (
	// maxLate is the largest LIMIT whose projections run after it even where they
	// cannot fail. They are then done by one worker, but for few rows.
	maxLate = 10_000
	// maxCarried is the largest TopN that carries the operands of such projections
	// in place of their results, which may be shorter.
	maxCarried = 1_000
)

// Late projects after LIMIT and OFFSET have dropped rows. An expression that may
// fail must not be evaluated for a row that is not in the result, so it moves
// above LIMIT, and above the sort where no sort key reads it. One that cannot
// fail moves where that saves work.
func Late(q logical.Query) (logical.Node, error) { return bottomUp(q.Root, late) }

func late(n logical.Node) (logical.Node, error) {
	switch n := n.(type) {
	case *logical.Limit:
		switch in := n.In.(type) {
		case *logical.Project:
			small := n.Limit >= 0 && n.Limit <= maxLate && n.Offset <= maxLate
			if small || anyCanFail(in.Items) {
				return lateOver(in, n, in.In)
			}
		case *logical.Sort:
			p, ok := in.In.(*logical.Project)
			if !ok {
				return n, nil
			}
			if above, below := split(merge(p), in.Keys); above != nil && anyCanFail(above.Items) {
				return lateOver(above, n, &logical.Sort{In: below, Keys: in.Keys})
			}
		}
	case *logical.TopN:
		p, ok := n.In.(*logical.Project)
		if !ok {
			return n, nil
		}
		above, below := split(merge(p), n.Keys)
		if above != nil && (n.Limit+n.Offset <= maxCarried || anyCanFail(above.Items)) {
			return lateOver(above, n, below)
		}
	}
	return n, nil
}

// lateOver is the projection over the node, which stands on in and may itself
// have something to project late.
func lateOver(p *logical.Project, n, in logical.Node) (logical.Node, error) {
	n, err := logical.WithInputs(n, []logical.Node{in})
	if err != nil {
		return nil, err
	}
	if n, err = late(n); err != nil {
		return nil, err
	}
	return logical.WithInputs(p, []logical.Node{n})
}

// split makes two projections of one: above computes what no sort key reads,
// below has the keys and what above needs. above is nil where there is nothing
// to move.
func split(p *logical.Project, keys []expr.SortKey) (above, below *logical.Project) {
	var sorted logical.Set
	for _, k := range keys {
		sorted.AddSet(logical.ReadBy(k.Expr))
	}
	var carried logical.Set
	var early []logical.Computed
	above = &logical.Project{In: p.In}
	worth := false
	for _, it := range p.Items {
		_, plain := it.Expr.(*expr.Column)
		switch {
		case it.HandsOn():
			carried.Add(it.ID)
		case sorted.Has(it.ID):
			early = append(early, it)
			it.Expr = it.Ref()
		default:
			carried.AddSet(logical.ReadBy(it.Expr))
			worth = worth || !plain
		}
		above.Items = append(above.Items, it)
	}
	if !worth {
		return nil, nil
	}
	carried.AddSet(sorted)
	below = &logical.Project{In: p.In}
	for _, c := range p.In.Columns() {
		if carried.Has(c.ID) {
			below.Items = append(below.Items, logical.HandOn(c))
		}
	}
	below.Items = append(below.Items, early...)
	return above, below
}

func anyCanFail(items []logical.Computed) bool {
	for _, it := range items {
		if expr.CanFail(it.Expr) {
			return true
		}
	}
	return false
}
