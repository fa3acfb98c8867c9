package rewrite

import (
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// Outer makes inner joins of outer joins whose rows with NULLs a condition above
// drops, and one-sided joins of FULL JOIN. Conditions move through an inner join on
// both sides, and its inputs may change places.
func Outer(q logical.Query) (logical.Node, error) { return narrowOuter(q.Root, logical.Set{}) }

// narrowOuter is the node with narrower joins. No row that is NULL in a column of
// rejected has an effect on the result.
func narrowOuter(n logical.Node, rejected logical.Set) (logical.Node, error) {
	if j, ok := n.(*logical.Join); ok {
		return narrowJoin(j, rejected)
	}
	below := func(int, logical.Node) logical.Set { return logical.Set{} }
	switch n := n.(type) {
	case *logical.Filter:
		rejected = rejected.Union(predicate.RejectedBy(n.Conjuncts))
		below = func(int, logical.Node) logical.Set { return rejected }
	case *logical.Sort, *logical.Unnest:
		below = func(int, logical.Node) logical.Set { return rejected }
	case *logical.Project:
		below = func(int, logical.Node) logical.Set { return strictOf(n.Items, rejected) }
	case *logical.Aggregate:
		below = func(int, logical.Node) logical.Set { return strictOf(n.Groups, rejected) }
	case *logical.Window:
		below = func(int, logical.Node) logical.Set { return rejected.Intersect(partitioned(n)) }
	case *logical.Union:
		below = func(i int, _ logical.Node) logical.Set {
			var own logical.Set
			for k, c := range n.Output {
				if rejected.Has(c.ID) {
					own.Add(n.From[i][k])
				}
			}
			return own
		}
	case *logical.With:
		below = func(i int, _ logical.Node) logical.Set {
			if i == 0 {
				return logical.Set{}
			}
			return rejected
		}
	case *logical.Apply:
		below = func(i int, _ logical.Node) logical.Set {
			if i == 0 {
				return rejected
			}
			return logical.Set{}
		}
	}
	return mapInputs(n, func(i int, in logical.Node) (logical.Node, error) {
		return narrowOuter(in, below(i, in))
	})
}

// strictOf is the columns that make one of the rejected columns NULL.
func strictOf(items []logical.Computed, rejected logical.Set) logical.Set {
	var out logical.Set
	for _, it := range items {
		if rejected.Has(it.ID) {
			out.AddSet(predicate.Strict(it.Expr))
		}
	}
	return out
}

func narrowJoin(j *logical.Join, rejected logical.Set) (logical.Node, error) {
	s := sidesOf(j)
	kind := j.Kind
	meets := func(side logical.Set) bool { return !rejected.Intersect(side).Empty() }
	if kind == logical.FullJoin && meets(s.left) {
		kind = logical.LeftJoin
	}
	switch {
	case kind == logical.FullJoin && meets(s.right):
		kind = logical.RightJoin
	case kind == logical.LeftJoin && meets(s.right), kind == logical.RightJoin && meets(s.left):
		kind = logical.InnerJoin
	}
	on := predicate.RejectedBy(j.On)
	var below [2]logical.Set
	if !kind.PadsLeft() {
		below[0] = rejected
	}
	if kind.HasRight() && !kind.PadsRight() {
		below[1] = rejected
	}
	if onReaches(kind, leftSide) {
		below[0] = below[0].Union(on)
	}
	if onReaches(kind, rightSide) {
		below[1] = below[1].Union(on)
	}
	c := *j
	c.Kind = kind
	return mapInputs(&c, func(i int, in logical.Node) (logical.Node, error) { return narrowOuter(in, below[i]) })
}
