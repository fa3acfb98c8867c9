package planar

import (
	"errors"
	"fmt"

	"github.com/peterstace/simplefeatures/geom"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// geometry is the library's form of the shape, made once. The library expects rings that
// are closed and positions that are finite.
func (s *Shape) geometry() (geom.Geometry, error) {
	if s.library == nil {
		g, err := toLibrary(s.Geometry())
		if err != nil {
			return geom.Geometry{}, err
		}
		s.library = &g
	}
	return *s.library, nil
}

// pair is two shapes that overlays and relations take.
func pair(a, b *Shape) (x, y geom.Geometry, err error) {
	if x, err = a.uniform(); err == nil {
		y, err = b.uniform()
	}
	return x, y, err
}

var (
	errOpen      = errors.New("a ring of a POLYGON must have 4 positions or more and end where it begins")
	errShort     = errors.New("a LINESTRING must have 2 positions or more")
	errNotFinite = errors.New("a position is NaN or infinite")
)

func toLibrary(g *wkb.Geometry) (geom.Geometry, error) {
	switch g.Kind {
	case wkb.Point:
		p, err := toPoint(g)
		return p.AsGeometry(), err
	case wkb.LineString:
		l, err := toLine(g.Positions, g.Layout, errShort)
		return l.AsGeometry(), err
	case wkb.Polygon:
		p, err := toPolygon(g)
		return p.AsGeometry(), err
	case wkb.MultiPoint:
		list, err := each(g.Parts, toPoint)
		return geom.NewMultiPoint(list).AsGeometry(), err
	case wkb.MultiLineString:
		list, err := each(g.Parts, func(g *wkb.Geometry) (geom.LineString, error) { return toLine(g.Positions, g.Layout, errShort) })
		return geom.NewMultiLineString(list).AsGeometry(), err
	case wkb.MultiPolygon:
		list, err := each(g.Parts, toPolygon)
		return geom.NewMultiPolygon(list).AsGeometry(), err
	}
	list, err := each(g.Parts, toLibrary)
	return geom.NewGeometryCollection(list).AsGeometry(), err
}

func each[T any](parts []wkb.Geometry, convert func(*wkb.Geometry) (T, error)) ([]T, error) {
	list := make([]T, len(parts))
	for i := range parts {
		var err error
		if list[i], err = convert(&parts[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func toPoint(g *wkb.Geometry) (geom.Point, error) {
	if len(g.Positions) == 0 {
		return geom.NewEmptyPoint(geom.DimXY), nil
	}
	p := xy{g.Positions[0], g.Positions[1]}
	if !isFinite(p) {
		return geom.Point{}, errNotFinite
	}
	return geom.NewPoint(geom.Coordinates{XY: geom.XY{X: p.x, Y: p.y}}), nil
}

// toLine makes a line of at least 2 different positions.
func toLine(positions []float64, l wkb.Layout, short error) (geom.LineString, error) {
	stride := l.Stride()
	if len(positions) == 0 {
		return geom.LineString{}, nil
	}
	if len(positions) < 2*stride {
		return geom.LineString{}, short
	}
	flat := make([]float64, 0, len(positions)/stride*2)
	for i := 0; i < len(positions); i += stride {
		if !isFinite(xy{positions[i], positions[i+1]}) {
			return geom.LineString{}, errNotFinite
		}
		flat = append(flat, positions[i], positions[i+1])
	}
	return geom.NewLineString(geom.NewSequence(flat, geom.DimXY)), nil
}

func toPolygon(g *wkb.Geometry) (geom.Polygon, error) {
	stride := g.Layout.Stride()
	var rings []geom.LineString
	for _, r := range g.Rings {
		if len(r) == 0 {
			continue
		}
		if len(r) < 4*stride || (xy{r[0], r[1]}) != last(r, stride) {
			return geom.Polygon{}, errOpen
		}
		line, err := toLine(r, g.Layout, errOpen)
		if err != nil {
			return geom.Polygon{}, err
		}
		rings = append(rings, line)
	}
	return geom.NewPolygon(rings), nil
}

// fromLibrary is the WKB of a result, with an SRID.
func fromLibrary(g geom.Geometry, srid int32) (wkb.Geometry, error) {
	out, err := wkb.Parse(string(g.AsBinary()))
	if err != nil {
		return wkb.Geometry{}, fmt.Errorf("the result of the geometry library: %w", err)
	}
	out.SRID = srid
	return out, nil
}
