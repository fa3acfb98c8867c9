package logical

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/geometry/spatial"
	"github.com/parquetsql/parquetsql/vector"
)

// Boxes are geometries of the two sides of a join whose boxes overlap, after one was
// expanded by the distance, in all pairs that match.
type Boxes struct {
	L, R     expr.Expr // both GEOMETRY or both GEOGRAPHY
	Distance float64
	By       expr.Expr // the distance, if it is a value of one side; nil: it is Distance
}

// Boxes are those by which the join finds its pairs; nil if no conjunct of On claims that
// boxes overlap, or if the sides have an equality, which finds fewer pairs.
func (j *Join) Boxes() *Boxes {
	l, r := Made(j.L), Made(j.R)
	var found *Boxes
	for _, on := range j.On {
		for _, c := range expr.Conjuncts(on) {
			switch c := c.(type) {
			case *expr.Compare:
				if c.Op == expr.OpEq && between(c.L, c.R, l, r) {
					return nil
				}
			case *expr.DistinctFrom:
				if c.Not && between(c.L, c.R, l, r) {
					return nil
				}
			case *expr.Call:
				if b := boxesOf(c, l, r); b != nil && found == nil {
					found = b
				}
			}
		}
	}
	return found
}

// between reports whether two expressions read different sides of a join.
func between(a, b expr.Expr, l, r Set) bool {
	return Reads(a, l) && Reads(b, r) || Reads(a, r) && Reads(b, l)
}

func boxesOf(c *expr.Call, l, r Set) *Boxes {
	b := &Boxes{}
	switch c.Function.Spatial {
	case spatial.Overlap:
	case spatial.Near:
		d, ok := expr.Literal(c.Args[2])
		switch {
		case !ok && !expr.CanFail(c.Args[2]) && (Reads(c.Args[2], l) || Reads(c.Args[2], r)):
			b.By = c.Args[2]
		case !ok || d.Type.Kind != vector.Double || !(d.F64 >= 0):
			return nil
		}
		b.Distance = d.F64
	default:
		return nil
	}
	b.L, b.R = c.Args[0], c.Args[1]
	if expr.IsVolatile(c) || b.L.Type().Kind != b.R.Type().Kind || !b.L.Type().IsGeospatial() || !between(b.L, b.R, l, r) {
		return nil
	}
	if Reads(b.L, r) {
		b.L, b.R = b.R, b.L
	}
	return b
}
