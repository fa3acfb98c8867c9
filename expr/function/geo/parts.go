package geo

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// PartFunctions return parts of geometries, or geometries with other positions.
var PartFunctions = []expr.Function{
	{Name: "ST_STARTPOINT", Help: "the first point of a LINESTRING; NULL of other geometries", Example: "ST_ASTEXT(ST_STARTPOINT('LINESTRING (1 2, 3 4)')) → POINT (1 2)",
		Binding: binding(one(func(s *planar.Shape) (string, kernel.Outcome) { return pointN(s, 1) }), "GEOMETRY", wantAny)},
	{Name: "ST_ENDPOINT", Help: "the last point of a LINESTRING; NULL of other geometries", Example: "ST_ASTEXT(ST_ENDPOINT('LINESTRING (1 2, 3 4)')) → POINT (3 4)",
		Binding: binding(one(func(s *planar.Shape) (string, kernel.Outcome) { return pointN(s, -1) }), "GEOMETRY", wantAny)},
	{Name: "ST_POINTN", Help: "a point of a LINESTRING, counted from 1 or from the end; NULL if there is none", Example: "ST_ASTEXT(ST_POINTN('LINESTRING (1 2, 3 4)', -1)) → POINT (3 4)",
		Binding: binding(with(vector.Type{}, pointN), "GEOMETRY", wantAny, define.WantInt)},
	{Name: "ST_GEOMETRYN", Help: "a part of a geometry, counted from 1; NULL if there is none", Example: "ST_ASTEXT(ST_GEOMETRYN('MULTIPOINT (1 2, 3 4)', 2)) → POINT (3 4)",
		Binding: binding(with(vector.Type{}, geometryN), "GEOMETRY", wantAny, define.WantInt)},
	{Name: "ST_EXTERIORRING", Help: "the edge of a POLYGON without its holes; NULL of other geometries", Example: "ST_ASTEXT(ST_EXTERIORRING('POLYGON ((0 0, 1 0, 1 1, 0 0))')) → LINESTRING (0 0, 1 0, 1 1, 0 0)",
		Binding: binding(one(func(s *planar.Shape) (string, kernel.Outcome) { return ringN(s, 0) }), "GEOMETRY", wantAny)},
	{Name: "ST_INTERIORRINGN", Help: "a hole of a POLYGON, counted from 1; NULL if there is none", Example: "ST_INTERIORRINGN('POLYGON ((0 0, 1 0, 1 1, 0 0))', 1) → NULL",
		Binding: binding(with(vector.Type{}, func(s *planar.Shape, n int64) (string, kernel.Outcome) {
			if n < 1 {
				return "", null
			}
			return ringN(s, n)
		}), "GEOMETRY", wantAny, define.WantInt)},
	{Name: "ST_ENVELOPE", Help: "the bounding box: a POLYGON, or the point or line that it is", Example: "ST_ASTEXT(ST_ENVELOPE('LINESTRING (0 0, 1 2)')) → POLYGON ((0 0, 0 2, 1 2, 1 0, 0 0))",
		Binding: binding(one(envelopeOf), "GEOMETRY", wantPlanar)},
	{Name: "ST_FLIPCOORDINATES", Help: "the geometry with X and Y exchanged", Example: "ST_ASTEXT(ST_FLIPCOORDINATES('POINT (1 2)')) → POINT (2 1)",
		Binding: binding(one(func(s *planar.Shape) (string, kernel.Outcome) {
			return mapped(s, func(p []float64) { p[0], p[1] = p[1], p[0] })
		}), "GEOMETRY", wantPlanar)},
	{Name: "ST_FORCE2D", Help: "the geometry without Z and M", Example: "ST_ASTEXT(ST_FORCE2D('POINT Z (1 2 3)')) → POINT (1 2)",
		Binding: binding(one(func(s *planar.Shape) (string, kernel.Outcome) {
			g := flat(s.Geometry())
			return encoded(&g), kernel.Outcome{}
		}), "GEOMETRY", wantAny)},
	{Name: "ST_REVERSE", Help: "the geometry with the positions of each line and ring in reverse", Example: "ST_ASTEXT(ST_REVERSE('LINESTRING (1 2, 3 4)')) → LINESTRING (3 4, 1 2)",
		Binding: binding(one(func(s *planar.Shape) (string, kernel.Outcome) {
			g := reversed(s.Geometry())
			return encoded(&g), kernel.Outcome{}
		}), "GEOMETRY", wantAny)},
}

