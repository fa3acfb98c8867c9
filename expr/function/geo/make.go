package geo

import (
	"errors"
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// MakeFunctions make geometries of numbers and of other geometries.
var MakeFunctions = []expr.Function{
	{Name: "ST_POINT", Aliases: []string{"ST_MAKEPOINT"}, Help: "the POINT of X, Y, and Z and M if they are given", Example: "ST_ASTEXT(ST_POINT(1, 2)) → POINT (1 2)",
		Binding: define.Overloaded(
			define.Fixed(typeGeometry, kernel.Text2(func(dst []byte, x, y float64) ([]byte, kernel.Outcome) { return point(dst, wkb.XY, x, y) }), false, define.WantDouble, define.WantDouble),
			define.Fixed(typeGeometry, kernel.Text3(func(dst []byte, x, y, z float64) ([]byte, kernel.Outcome) { return point(dst, wkb.XYZ, x, y, z) }), false, define.WantDouble, define.WantDouble, define.WantDouble),
			define.Fixed(typeGeometry, four(func(dst []byte, v [4]float64) ([]byte, kernel.Outcome) { return point(dst, wkb.XYZM, v[:]...) }), false, define.WantDouble, define.WantDouble, define.WantDouble, define.WantDouble))},
	{Name: "ST_MAKEENVELOPE", Help: "the rectangle of the least X and Y and the greatest X and Y, with an SRID if one is given", Example: "ST_ASTEXT(ST_MAKEENVELOPE(0, 0, 1, 2)) → POLYGON ((0 0, 0 2, 1 2, 1 0, 0 0))",
		Binding: define.Overloaded(
			define.Fixed(typeGeometry, four(envelope), false, define.WantDouble, define.WantDouble, define.WantDouble, define.WantDouble),
			define.Fixed(typeGeometry, fourAnd(envelopeSRID), true, define.WantDouble, define.WantDouble, define.WantDouble, define.WantDouble, define.WantInt))},
	{Name: "ST_MAKELINE", Help: "the LINESTRING through the points and lines", Example: "ST_ASTEXT(ST_MAKELINE('POINT (1 2)', 'POINT (3 4)')) → LINESTRING (1 2, 3 4)",
		Binding: binding(two(vector.Type{}, makeLine), "GEOMETRY", wantPlanar, wantPlanar)},
	{Name: "ST_MAKEPOLYGON", Aliases: []string{"ST_POLYGON"}, Help: "the POLYGON whose edge is a closed line", Example: "ST_ASTEXT(ST_MAKEPOLYGON('LINESTRING (0 0, 1 0, 1 1, 0 0)')) → POLYGON ((0 0, 1 0, 1 1, 0 0))",
		Binding: binding(one(makePolygon), "GEOMETRY", wantPlanar)},
	{Name: "ST_SETSRID", Help: "the geometry with an SRID, without it if that is 0; positions stay as they are", Example: "ST_SRID(ST_SETSRID(ST_POINT(1, 2), 3857)) → 3857",
		Binding: binding(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
			return define.Strict(call, args, vector.Of(args[0].Type().Kind), kernel.Try2(setSRID), true)
		}, "GEOMETRY", wantPlanar, define.WantInt)},
}

func point(dst []byte, l wkb.Layout, ordinates ...float64) ([]byte, kernel.Outcome) {
	return wkb.AppendPosition(wkb.AppendHeader(dst, wkb.Header{Kind: wkb.Point, Layout: l}), ordinates...), kernel.Outcome{}
}

// four is the kernel of a function of four numbers that appends bytes.
func four(f func([]byte, [4]float64) ([]byte, kernel.Outcome)) func() kernel.Func {
	return fourAnd(func(dst []byte, v [4]float64, _ int64) ([]byte, kernel.Outcome) { return f(dst, v) })
}

// fourAnd is four with an integer behind the numbers, or 0.
func fourAnd(f func([]byte, [4]float64, int64) ([]byte, kernel.Outcome)) func() kernel.Func {
	return func() kernel.Func {
		t := &kernel.TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			var v [4]kernel.Operand[float64]
			for i := range v {
				v[i] = kernel.OperandOf[float64](args[i])
			}
			var last kernel.Operand[int64]
			if len(args) > len(v) {
				last = kernel.OperandOf[int64](args[len(v)])
			}
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
				k := int64(0)
				if len(args) > len(v) {
					k = last.At(i)
				}
				return f(dst, [4]float64{v[0].At(i), v[1].At(i), v[2].At(i), v[3].At(i)}, k)
			})
		}
	}
}

func envelope(dst []byte, v [4]float64) ([]byte, kernel.Outcome) {
	return wkb.Append(dst, rectangle(v)), kernel.Outcome{}
}

// envelopeSRID is the form with an SRID.
func envelopeSRID(dst []byte, v [4]float64, srid int64) ([]byte, kernel.Outcome) {
	if srid < 0 || srid > math.MaxInt32 {
		return dst, failed(fmt.Errorf("%d is no SRID", srid))
	}
	g := rectangle(v)
	g.SRID = int32(srid)
	return wkb.Append(dst, g), kernel.Outcome{}
}

// rectangle is the polygon of the corners, which need not be in order: see
// wkb.Box.Geometry.
func rectangle(v [4]float64) *wkb.Geometry {
	x0, y0, x1, y1 := v[0], v[1], v[2], v[3]
	return &wkb.Geometry{Header: wkb.Header{Kind: wkb.Polygon}, Rings: [][]float64{{x0, y0, x0, y1, x1, y1, x1, y0, x0, y0}}}
}

func makeLine(a, b *planar.Shape) (string, kernel.Outcome) {
	line := wkb.Geometry{Header: wkb.Header{Kind: wkb.LineString, Layout: a.Header.Layout, SRID: a.Header.SRID}}
	for _, s := range []*planar.Shape{a, b} {
		switch {
		case s.Header.Kind != wkb.Point && s.Header.Kind != wkb.LineString:
			return "", failed(fmt.Errorf("ST_MAKELINE: a %s is neither a POINT nor a LINESTRING", s.Header.Kind))
		case s.Header.Layout != line.Layout:
			return "", failed(errors.New("ST_MAKELINE: Z or M differ; use ST_FORCE2D"))
		}
		line.Positions = append(line.Positions, s.Geometry().Positions...)
	}
	return encoded(&line), kernel.Outcome{}
}

func makePolygon(s *planar.Shape) (string, kernel.Outcome) {
	g := s.Geometry()
	if g.Kind != wkb.LineString || len(g.Positions) < 4*g.Layout.Stride() || !isClosed(g) {
		return "", failed(errors.New("ST_MAKEPOLYGON: it takes a LINESTRING of at least 4 positions that ends where it begins"))
	}
	h := g.Header
	h.Kind = wkb.Polygon
	return encoded(&wkb.Geometry{Header: h, Rings: [][]float64{g.Positions}}), kernel.Outcome{}
}
