// Package sphere computes with geometries whose X and Y are longitude and latitude in
// degrees and whose edges are arcs of great circles: Parquet's GEOGRAPHY with the edge
// algorithm SPHERICAL (Geospatial.md, "Edge Interpolation Algorithm"). It uses
// github.com/golang/geo/s2.
//
// A ring encloses the smaller of the two areas that it divides the sphere into, whatever
// its direction. A point nearer to an edge than tolerance is on it.
package sphere

import (
	"fmt"
	"math"
	"slices"

	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// Radius is the mean radius of the Earth in metres (IUGG, R1).
const Radius = 6371008.7714

// tolerance is 6 nanometres on the Earth, what rounding may move a point by.
const tolerance = s1.Angle(1e-15)

// Shape is a geometry on the sphere. It does not change after Read.
type Shape struct {
	points []s2.Point
	lines  []edge
	areas  []area
}

type edge struct{ a, b s2.Point }

// area is a polygon. loops[0] is the shell, the others are holes.
type area struct {
	loops []*s2.Loop
	edges []edge
}

// Read is the shape of a WKB. A latitude beyond 90 degrees is an error, and so is a position
// that is NaN or infinite; a longitude may be any number of times around.
func Read(s string) (*Shape, error) {
	box, _, err := wkb.Bounds(s)
	if err != nil {
		return nil, err
	}
	if box.Y.Min < -90 || box.Y.Max > 90 {
		return nil, fmt.Errorf("a latitude of a GEOGRAPHY is from -90 to 90; the geometry has %v to %v", box.Y.Min, box.Y.Max)
	}
	g, err := wkb.Parse(s)
	if err != nil {
		return nil, err
	}
	shape := &Shape{}
	return shape, shape.add(&g)
}

func (s *Shape) add(g *wkb.Geometry) error {
	list, err := pointsOf(g.Positions, g.Layout)
	switch {
	case err != nil:
		return err
	case g.Kind == wkb.Point:
		s.points = append(s.points, list...)
	case g.Kind == wkb.LineString && len(list) > 0:
		s.lines = append(s.lines, edgesOf(list)...)
	case g.Kind == wkb.Polygon && len(g.Rings) > 0:
		a := area{}
		for _, r := range g.Rings {
			ring, err := pointsOf(r, g.Layout)
			if err == nil {
				err = a.add(ring)
			}
			if err != nil {
				return err
			}
		}
		if len(a.loops) > 0 {
			s.areas = append(s.areas, a)
		}
	}
	for i := range g.Parts {
		if err := s.add(&g.Parts[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *area) add(ring []s2.Point) error {
	n := len(ring)
	switch {
	case n == 0:
		return nil
	case n < 4 || ring[0] != ring[n-1]:
		return fmt.Errorf("a ring of a POLYGON must have 4 positions or more and end where it begins")
	}
	distinct := slices.Compact(slices.Clone(ring)) // S2 takes no edge of length 0
	loop := s2.LoopFromPoints(distinct[:len(distinct)-1])
	if err := loop.Validate(); err != nil {
		return fmt.Errorf("a ring of a POLYGON on the sphere: %w", err)
	}
	loop.Normalize()
	a.loops = append(a.loops, loop)
	a.edges = append(a.edges, edgesOf(ring)...)
	return nil
}

// pointsOf are the positions of a point, line or ring. S2 panics where one is no number.
func pointsOf(positions []float64, l wkb.Layout) ([]s2.Point, error) {
	list := make([]s2.Point, 0, len(positions)/l.Stride())
	for i := 0; i < len(positions); i += l.Stride() {
		x, y := positions[i], positions[i+1]
		if sum := x + y; math.IsNaN(sum) || math.IsInf(sum, 0) {
			return nil, fmt.Errorf("a position of a GEOGRAPHY is %v %v", x, y)
		}
		list = append(list, s2.PointFromLatLng(s2.LatLngFromDegrees(y, x)))
	}
	return list, nil
}

// edgesOf are the arcs between points; a single point is an arc from itself to itself.
func edgesOf(list []s2.Point) []edge {
	if len(list) == 1 {
		return []edge{{list[0], list[0]}}
	}
	edges := make([]edge, 0, len(list)-1)
	for i := range len(list) - 1 {
		edges = append(edges, edge{list[i], list[i+1]})
	}
	return edges
}

// IsEmpty reports whether the shape has no point.
func (s *Shape) IsEmpty() bool { return len(s.points)+len(s.lines)+len(s.areas) == 0 }

// Area is the area of the polygons in square metres.
func (s *Shape) Area() float64 {
	total := 0.0
	for _, a := range s.areas {
		for i, l := range a.loops {
			if i == 0 {
				total += l.Area()
			} else {
				total -= l.Area()
			}
		}
	}
	return total * Radius * Radius
}

// Length is the length of the lines in metres.
func (s *Shape) Length() float64 { return lengthOf(s.lines) }

// Perimeter is the length of the edges of polygons in metres.
func (s *Shape) Perimeter() float64 {
	total := 0.0
	for _, a := range s.areas {
		total += lengthOf(a.edges)
	}
	return total
}

func lengthOf(edges []edge) float64 {
	total := 0.0
	for _, e := range edges {
		total += float64(e.a.Distance(e.b))
	}
	return total * Radius
}
