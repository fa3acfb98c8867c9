package geo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/geometry/spatial"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// AccessFunctions say what a geometry is and where.
var AccessFunctions = []expr.Function{
	{Name: "ST_X", Help: "the X of a POINT", Example: "ST_X('POINT (1 2)') → 1.0", Spatial: spatial.X, Binding: ordinate(boxX)},
	{Name: "ST_Y", Help: "the Y of a POINT", Example: "ST_Y('POINT (1 2)') → 2.0", Spatial: spatial.Y, Binding: ordinate(boxY)},
	{Name: "ST_Z", Help: "the Z of a POINT; NULL if it has none", Example: "ST_Z('POINT Z (1 2 3)') → 3.0", Spatial: spatial.Z, Binding: ordinate(boxZ)},
	{Name: "ST_M", Help: "the M of a POINT; NULL if it has none", Example: "ST_M('POINT M (1 2 3)') → 3.0", Spatial: spatial.M, Binding: ordinate(boxM)},
	{Name: "ST_XMIN", Help: "the least X; NULL of an empty geometry", Example: "ST_XMIN('LINESTRING (1 2, 3 4)') → 1.0", Spatial: spatial.XMin, Binding: least(boxX)},
	{Name: "ST_XMAX", Help: "the greatest X", Example: "ST_XMAX('LINESTRING (1 2, 3 4)') → 3.0", Spatial: spatial.XMax, Binding: greatest(boxX)},
	{Name: "ST_YMIN", Help: "the least Y", Example: "ST_YMIN('LINESTRING (1 2, 3 4)') → 2.0", Spatial: spatial.YMin, Binding: least(boxY)},
	{Name: "ST_YMAX", Help: "the greatest Y", Example: "ST_YMAX('LINESTRING (1 2, 3 4)') → 4.0", Spatial: spatial.YMax, Binding: greatest(boxY)},
	{Name: "ST_ZMIN", Help: "the least Z; NULL if there is none", Example: "ST_ZMIN('POINT Z (1 2 3)') → 3.0", Spatial: spatial.ZMin, Binding: least(boxZ)},
	{Name: "ST_ZMAX", Help: "the greatest Z", Example: "ST_ZMAX('POINT Z (1 2 3)') → 3.0", Spatial: spatial.ZMax, Binding: greatest(boxZ)},
	{Name: "ST_MMIN", Help: "the least M; NULL if there is none", Example: "ST_MMIN('POINT M (1 2 3)') → 3.0", Spatial: spatial.MMin, Binding: least(boxM)},
	{Name: "ST_MMAX", Help: "the greatest M", Example: "ST_MMAX('POINT M (1 2 3)') → 3.0", Spatial: spatial.MMax, Binding: greatest(boxM)},
	{Name: "ST_GEOMETRYTYPE", Help: "the kind of a geometry", Example: "ST_GEOMETRYTYPE('POINT (1 2)') → POINT", Spatial: spatial.Kind,
		Binding: binding(oneAs(define.TypeText, func(s *planar.Shape) (string, kernel.Outcome) { return s.Header.Kind.String(), kernel.Outcome{} }), "VARCHAR", wantAny)},
	{Name: "ST_SRID", Help: "the number of the spatial reference: that in the value, or that of the column's CRS; 0 if neither is known", Example: "ST_SRID('SRID=4326;POINT (1 2)') → 4326",
		Binding: binding(srid, "BIGINT", wantAny)},
	{Name: "ST_DIMENSION", Help: "0 for points, 1 for lines, 2 for polygons, the greatest of a collection", Example: "ST_DIMENSION('LINESTRING (1 2, 3 4)') → 1",
		Binding: count(planar.Dimension)},
	{Name: "ST_NPOINTS", Aliases: []string{"ST_NUMPOINTS"}, Help: "the number of positions", Example: "ST_NPOINTS('LINESTRING (1 2, 3 4)') → 2", Binding: count(positions)},
	{Name: "ST_NUMGEOMETRIES", Aliases: []string{"ST_NGEOMETRIES"}, Help: "the number of parts; that of a geometry without parts is 1, or 0 if it is empty", Example: "ST_NUMGEOMETRIES('MULTIPOINT (1 2, 3 4)') → 2", Binding: count(parts)},
	{Name: "ST_NUMINTERIORRINGS", Aliases: []string{"ST_NINTERIORRINGS"}, Help: "the number of holes of a POLYGON; NULL of other geometries", Example: "ST_NUMINTERIORRINGS('POLYGON ((0 0, 1 0, 1 1, 0 0))') → 0",
		Binding: binding(oneAs(define.TypeInt, holes), "BIGINT", wantAny)},
	{Name: "ST_ISEMPTY", Help: "whether the geometry has no point", Example: "ST_ISEMPTY('POINT EMPTY') → true", Binding: test(func(s *planar.Shape) (bool, error) { return s.Geometry().IsEmpty(), nil })},
	{Name: "ST_ISVALID", Help: "whether the geometry follows the rules of OGC's Simple Features: rings are closed and do not cross", Example: "ST_ISVALID('POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))') → false",
		Binding: test(planar.IsValid)},
	{Name: "ST_ISSIMPLE", Help: "whether the geometry neither crosses nor touches itself", Example: "ST_ISSIMPLE('LINESTRING (0 0, 2 2, 2 0, 0 2)') → false", Binding: test(planar.IsSimple)},
	{Name: "ST_ISCLOSED", Help: "whether all lines end where they begin", Example: "ST_ISCLOSED('LINESTRING (0 0, 2 2)') → false", Binding: test(func(s *planar.Shape) (bool, error) { return isClosed(s.Geometry()), nil })},
	{Name: "ST_HASZ", Help: "whether positions have a Z", Example: "ST_HASZ('POINT Z (1 2 3)') → true", Binding: test(func(s *planar.Shape) (bool, error) { return s.Header.Layout.HasZ(), nil })},
	{Name: "ST_HASM", Help: "whether positions have an M", Example: "ST_HASM('POINT Z (1 2 3)') → false", Binding: test(func(s *planar.Shape) (bool, error) { return s.Header.Layout.HasM(), nil })},
}

