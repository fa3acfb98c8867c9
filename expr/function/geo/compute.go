package geo

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// ComputeFunctions compute geometries.
var ComputeFunctions = []expr.Function{
	{Name: "ST_CENTROID", Help: "the center of mass", Example: "ST_ASTEXT(ST_CENTROID('POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))')) → POINT (1 1)", Binding: unary(planar.Centroid)},
	{Name: "ST_CONVEXHULL", Help: "the smallest convex geometry that contains all points", Example: "ST_ASTEXT(ST_CONVEXHULL('LINESTRING (0 0, 1 1, 2 2)')) → LINESTRING (0 0, 2 2)", Binding: unary(planar.ConvexHull)},
	{Name: "ST_BOUNDARY", Help: "the edges of polygons, or the ends of lines", Example: "ST_ASTEXT(ST_BOUNDARY('LINESTRING (0 0, 1 1)')) → MULTIPOINT ((0 0), (1 1))", Binding: unary(planar.Boundary)},
	{Name: "ST_POINTONSURFACE", Help: "a point of the geometry", Example: "ST_ASTEXT(ST_POINTONSURFACE('POINT (1 2)')) → POINT (1 2)", Binding: unary(planar.PointOnSurface)},
	{Name: "ST_BUFFER", Help: "all points within a distance, or with a negative distance those of polygons that are farther from the edges; a quarter of a circle has 8 segments unless the third argument says otherwise",
		Example: "ROUND(ST_AREA(ST_BUFFER('POINT (0 0)', 1)), 3) → 3.121",
		Binding: define.Overloaded(
			binding(with(vector.Type{}, func(s *planar.Shape, d float64) (string, kernel.Outcome) { return made(planar.Buffer(s, d, 8)) }), "GEOMETRY", wantPlanar, define.WantDouble),
			binding(buffer, "GEOMETRY", wantPlanar, define.WantDouble, define.WantInt))},
	{Name: "ST_SIMPLIFY", Help: "the geometry without the positions that are nearer than the tolerance to the line of the others", Example: "ST_ASTEXT(ST_SIMPLIFY('LINESTRING (0 0, 1 0.1, 2 0)', 0.5)) → LINESTRING (0 0, 2 0)",
		Binding: binding(with(vector.Type{}, func(s *planar.Shape, d float64) (string, kernel.Outcome) { return made(planar.Simplify(s, d)) }), "GEOMETRY", wantPlanar, define.WantDouble)},
	{Name: "ST_UNION", Help: "the points of one geometry or the other; of one argument, its parts united", Example: "ST_ASTEXT(ST_UNION('POINT (0 0)', 'POINT (1 1)')) → MULTIPOINT ((0 0), (1 1))",
		Binding: define.Overloaded(unary(func(s *planar.Shape) (wkb.Geometry, error) { return planar.Unite(s) }), overlay(planar.Union))},
	{Name: "ST_INTERSECTION", Help: "the points that both geometries have", Example: "ST_ASTEXT(ST_INTERSECTION('LINESTRING (0 0, 2 2)', 'LINESTRING (0 2, 2 0)')) → POINT (1 1)", Binding: overlay(planar.Intersection)},
	{Name: "ST_DIFFERENCE", Help: "the points of the first geometry that the second one does not have", Example: "ST_ASTEXT(ST_DIFFERENCE('MULTIPOINT (0 0, 1 1)', 'POINT (0 0)')) → POINT (1 1)", Binding: overlay(planar.Difference)},
	{Name: "ST_SYMDIFFERENCE", Help: "the points that only one of the geometries has", Example: "ST_ASTEXT(ST_SYMDIFFERENCE('MULTIPOINT (0 0, 1 1)', 'MULTIPOINT (0 0, 2 2)')) → MULTIPOINT ((1 1), (2 2))", Binding: overlay(planar.SymDifference)},
	{Name: "ST_TRANSFORM", Help: "the geometry in another reference system, of EPSG:4326 and EPSG:3857; X is the longitude, Y the latitude", Example: "ST_ASTEXT(ST_TRANSFORM('POINT (180 0)', 'EPSG:4326', 'EPSG:3857')) → POINT (20037508.342789244 0)",
		Binding: define.Overloaded(
			expr.Binding{Signatures: expr.NewSignatures("GEOMETRY, 'to' → GEOMETRY"), Bind: transformTo},
			expr.Binding{Signatures: expr.NewSignatures("GEOMETRY, 'from', 'to' → GEOMETRY"), Bind: transformFromTo})},
}

func unary(f planar.Unary) expr.Binding {
	return binding(one(func(s *planar.Shape) (string, kernel.Outcome) { return made(f(s)) }), "GEOMETRY", wantPlanar)
}

func overlay(o planar.Overlay) expr.Binding {
	return binding(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return two(vector.Type{}, func(a, b *planar.Shape) (string, kernel.Outcome) {
			if x, y := a.Header.SRID, b.Header.SRID; x != y && x != 0 && y != 0 {
				return "", failed(fmt.Errorf("%s: the geometries have the SRIDs %d and %d; use ST_TRANSFORM or ST_SETSRID", call.Name, x, y))
			}
			return made(o.Of(a, b))
		})(call, args)
	}, "GEOMETRY", wantPlanar, wantPlanar)
}

func made(g wkb.Geometry, err error) (string, kernel.Outcome) {
	if err != nil {
		return "", failed(err)
	}
	return encoded(&g), kernel.Outcome{}
}

func buffer(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	return define.Strict(call, args, same(args), func() kernel.Func {
		r := newReader(call.Name, args)
		return r.metered(kernel.Try3(func(x string, d float64, segments int64) (string, kernel.Outcome) {
			s, err := r.shape(0, x)
			if err != nil {
				return "", failed(err)
			}
			return made(planar.Buffer(s, d, segments))
		})())
	}, true)
}
