package planar

import (
	"errors"
	"math"

	"github.com/peterstace/simplefeatures/geom"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// maxSegments is the most segments of a quarter of a circle.
const maxSegments = 1000

// maxBuffered is the most edges of a geometry that gets a buffer, since time and memory
// grow faster than their number.
const maxBuffered = 20_000

// Buffer is all points within the distance of a geometry; with a negative distance, the
// points of its polygons that are farther from their edges. segments is the number of
// segments of a quarter of a circle.
func Buffer(s *Shape, distance float64, segments int64) (wkb.Geometry, error) {
	empty := wkb.Geometry{Header: wkb.Header{Kind: wkb.Polygon, SRID: s.Header.SRID}}
	switch {
	case math.IsNaN(distance) || math.IsInf(distance, 0):
		return empty, errors.New("the distance of a buffer must be a number")
	case segments < 1 || segments > maxSegments:
		return empty, errors.New("a quarter of the circle of a buffer has from 1 to 1000 segments")
	}
	g, err := s.geometry()
	if err != nil || s.IsEmpty() || distance <= 0 && Dimension(s.Geometry()) < 2 {
		return empty, err
	}
	polygons := partsOf(g).polygons
	around := capsules(s.atoms(), math.Abs(distance), int(segments))
	if len(around) > maxBuffered {
		return empty, errors.New("the geometry has too many edges for a buffer; use ST_Simplify first")
	}
	out, err := guarded(func(tell work) (geom.Geometry, error) {
		if distance > 0 {
			return unionOf(append(polygons, around...), tell)
		}
		inner, err := unionOf(polygons, tell)
		if err != nil || distance == 0 {
			return inner, err
		}
		edges, err := unionOf(around, tell)
		if err != nil {
			return edges, err
		}
		return geom.Difference(inner, edges)
	}, s)
	if err != nil || out.IsEmpty() {
		return empty, err
	}
	return fromLibrary(out, s.Header.SRID)
}

// capsules are the circles around points and the buffers of edges, whose union is the
// buffer of all of them.
func capsules(p *parts, d float64, segments int) []geom.Polygon {
	var list []geom.Polygon
	for _, at := range p.points {
		list = append(list, capsule(edge{at, at}, d, segments))
	}
	for _, edges := range p.edgeLists() {
		for _, e := range edges.list {
			list = append(list, capsule(e, d, segments))
		}
	}
	return list
}

// capsule is the polygon of all points within d of an edge: its two sides, and half a
// circle around each end.
func capsule(e edge, d float64, segments int) geom.Polygon {
	angle := math.Pi / 2
	if e.a != e.b {
		angle += math.Atan2(e.b.y-e.a.y, e.b.x-e.a.x)
	}
	flat := arc(nil, e.a, d, angle, 2*segments)
	flat = arc(flat, e.b, d, angle+math.Pi, 2*segments)
	if n := len(flat); math.Hypot(flat[0]-flat[n-2], flat[1]-flat[n-1]) < d*1e-9 {
		flat = flat[:n-2]
	}
	flat = append(flat, flat[0], flat[1])
	ring := geom.NewLineString(geom.NewSequence(flat, geom.DimXY))
	return geom.NewPolygon([]geom.LineString{ring})
}

// arc appends half a circle against the clock in n segments, from an angle on. The other
// half of a full circle begins where it ends.
func arc(flat []float64, center xy, d, angle float64, n int) []float64 {
	for i := range n + 1 {
		sin, cos := math.Sincos(angle + math.Pi*float64(i)/float64(n))
		p := xy{center.x + d*cos, center.y + d*sin}
		if k := len(flat); k > 0 && math.Hypot(p.x-flat[k-2], p.y-flat[k-1]) < d*1e-9 {
			continue
		}
		flat = append(flat, p.x, p.y)
	}
	return flat
}