// pointN is point n of a line, from 1, or from the end if n is negative.
func pointN(s *planar.Shape, n int64) (string, kernel.Outcome) {
	if s.Header.Kind != wkb.LineString {
		return "", null
	}
	g := s.Geometry()
	stride := int64(g.Layout.Stride())
	points := int64(len(g.Positions)) / stride
	if n < 0 {
		n += points + 1
	}
	if n < 1 || n > points {
		return "", null
	}
	h := g.Header
	h.Kind = wkb.Point
	return encoded(&wkb.Geometry{Header: h, Positions: g.Positions[(n-1)*stride : n*stride]}), kernel.Outcome{}
}

func geometryN(s *planar.Shape, n int64) (string, kernel.Outcome) {
	g := *s.Geometry()
	list := g.Parts
	if !g.Kind.IsMulti() && !g.IsEmpty() {
		list = []wkb.Geometry{g}
	}
	if n < 1 || n > int64(len(list)) {
		return "", null
	}
	part := list[n-1]
	part.SRID = g.SRID
	return encoded(&part), kernel.Outcome{}
}

func ringN(s *planar.Shape, n int64) (string, kernel.Outcome) {
	g := s.Geometry()
	if g.Kind != wkb.Polygon || n >= int64(len(g.Rings)) && n > 0 {
		return "", null
	}
	h := g.Header
	h.Kind = wkb.LineString
	ring := wkb.Geometry{Header: h}
	if len(g.Rings) > 0 {
		ring.Positions = g.Rings[n]
	}
	return encoded(&ring), kernel.Outcome{}
}

func envelopeOf(s *planar.Shape) (string, kernel.Outcome) {
	g := s.Box.Geometry()
	g.SRID = s.Header.SRID
	return encoded(&g), kernel.Outcome{}
}

// mapped is the geometry with each position changed by f.
func mapped(s *planar.Shape, f func(position []float64)) (string, kernel.Outcome) {
	g := each(s.Geometry(), func(positions []float64, stride int) []float64 {
		out := append([]float64(nil), positions...)
		for i := 0; i < len(out); i += stride {
			f(out[i : i+stride])
		}
		return out
	})
	return encoded(&g), kernel.Outcome{}
}

// each is a copy of a geometry with the positions of each point, line and ring replaced by f.
func each(g *wkb.Geometry, f func(positions []float64, stride int) []float64) wkb.Geometry {
	out, stride := wkb.Geometry{Header: g.Header}, g.Layout.Stride()
	out.Positions = f(g.Positions, stride)
	for _, r := range g.Rings {
		out.Rings = append(out.Rings, f(r, stride))
	}
	for i := range g.Parts {
		out.Parts = append(out.Parts, each(&g.Parts[i], f))
	}
	return out
}

func flat(g *wkb.Geometry) wkb.Geometry {
	out := each(g, func(positions []float64, stride int) []float64 {
		var list []float64
		for i := 0; i < len(positions); i += stride {
			list = append(list, positions[i], positions[i+1])
		}
		return list
	})
	return withLayout(out, wkb.XY)
}

func withLayout(g wkb.Geometry, l wkb.Layout) wkb.Geometry {
	g.Layout = l
	for i := range g.Parts {
		g.Parts[i] = withLayout(g.Parts[i], l)
	}
	return g
}

func reversed(g *wkb.Geometry) wkb.Geometry {
	return each(g, func(positions []float64, stride int) []float64 {
		var list []float64
		for i := len(positions) - stride; i >= 0; i -= stride {
			list = append(list, positions[i:i+stride]...)
		}
		return list
	})
}