func boxX(b *wkb.Box) wkb.Range { return b.X }
func boxY(b *wkb.Box) wkb.Range { return b.Y }
func boxZ(b *wkb.Box) wkb.Range { return b.Z }
func boxM(b *wkb.Box) wkb.Range { return b.M }

func ordinate(axis func(*wkb.Box) wkb.Range) expr.Binding {
	return binding(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return oneAs(define.TypeDouble, func(s *planar.Shape) (float64, kernel.Outcome) {
			if s.Header.Kind != wkb.Point {
				return 0, failed(fmt.Errorf("%s: a %s is no POINT", call.Name, s.Header.Kind))
			}
			r := axis(&s.Box)
			return r.Min, kernel.Outcome{Null: r.IsEmpty()}
		})(call, args)
	}, "DOUBLE", wantAny)
}

func least(axis func(*wkb.Box) wkb.Range) expr.Binding {
	return binding(oneAs(define.TypeDouble, func(s *planar.Shape) (float64, kernel.Outcome) {
		r := axis(&s.Box)
		return r.Min, kernel.Outcome{Null: r.IsEmpty()}
	}), "DOUBLE", wantAny)
}

func greatest(axis func(*wkb.Box) wkb.Range) expr.Binding {
	return binding(oneAs(define.TypeDouble, func(s *planar.Shape) (float64, kernel.Outcome) {
		r := axis(&s.Box)
		return r.Max, kernel.Outcome{Null: r.IsEmpty()}
	}), "DOUBLE", wantAny)
}

func count(f func(*wkb.Geometry) int) expr.Binding {
	return binding(oneAs(define.TypeInt, func(s *planar.Shape) (int64, kernel.Outcome) {
		return int64(f(s.Geometry())), kernel.Outcome{}
	}), "BIGINT", wantAny)
}

func test(f func(*planar.Shape) (bool, error)) expr.Binding {
	return binding(oneAs(define.TypeBoolean, func(s *planar.Shape) (bool, kernel.Outcome) {
		ok, err := f(s)
		return ok, failed(err)
	}), "BOOLEAN", wantAny)
}

func positions(g *wkb.Geometry) int {
	n := len(g.Positions)
	for _, r := range g.Rings {
		n += len(r)
	}
	n /= g.Layout.Stride()
	for i := range g.Parts {
		n += positions(&g.Parts[i])
	}
	return n
}

func parts(g *wkb.Geometry) int {
	switch {
	case g.Kind.IsMulti():
		return len(g.Parts)
	case g.IsEmpty():
		return 0
	}
	return 1
}

func holes(s *planar.Shape) (int64, kernel.Outcome) {
	if s.Header.Kind != wkb.Polygon {
		return 0, null
	}
	return int64(max(len(s.Geometry().Rings)-1, 0)), kernel.Outcome{}
}

// isClosed: points and polygons are closed, an empty line is not.
func isClosed(g *wkb.Geometry) bool {
	if stride := g.Layout.Stride(); g.Kind == wkb.LineString {
		n := len(g.Positions)
		return n > 0 && g.Positions[0] == g.Positions[n-stride] && g.Positions[1] == g.Positions[n-stride+1]
	}
	for i := range g.Parts {
		if !isClosed(&g.Parts[i]) {
			return false
		}
	}
	return true
}

func srid(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	column := sridOf(args[0].Type())
	return oneAs(define.TypeInt, func(s *planar.Shape) (int64, kernel.Outcome) {
		if s.Header.SRID != 0 {
			return int64(s.Header.SRID), kernel.Outcome{}
		}
		return column, kernel.Outcome{}
	})(call, args)
}

// sridOf is the number of a type's CRS, 0 if it has no number.
func sridOf(t vector.Type) int64 {
	if vector.IsLonLat(t.CRS) {
		return 4326
	}
	authority, code, _ := strings.Cut(t.CRS, ":")
	n, err := strconv.ParseInt(code, 10, 32)
	if err != nil || !strings.EqualFold(authority, "EPSG") && !strings.EqualFold(authority, "srid") {
		return 0
	}
	return n
}
