package probe

import (
	"math"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// Shapes describes the values of a GEOMETRY or GEOGRAPHY column that are not NULL.
type Shapes struct {
	// Box has all ordinates of all positions, except NaN. A range of which nothing is
	// known is from -Inf to +Inf. With Wraps, X is that of an area that crosses the
	// antimeridian: each X is at least Box.X.Min or at most Box.X.Max.
	Box   wkb.Box
	Wraps bool
	Kinds Kinds // 0: unknown
}

// Kinds is a set of kinds of geometries.
type Kinds uint8

// Points are the kinds without edges.
const Points = 1<<wkb.Point | 1<<wkb.MultiPoint

// KindsOf is the set of one kind.
func KindsOf(k wkb.Kind) Kinds { return 1 << k }

// Within reports whether the set is known and has only kinds of another.
func (k Kinds) Within(o Kinds) bool { return k != 0 && k&^o == 0 }

// Anywhere is the range of which nothing is known.
func Anywhere() wkb.Range { return wkb.Range{Min: math.Inf(-1), Max: math.Inf(1)} }

// AnyShapes are shapes of which nothing is known.
func AnyShapes() Shapes {
	return Shapes{Box: wkb.Box{X: Anywhere(), Y: Anywhere(), Z: Anywhere(), M: Anywhere()}}
}

// And is what two descriptions of the same values say together.
func (s Shapes) And(o Shapes) Shapes {
	both := func(a, b wkb.Range) wkb.Range { return wkb.Range{Min: max(a.Min, b.Min), Max: min(a.Max, b.Max)} }
	out := Shapes{Wraps: s.Wraps, Kinds: s.Kinds | o.Kinds}
	if s.Kinds != 0 && o.Kinds != 0 {
		out.Kinds = s.Kinds & o.Kinds
	}
	switch {
	case !s.Wraps && !o.Wraps:
		out.Box.X = both(s.Box.X, o.Box.X)
	case s.Wraps && o.Box.X == Anywhere():
		out.Box.X = s.Box.X
	default:
		out.Box.X, out.Wraps = o.Box.X, o.Wraps
	}
	out.Box.Y, out.Box.Z, out.Box.M = both(s.Box.Y, o.Box.Y), both(s.Box.Z, o.Box.Z), both(s.Box.M, o.Box.M)
	return out
}
