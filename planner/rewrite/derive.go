package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// Derive adds conditions that follow from others, so that each table of a join is
// filtered by what is asked of the tables that it is joined with: of a = b and b = 5,
// a = 5; and of (a = 1 AND b = 2) OR (a = 2 AND b = 1), a = 1 OR a = 2. Only a side
// whose rows without a match are dropped is filtered so.
func Derive(q logical.Query) (logical.Node, error) {
	if !hasJoin(q.Root) {
		return q.Root, nil
	}
	return known{q, map[logical.Node][]expr.Expr{}}.derive(q.Root)
}

// known is the facts of nodes: of many joins over one another, each asks for those of
// all joins below.
type known struct {
	query logical.Query
	by    map[logical.Node][]expr.Expr
}

func (k known) derive(n logical.Node) (logical.Node, error) {
	if j, ok := n.(*logical.Join); ok {
		var err error
		if n, err = k.deriveJoin(j); err != nil {
			return nil, err
		}
	}
	return mapInputs(n, func(_ int, in logical.Node) (logical.Node, error) { return k.derive(in) })
}

func (k known) deriveJoin(j *logical.Join) (logical.Node, error) {
	if err := k.query.Ended(); err != nil {
		return nil, err
	}
	left, right := k.facts(j.L), k.facts(j.R)
	classes := predicate.NewClasses()
	all := slices.Concat(left, right, j.On)
	for _, c := range all {
		if a, b, ok := predicate.EqualColumns(c); ok {
			classes.Add(a, b)
		}
	}
	c := *j
	for _, to := range []struct {
		side  side
		in    *logical.Node
		known []expr.Expr
	}{{leftSide, &c.L, left}, {rightSide, &c.R, right}} {
		if !onReaches(j.Kind, to.side) {
			continue
		}
		target := logical.Made(*to.in)
		more, err := predicate.Moved(all, classes, target, to.known)
		if err != nil {
			return nil, err
		}
		for _, on := range j.On {
			part, err := predicate.Part(on, target)
			if err != nil {
				return nil, err
			}
			if part != nil && !isConst(part) && !predicate.Has(to.known, part) && !predicate.Has(more, part) {
				more = append(more, part)
			}
		}
		*to.in, err = pusher{k.query}.push(*to.in, more)
		if err != nil {
			return nil, err
		}
	}
	if c.L == j.L && c.R == j.R {
		return j, nil
	}
	return &c, nil
}

// facts is conditions that hold for all rows of a node, over its columns.
func (k known) facts(n logical.Node) []expr.Expr {
	out, ok := k.by[n]
	if !ok {
		out = k.compute(n)
		k.by[n] = slices.Clip(out)
	}
	return out
}

func (k known) compute(n logical.Node) []expr.Expr {
	switch n := n.(type) {
	case *logical.Scan:
		return about(n.Filter, logical.Made(n))
	case *logical.Filter:
		return append(k.facts(n.In), n.Conjuncts...)
	case *logical.Project:
		return renamed(k.facts(n.In), n.Items)
	case *logical.Aggregate:
		return renamed(k.facts(n.In), n.Groups)
	case *logical.Sort, *logical.Limit, *logical.Portion, *logical.Sample, *logical.TopN, *logical.Unnest, *logical.Window:
		return about(k.facts(n.Inputs()[0]), logical.Made(n))
	case *logical.With:
		return k.facts(n.Body)
	case *logical.Join:
		switch n.Kind {
		case logical.InnerJoin:
			return slices.Concat(k.facts(n.L), k.facts(n.R), n.On)
		case logical.RightJoin:
			return k.facts(n.R)
		case logical.FullJoin:
			return nil
		}
		return k.facts(n.L)
	}
	return nil
}

// about is the conditions that read columns of the set only.
func about(conditions []expr.Expr, columns logical.Set) []expr.Expr {
	var out []expr.Expr
	for _, c := range conditions {
		if columns.Contains(logical.ReadBy(c)) {
			out = append(out, c)
		}
	}
	return out
}

// renamed is the conditions over the columns that a projection hands on, maybe under
// new identities.
func renamed(conditions []expr.Expr, items []logical.Computed) []expr.Expr {
	by := map[logical.ColumnID]expr.Expr{}
	var from logical.Set
	for _, it := range items {
		if c, ok := it.Expr.(*expr.Column); ok && !from.Has(logical.ColumnID(c.Index)) {
			from.Add(logical.ColumnID(c.Index))
			by[logical.ColumnID(c.Index)] = it.Ref()
		}
	}
	var out []expr.Expr
	for _, c := range about(conditions, from) {
		if moved, err := predicate.Replaced(c, by); err == nil {
			out = append(out, moved)
		}
	}
	return out
}
