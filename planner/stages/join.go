package stages

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// join moves a small side to all tasks of the other, or divides both by the hash of the keys. A side
// may be everywhere only if no row of it is in the result by itself: else each task would have that row.
func (c *cutter) join(n *logical.Join) (part, error) {
	bytesLeft, bytesRight := c.bytes(n.L), c.bytes(n.R)
	pairs := keys(n)
	l, r, err := c.sides(n, pairs)
	if err != nil {
		return part{}, err
	}
	right := !n.Kind.PadsLeft()                                        // R may be everywhere
	left := n.Kind == logical.InnerJoin || n.Kind == logical.RightJoin // L may be
	moveRight := right && l.spread && (!r.spread || bytesRight <= c.BroadcastBytes)
	moveLeft := left && r.spread && (!l.spread || bytesLeft <= c.BroadcastBytes)
	switch {
	case !l.spread && !r.spread:
		return over(n, l, r)
	case moveRight && !(moveLeft && n.BuildsLeft()): // the build side moves, if both may
		return over(n, l, c.everywhere(r))
	case moveLeft:
		return over(n, c.everywhere(l), r)
	case len(pairs) > 0:
		return over(n, c.divided(l, leftKeys(pairs)), c.divided(r, rightKeys(pairs)))
	case right && l.spread:
		return over(n, l, c.everywhere(r))
	case left && r.spread:
		return over(n, c.everywhere(l), r)
	case right:
		return over(n, l, c.gathered(r))
	}
	if !c.AllowGather {
		return part{}, gather("a " + n.Kind.String() + " join without an equality")
	}
	return over(n, c.gathered(l), c.gathered(r))
}

// asOf has the right side everywhere.
func (c *cutter) asOf(n *logical.AsOfJoin) (part, error) {
	l, r, err := c.both(n.L, n.R)
	switch {
	case err != nil:
		return part{}, err
	case l.spread:
		return over(n, l, c.everywhere(r))
	}
	return over(n, l, c.gathered(r))
}

// keys are the equalities between the sides of a join whose values have the same hash where they are
// equal. Rows of the right side match only where all are.
func keys(n *logical.Join) (out []keyPair) {
	left, right := logical.Made(n.L), logical.Made(n.R)
	for _, on := range n.On {
		for _, c := range expr.Conjuncts(on) {
			a, b, ok := equality(c)
			if ok && logical.Reads(a, right) {
				a, b = b, a
			}
			if ok && logical.Reads(a, left) && logical.Reads(b, right) && sameHash(a.Type(), b.Type()) && !expr.IsVolatile(c) {
				out = append(out, keyPair{on: c, l: a, r: b})
			}
		}
	}
	return out
}

func leftKeys(pairs []keyPair) (out []expr.Expr) {
	for _, p := range pairs {
		out = append(out, p.l)
	}
	return out
}

func rightKeys(pairs []keyPair) (out []expr.Expr) {
	for _, p := range pairs {
		out = append(out, p.r)
	}
	return out
}

// equality is the two sides of an equality.
func equality(e expr.Expr) (l, r expr.Expr, ok bool) {
	switch e := e.(type) {
	case *expr.Compare:
		return e.L, e.R, e.Op == expr.OpEq
	case *expr.DistinctFrom:
		return e.L, e.R, e.Not
	}
	return nil, nil, false
}

// sameHash reports whether values of two types that are equal are stored the same.
func sameHash(a, b vector.Type) bool {
	return a.Storage() == b.Storage() && a.Storage() != vector.StoreNone && a.Storage() != vector.StoreNested && a.Scale == b.Scale && a.Unit == b.Unit
}
