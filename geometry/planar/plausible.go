package planar

import (
	"fmt"

	"github.com/peterstace/simplefeatures/geom"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// rounding is how far areas and sides of boxes may be off, relative to those of the
// operands.
const rounding = 1e-9

// bounds are what any overlay of two geometries keeps: its area, and the box that it is in.
type bounds struct {
	least, most float64
	box         wkb.Box
}

// check finds overlays that the library got wrong, without computing them again. It moves
// positions that are near to each other, relative to the greatest ordinate, and so may lose
// a polygon that is very thin, or all of it.
func (b *bounds) check(a, o *Shape, out geom.Geometry) error {
	size := Area(a.Geometry()) + Area(o.Geometry())
	if area := out.Area(); !(area >= b.least-rounding*size && area <= b.most+rounding*size) {
		return fmt.Errorf("%w (their overlay came out with the area %g)", errLibrary, area)
	}
	lower, upper, ok := out.Envelope().MinMaxXYs()
	if !ok {
		return nil
	}
	all := a.Box.Union(&o.Box)
	slack := rounding * max(all.X.Max-all.X.Min, all.Y.Max-all.Y.Min)
	if allowed := b.box.Expand(slack); !(allowed.X.Min <= lower.X && upper.X <= allowed.X.Max && allowed.Y.Min <= lower.Y && upper.Y <= allowed.Y.Max) {
		return fmt.Errorf("%w (their overlay came out beyond their boxes)", errLibrary)
	}
	return nil
}

// common is the box that both boxes cover.
func common(a, b *wkb.Box) wkb.Box {
	c := wkb.NoBox()
	c.X = wkb.Range{Min: max(a.X.Min, b.X.Min), Max: min(a.X.Max, b.X.Max)}
	c.Y = wkb.Range{Min: max(a.Y.Min, b.Y.Min), Max: min(a.Y.Max, b.Y.Max)}
	return c
}

func intersectionBounds(a, b *Shape) bounds {
	x, y := Area(a.Geometry()), Area(b.Geometry())
	return bounds{0, min(x, y), common(&a.Box, &b.Box)}
}

func differenceBounds(a, b *Shape) bounds {
	x, y := Area(a.Geometry()), Area(b.Geometry())
	return bounds{max(0, x-y), x, a.Box}
}

func symDifferenceBounds(a, b *Shape) bounds {
	x, y := Area(a.Geometry()), Area(b.Geometry())
	return bounds{max(x-y, y-x), x + y, a.Box.Union(&b.Box)}
}
