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
	l, r, err := c.sides(n.L, n.R)
	if err != nil {
		return part{}, err
	}
	right := !n.Kind.PadsLeft()                                        // R may be everywhere
	left := n.Kind == logical.InnerJoin || n.Kind == logical.RightJoin // L may be
	moveRight := right && l.spread && (!r.spread || bytesRight <= c.BroadcastBytes)
	moveLeft := left && r.spread && (!l.spread || bytesLeft <= c.BroadcastBytes)
	lkeys, rkeys := keys(n)
	switch {
	case !l.spread && !r.spread:
		return over(n, l, r)
	case moveRight && !(moveLeft && bytesLeft < bytesRight):
		return over(n, l, c.everywhere(r))
	case moveLeft:
		return over(n, c.everywhere(l), r)
	case len(lkeys) > 0:
		return over(n, c.divided(l, lkeys), c.divided(r, rkeys))
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
	l, r, err := c.sides(n.L, n.R)
	switch {
	case err != nil:
		return part{}, err
	case l.spread:
		return over(n, l, c.everywhere(r))
	}
	return over(n, l, c.gathered(r))
}

func (c *cutter) sides(l, r logical.Node) (left, right part, err error) {
	if left, err = c.cut(l); err != nil {
		return left, right, err
	}
	right, err = c.cut(r)
	return left, right, err
}

// keys are the equalities between the sides of a join whose values have the same hash where they are
// equal. Rows of the right side match only where all are.
func keys(n *logical.Join) (l, r []expr.Expr) {
	left, right := logical.Made(n.L), logical.Made(n.R)
	for _, on := range n.On {
		for _, c := range expr.Conjuncts(on) {
			a, b, ok := equality(c)
			if ok && logical.Reads(a, right) {
				a, b = b, a
			}
			if ok && logical.Reads(a, left) && logical.Reads(b, right) && sameHash(a.Type(), b.Type()) && !expr.IsVolatile(c) {
				l, r = append(l, a), append(r, b)
			}
		}
	}
	return l, r
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
