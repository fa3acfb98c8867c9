// Package globe tells which parts of the globe have nothing in common. It is for
// GEOGRAPHY, whose edges are arcs and whose distances are metres: areas are bounds that
// may be too large and are never too small.
package globe

import (
	"math"

	"github.com/parquetsql/parquetsql/geometry/boxtree"
	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// Area is the part of the globe between two meridians and two parallels: Width degrees
// from West to the east, and from South to North.
type Area struct{ West, Width, South, North float64 }

// Everywhere is the whole globe.
func Everywhere() Area { return Area{-180, 360, -90, 90} }

// slack covers the rounding of the computations here, in degrees.
const slack = 1e-9

// New is the area of ranges of longitudes and latitudes in degrees. Where x.Min is
// greater than x.Max, it crosses the antimeridian (Geospatial.md, "Bounding Box"). It is
// false if the numbers are no positions on the globe.
func New(x, y wkb.Range) (Area, bool) {
	within := func(limit float64, values ...float64) bool {
		for _, v := range values {
			if !(math.Abs(v) <= limit) {
				return false
			}
		}
		return true
	}
	if !within(180, x.Min, x.Max) || !within(90, y.Min, y.Max) || y.Min > y.Max {
		return Area{}, false
	}
	width := x.Max - x.Min
	if width < 0 {
		width += 360
	}
	return Area{x.Min, width, y.Min, y.Max}, true
}

// WithEdges is the area of all edges between positions of a, and of what is inside of
// rings of such edges. An edge is the shortest way between its ends. exact is set if the
// globe is a sphere; else the edges are geodesics of an ellipsoid, which are near.
func (a Area) WithEdges(exact bool) Area {
	margin := slack
	if !exact {
		margin = 1 // of geodesics: less than half a degree from the arc of a circle
	}
	if a.Width >= 180-margin {
		return Everywhere() // an edge may go the other way round, a ring around a pole
	}
	// Between two positions on one parallel, a great circle is farthest from the equator
	// in the middle: tan(latitude there) = tan(latitude of the ends) / cos(half of the
	// difference of the longitudes).
	bulge := func(latitude float64) float64 {
		return degrees(math.Atan(math.Tan(radians(latitude))/math.Cos(radians(a.Width/2)))) + margin
	}
	if a.North > 0 {
		a.North = bulge(a.North)
	}
	if a.South < 0 {
		a.South = -bulge(-a.South)
	}
	if !exact {
		a.North, a.South = max(a.North, a.North+margin), min(a.South, a.South-margin)
	}
	if a.North >= 90 || a.South <= -90 { // all meridians meet at a pole
		a.West, a.Width = -180, 360
	}
	a.North, a.South = min(a.North, 90), max(a.South, -90)
	return a
}

// metresPerDegree is less than the length of any degree of latitude, on an ellipsoid as on
// a sphere.
const metresPerDegree = 110_000

// Near is the area of all positions at most so many metres from a.
func (a Area) Near(metres float64) Area {
	d := metres/metresPerDegree + slack
	a.South, a.North = a.South-d, a.North+d
	if !(a.South > -90 && a.North < 90) { // also where d is NaN
		return Area{-180, 360, max(a.South, -90), min(a.North, 90)}
	}
	// The circle of radius d around a position touches the meridians whose difference is
	// asin(sin d / cos latitude).
	latitude := max(math.Abs(a.South), math.Abs(a.North)) - d
	lon := degrees(math.Asin(min(1, math.Sin(radians(d))/math.Cos(radians(latitude))))) + slack
	a.West, a.Width = a.West-lon, a.Width+2*lon
	return a
}

// Meets reports whether a and o may have a position in common.
func (a Area) Meets(o Area) bool {
	if a.South > o.North+slack || o.South > a.North+slack {
		return false
	}
	if min(a.North, o.North) >= 90-slack || max(a.South, o.South) <= -90+slack {
		return true // all meridians meet at a pole
	}
	east := math.Mod(o.West-a.West, 360)
	if east < 0 {
		east += 360
	}
	return east <= a.Width+slack || 360-east <= o.Width+slack
}

// Boxes appends a, in degrees, as one box, or two where it crosses the antimeridian. The
// boxes of two areas overlap wherever the areas meet.
func (a Area) Boxes(into []boxtree.Box) []boxtree.Box {
	box := boxtree.Box{MinX: -180, MinY: a.South - slack, MaxX: 180, MaxY: a.North + slack}
	west, width := a.West-slack, a.Width+2*slack
	if width >= 360 || box.MaxY >= 90 || box.MinY <= -90 { // all meridians meet at a pole
		return append(into, box)
	}
	if west = math.Mod(west+180, 360); west < 0 {
		west += 360
	}
	west -= 180
	if box.MinX, box.MaxX = west, west+width; box.MaxX <= 180 {
		return append(into, box)
	}
	rest := box
	rest.MinX, rest.MaxX = -180, box.MaxX-360
	box.MaxX = 180
	return append(into, box, rest)
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

func degrees(radians float64) float64 { return radians * 180 / math.Pi }
