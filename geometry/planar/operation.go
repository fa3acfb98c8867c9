package planar

import (
	"errors"

	"github.com/peterstace/simplefeatures/geom"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// Unary is an operation on one geometry whose result is a geometry.
type Unary func(*Shape) (wkb.Geometry, error)

// apply makes a Unary of a method of the library.
func apply(f func(geom.Geometry) (geom.Geometry, error)) Unary {
	return func(s *Shape) (wkb.Geometry, error) {
		g, err := s.geometry()
		if err != nil {
			return wkb.Geometry{}, err
		}
		out, err := guarded(func(work) (geom.Geometry, error) { return f(g) }, s)
		if err != nil {
			return wkb.Geometry{}, err
		}
		return fromLibrary(out, s.Header.SRID)
	}
}

// The operations.
var (
	Centroid       = apply(func(g geom.Geometry) (geom.Geometry, error) { return g.Centroid().AsGeometry(), nil })
	ConvexHull     = apply(func(g geom.Geometry) (geom.Geometry, error) { return g.ConvexHull(), nil })
	Boundary       = apply(func(g geom.Geometry) (geom.Geometry, error) { return g.Boundary(), nil })
	PointOnSurface = apply(func(g geom.Geometry) (geom.Geometry, error) { return g.PointOnSurface().AsGeometry(), nil })
)

// IsValid reports whether a geometry follows the rules of OGC 06-103r4, section 6.1: rings
// are closed and do not cross, and so on.
// The error is that of the shape's Work.
func IsValid(s *Shape) (bool, error) {
	g, err := s.geometry()
	if err != nil {
		return false, nil
	}
	valid, err := guarded(func(work) (bool, error) { return g.Validate() == nil, nil }, s)
	if errors.Is(err, errLibrary) {
		return false, nil
	}
	return valid && err == nil && holesInside(s.Geometry()), err
}

// holesInside reports whether no hole has a position outside of its shell, which the library
// overlooks where the two touch.
func holesInside(g *wkb.Geometry) bool {
	stride := g.Layout.Stride()
	for i, r := range g.Rings {
		if i == 0 || len(r) == 0 || len(g.Rings[0]) == 0 {
			continue
		}
		shell := area{edges: newEdges(appendEdges(nil, g.Rings[0], stride))}
		shell.box = boxOf(shell.edges.list)
		var found []int32
		for k := 0; k < len(r); k += stride {
			if shell.locate(xy{r[k], r[k+1]}, &found) == outside {
				return false
			}
		}
	}
	for i := range g.Parts {
		if !holesInside(&g.Parts[i]) {
			return false
		}
	}
	return true
}

// IsSimple reports whether a geometry neither crosses nor touches itself.
func IsSimple(s *Shape) (bool, error) {
	g, err := s.geometry()
	if err != nil {
		return false, err
	}
	return guarded(func(work) (bool, error) {
		simple, _ := g.IsSimple()
		return simple, nil
	}, s)
}

// Overlay is an operation on two sets of points.
type Overlay struct {
	run func(a, b geom.Geometry) (geom.Geometry, error)
	// dimension is that of an empty result, from those of the operands.
	dimension func(a, b int) int
	bounds    func(a, b *Shape) bounds
	unite     bool // all parts are united
}

// The overlays.
var (
	Union         = Overlay{unite: true}
	Intersection  = Overlay{run: geom.Intersection, bounds: intersectionBounds, dimension: func(a, b int) int { return min(a, b) }}
	Difference    = Overlay{run: geom.Difference, bounds: differenceBounds, dimension: func(a, _ int) int { return a }}
	SymDifference = Overlay{run: geom.SymmetricDifference, bounds: symDifferenceBounds, dimension: func(a, b int) int { return max(a, b) }}
)

// Of computes the overlay of two valid geometries.
func (o Overlay) Of(a, b *Shape) (wkb.Geometry, error) {
	if o.unite {
		return Unite(a, b)
	}
	x, y, err := pair(a, b)
	if err != nil {
		return wkb.Geometry{}, err
	}
	out, err := guarded(func(work) (geom.Geometry, error) { return o.run(x, y) }, a, b)
	switch {
	case err != nil:
		return wkb.Geometry{}, err
	case a.Header.Kind != wkb.Collection && b.Header.Kind != wkb.Collection: // whose areas may overlap
		limits := o.bounds(a, b)
		if err := limits.check(a, b, out); err != nil {
			return wkb.Geometry{}, err
		}
	}
	if out.IsEmpty() {
		kinds := []wkb.Kind{wkb.Point, wkb.LineString, wkb.Polygon}
		kind := kinds[o.dimension(Dimension(a.Geometry()), Dimension(b.Geometry()))]
		return wkb.Geometry{Header: wkb.Header{Kind: kind, SRID: a.Header.SRID}}, nil
	}
	return fromLibrary(out, a.Header.SRID)
}

// Dimension is 0 for points, 1 for lines, 2 for polygons, and the greatest of the parts of
// a collection.
func Dimension(g *wkb.Geometry) int {
	switch g.Kind {
	case wkb.Point, wkb.MultiPoint:
		return 0
	case wkb.LineString, wkb.MultiLineString:
		return 1
	case wkb.Polygon, wkb.MultiPolygon:
		return 2
	}
	d := 0
	for i := range g.Parts {
		d = max(d, Dimension(&g.Parts[i]))
	}
	return d
}
