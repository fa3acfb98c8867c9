package planar

import (
	"github.com/peterstace/simplefeatures/geom"

	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// atoms of a geometry in the library's form. The library's union of a collection is wrong
// where a part covers a hole of the others, so collections are never given to it:
// polygons, lines and points are united on their own.
type libraryParts struct {
	polygons []geom.Polygon
	lines    []geom.LineString
	points   []geom.Point
}

func partsOf(list ...geom.Geometry) libraryParts {
	var p libraryParts
	for _, g := range list {
		for _, part := range g.Dump() {
			if part.IsEmpty() {
				continue
			}
			if polygon, ok := part.AsPolygon(); ok {
				p.polygons = append(p.polygons, polygon)
			} else if line, ok := part.AsLineString(); ok {
				p.lines = append(p.lines, line)
			} else if point, ok := part.AsPoint(); ok {
				p.points = append(p.points, point)
			}
		}
	}
	return p
}

// unionWork is the work of a union per polygon.
const unionWork = 1 << 15

// unionOf unites polygons two by two, as a tree, so that most unions are small.
func unionOf(list []geom.Polygon, tell work) (geom.Geometry, error) {
	if err := tell(unionWork * len(list)); err != nil {
		return geom.Geometry{}, err
	}
	switch len(list) {
	case 0:
		return geom.Geometry{}, nil
	case 1:
		return geom.UnaryUnion(list[0].AsGeometry())
	}
	a, err := unionOf(list[:len(list)/2], tell)
	if err != nil {
		return a, err
	}
	b, err := unionOf(list[len(list)/2:], tell)
	if err != nil {
		return b, err
	}
	return geom.Union(a, b)
}

// unite is the union of all parts: polygons, then what of the lines is outside of them,
// then the points that are on neither.
func (p libraryParts) unite(tell work) (geom.Geometry, error) {
	areas, err := unionOf(p.polygons, tell)
	if err != nil || len(p.lines)+len(p.points) == 0 {
		return areas, err
	}
	lines, err := without(geom.NewMultiLineString(p.lines).AsGeometry(), areas)
	if err != nil {
		return lines, err
	}
	points, err := without(geom.NewMultiPoint(p.points).AsGeometry(), areas, lines)
	if err != nil {
		return points, err
	}
	var some, all []geom.Geometry
	for _, g := range []geom.Geometry{points, lines, areas} {
		if !g.IsEmpty() {
			some, all = append(some, g), append(all, g.Dump()...)
		}
	}
	if len(some) == 1 {
		return some[0], nil
	}
	return geom.NewGeometryCollection(all).AsGeometry(), nil
}

// without is g, its parts united, without the points of others.
func without(g geom.Geometry, others ...geom.Geometry) (geom.Geometry, error) {
	out, err := geom.UnaryUnion(g)
	for _, o := range others {
		if err == nil && !o.IsEmpty() && !out.IsEmpty() {
			out, err = geom.Difference(out, o)
		}
	}
	return out, err
}

// Unite is the union of all parts of the shapes. The first one is told of the work.
func Unite(shapes ...*Shape) (wkb.Geometry, error) {
	list := make([]geom.Geometry, len(shapes))
	srid, kind := int32(0), wkb.Collection
	for i, s := range shapes {
		var err error
		if list[i], err = s.geometry(); err != nil {
			return wkb.Geometry{}, err
		}
		srid, kind = s.Header.SRID, s.Header.Kind
	}
	out, err := guarded(partsOf(list...).unite, shapes...)
	switch {
	case err != nil:
		return wkb.Geometry{}, err
	case out.IsEmpty():
		return wkb.Geometry{Header: wkb.Header{Kind: kind, SRID: srid}}, nil
	}
	return fromLibrary(out, srid)
}

// uniform is the library's form of a shape that has parts of one dimension only, where a
// collection is the union of its parts.
func (s *Shape) uniform() (geom.Geometry, error) {
	g, err := s.geometry()
	if err != nil || s.Header.Kind != wkb.Collection {
		return g, err
	}
	p := partsOf(g)
	if (len(p.polygons) > 0 && len(p.lines)+len(p.points) > 0) || len(p.lines) > 0 && len(p.points) > 0 {
		return g, errs.Unsupported("a GEOMETRYCOLLECTION of points, lines and polygons here; take its parts with ST_GeometryN")
	}
	return guarded(p.unite, s)
}
