package rewrite

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// Marks makes semi and anti joins of mark joins whose mark is a condition and nothing
// else: those of EXISTS and IN in WHERE. NOT IN becomes an anti join only where the
// comparison cannot be NULL. Conditions that a subquery has no part in go below it, LATERAL ones
// included, so that it is about fewer rows. A mark that nothing reads is not computed.
func Marks(q logical.Query) (logical.Node, error) {
	return marks(q.Root, logical.Made(q.Root))
}

// marks is the node with at least the columns in need.
func marks(n logical.Node, need logical.Set) (logical.Node, error) {
	if f, ok := n.(*logical.Filter); ok {
		return marksBelow(f.In, f.Conjuncts, need)
	}
	if j := joinOf(n); j != nil && j.Kind == logical.MarkJoin && !need.Has(j.Mark.ID) {
		return marks(j.L, need)
	}
	needs := needsOf(n, need)
	return mapInputs(n, func(i int, in logical.Node) (logical.Node, error) { return marks(in, needs[i]) })
}

// needsOf is logical.Needs, with columns of other inputs where that saves a walk through
// many joins over one another.
func needsOf(n logical.Node, need logical.Set) []logical.Set {
	if joinOf(n) == nil {
		return logical.Needs(n, need)
	}
	need = need.Union(logical.ReadBy(n.Exprs()...))
	if a, ok := n.(*logical.Apply); ok {
		need.AddSet(logical.Free(a.R))
	}
	return []logical.Set{need, need}
}

// joinOf is the join of a Join or an Apply, nil for other nodes.
func joinOf(n logical.Node) *logical.Join {
	switch n := n.(type) {
	case *logical.Join:
		return n
	case *logical.Apply:
		return &n.Join
	}
	return nil
}

// withJoin is the Join or Apply with another join in it.
func withJoin(n logical.Node, j *logical.Join) logical.Node {
	if _, ok := n.(*logical.Apply); ok {
		return &logical.Apply{Join: *j}
	}
	return j
}

// marksBelow is a node with conjuncts applied above it.
func marksBelow(n logical.Node, conjuncts []expr.Expr, need logical.Set) (logical.Node, error) {
	if len(conjuncts) == 0 {
		return marks(n, need)
	}
	var input int
	var made logical.Set // the columns that the input does not have
	var before int       // as many conjuncts were written before the one that became a join
	switch x := n.(type) {
	case *logical.Filter:
		return marksBelow(x.In, slices.Concat(x.Conjuncts, conjuncts), need)
	case *logical.Project:
		for _, it := range x.Items {
			if !it.HandsOn() {
				made.Add(it.ID)
			}
		}
	case *logical.Join, *logical.Apply:
		j := joinOf(n)
		_, dependent := n.(*logical.Apply)
		if j.Kind.PadsLeft() || j.Kind > logical.SingleJoin || j.Kind == logical.InnerJoin && !dependent {
			return marksAbove(n, conjuncts, need)
		}
		if semi, at := semiOf(j, conjuncts, need); semi != nil {
			n, conjuncts, before = withJoin(n, semi), slices.Delete(slices.Clone(conjuncts), at, at+1), at
		}
		if j = joinOf(n); j.Kind.HasRight() {
			made = logical.Made(j.R)
		}
		made.Add(j.Mark.ID)
	default:
		return marksAbove(n, conjuncts, need)
	}
	drops := joinOf(n) != nil && (joinOf(n).Kind == logical.SemiJoin || joinOf(n).Kind == logical.AntiJoin || joinOf(n).Kind == logical.InnerJoin)
	var below, above []expr.Expr
	for i, c := range conjuncts {
		guarded := expr.CanFail(c) && (drops && i >= before || len(above) > 0)
		if expr.IsVolatile(c) || !logical.ReadBy(c).Intersect(made).Empty() || guarded {
			above = append(above, c)
		} else {
			below = append(below, c)
		}
	}
	need = need.Union(logical.ReadBy(above...))
	needs := needsOf(n, need)
	n, err := mapInputs(n, func(i int, in logical.Node) (logical.Node, error) {
		if i == input {
			return marksBelow(in, below, needs[i])
		}
		return marks(in, needs[i])
	})
	if err != nil {
		return nil, err
	}
	return filtered(n, above), nil
}

// marksAbove leaves the conjuncts where they are.
func marksAbove(n logical.Node, conjuncts []expr.Expr, need logical.Set) (logical.Node, error) {
	n, err := marks(n, need.Union(logical.ReadBy(conjuncts...)))
	if err != nil {
		return nil, err
	}
	return &logical.Filter{In: n, Conjuncts: conjuncts}, nil
}

// semiOf is the semi or anti join that a mark join and the conjunct on its mark are,
// and the place of this conjunct; nil if there is no such join.
func semiOf(j *logical.Join, conjuncts []expr.Expr, need logical.Set) (out *logical.Join, at int) {
	if j.Kind != logical.MarkJoin || need.Has(j.Mark.ID) {
		return nil, 0
	}
	at = -1
	for i, c := range conjuncts {
		if !logical.ReadBy(c).Has(j.Mark.ID) {
			continue
		}
		if at >= 0 {
			return nil, 0
		}
		at = i
	}
	if at < 0 {
		return nil, 0
	}
	c := *j
	out = &c
	out.Mark, out.Test = logical.Column{}, nil
	if j.Test != nil {
		out.On = append(slices.Clip(j.On), expr.Conjuncts(j.Test)...)
	}
	switch x := conjuncts[at].(type) {
	case *expr.Column:
		out.Kind = logical.SemiJoin
	case *expr.Not:
		if _, ok := x.X.(*expr.Column); !ok || j.Test != nil && mayBeNull(j) {
			return nil, 0
		}
		out.Kind = logical.AntiJoin
	default:
		return nil, 0
	}
	return out, at
}

// mayBeNull reports whether the test of a mark join may be NULL.
func mayBeNull(j *logical.Join) bool {
	never := predicate.Required(j.L.Columns())
	never.AddSet(predicate.Required(j.R.Columns()))
	return predicate.Nullable(j.Test, never)
}
