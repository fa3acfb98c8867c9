package probe

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	exprset "github.com/parquetsql/parquetsql/expr/set"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/geometry/spatial"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/vector"
)

// claims is a call of a function about which only its claim is known.
func claims(c spatial.Claim, t vector.Type, args ...expr.Expr) expr.Expr {
	return &expr.Call{Callee: expr.Callee{Function: &expr.Function{Name: "F", Spatial: c}, Name: "F"}, Args: args, T: t}
}

func lineString(t vector.Type, xy ...float64) expr.Expr {
	g := wkb.Geometry{Header: wkb.Header{Kind: wkb.LineString}, Positions: xy}
	return expr.NewConst(vector.Scalar{Type: t, Str: string(wkb.Append(nil, &g))})
}

func pointText(t vector.Type, x, y float64) expr.Expr {
	g := wkb.Geometry{Header: wkb.Header{Kind: wkb.Point}, Positions: []float64{x, y}}
	return expr.NewConst(vector.Scalar{Type: t, Str: string(wkb.Append(nil, &g))})
}

func shapesOf(xmin, xmax, ymin, ymax float64, kinds Kinds) *Summary {
	s := AnyShapes()
	s.Box.X, s.Box.Y, s.Kinds = wkb.Range{Min: xmin, Max: xmax}, wkb.Range{Min: ymin, Max: ymax}, kinds
	s.Wraps = xmin > xmax
	return &Summary{Rows: 10, Shapes: &s}
}

// TestSpatialVerdicts checks what must be decided, and what must not.
func TestSpatialVerdicts(t *testing.T) {
	plane, globe := vector.GeometryType("EPSG:3857"), vector.GeographyType("OGC:CRS84", "SPHERICAL")
	boolean, double := vector.Of(vector.Boolean), vector.Of(vector.Double)
	g, o := expr.NewColumn(0, "g", plane), expr.NewColumn(0, "o", globe)
	number := func(v float64) expr.Expr { return expr.NewConst(vector.FloatScalar(v)) }
	overlap := func(a, b expr.Expr) expr.Expr { return claims(spatial.Overlap, boolean, a, b) }
	near := func(a, b expr.Expr, d float64) expr.Expr { return claims(spatial.Near, boolean, a, b, number(d)) }
	greater := func(c spatial.Claim, column expr.Expr, v float64) expr.Expr {
		return must(expr.NewCompare(expr.OpGt, claims(c, double, column), number(v)))
	}
	kind := func(name string) expr.Expr {
		return must(expr.NewCompare(expr.OpEq, claims(spatial.Kind, vector.Of(vector.Varchar), g), expr.NewConst(vector.StringScalar(name))))
	}
	not := func(e expr.Expr) expr.Expr { return &expr.Not{X: e} }
	at := func(x, y float64) expr.Expr { return pointText(plane, x, y) }
	lines := KindsOf(wkb.LineString)
	in := func(column expr.Expr, space extent.Space, distance float64, places ...float64) expr.Expr {
		set := extent.NewSet(space, 0)
		for i := 0; i < len(places); i += 2 {
			set.Add(0, pointText(plane, places[i], places[i+1]).(*expr.Const).Value.Str, distance)
		}
		if err := set.Freeze(t.Context()); err != nil {
			t.Fatal(err)
		}
		return expr.NewMember(column, exprset.Region{Set: set})
	}
	box, points, across := shapesOf(0, 10, 0, 10, 0), shapesOf(0, 10, 0, 10, Points), shapesOf(170, -170, 0, 10, Points)
	for i, c := range []struct {
		e    expr.Expr
		s    *Summary
		want Verdict
	}{
		{in(g, extent.Plane, 0, 11, 5, -1, 5, 5, 11), box, None}, // around the box, and none in it
		{in(g, extent.Plane, 1, 11, 5), box, Some},
		{in(g, extent.Plane, 0, -175, 5), across, Some},
		{in(g, extent.Plane, 0, 175, 5), across, Some},
		{in(g, extent.Plane, 0, 0, 5, 175, 11), across, None},
		{in(g, extent.Plane, 0), box, None}, // a set of nothing
		{in(g, extent.Plane, 0, 20, 20), &Summary{Rows: 10}, Some},
		{not(in(g, extent.Plane, 0, 11, 5)), box, Some},
		{in(o, extent.Globe, 0, -175, 5), across, Some},
		{in(o, extent.Globe, 0, 0, 5, 160, 5), across, None},
		{in(o, extent.Globe, 200_000, -169, 5), across, Some},
		{in(o, extent.Globe, 0, 5, 10.02), box, Some}, // an arc may be farther from the equator than its ends
		{in(o, extent.Globe, 0, 5, 10.02), points, None},
		{overlap(g, at(11, 5)), box, None},
		{overlap(at(5, 11), g), box, None},
		{overlap(g, at(10, 10)), box, Some},
		{overlap(g, at(5, 5)), &Summary{Rows: 10}, Some},
		{not(overlap(g, at(11, 5))), box, Some},
		{overlap(g, at(math.NaN(), math.NaN())), box, None}, // nothing overlaps an empty geometry
		{overlap(g, expr.NewConst(vector.Scalar{Type: plane, Str: "\x01\x01"})), box, Some},
		{overlap(g, at(0, 5)), across, None},
		{overlap(g, at(175, 5)), across, Some},
		{overlap(g, at(-175, 5)), across, Some},
		{overlap(g, at(175, 11)), across, None},
		{near(g, at(12, 5), 1), box, None},
		{near(g, at(12, 5), 2), box, Some},
		{near(g, at(5, 5), -1), box, None},
		{near(g, at(12, 5), math.NaN()), box, Some},
		{greater(spatial.X, g, 10), box, None},
		{greater(spatial.X, g, 9), box, Some},
		{greater(spatial.YMax, g, 10), box, None},
		{greater(spatial.Z, g, 10), box, Some},
		{greater(spatial.X, g, 175), across, Some},
		{greater(spatial.Y, g, 10), across, None},
		{not(greater(spatial.X, g, -1)), box, None}, // X > -1 is TRUE or NULL
		{kind("POINT"), shapesOf(0, 10, 0, 10, lines), None},
		{kind("LINESTRING"), shapesOf(0, 10, 0, 10, lines), Some},
		{kind("MULTIPOINT"), shapesOf(0, 10, 0, 10, KindsOf(wkb.Point)|lines), None},
		{kind("POINT"), box, Some},
		{overlap(o, pointText(globe, 11, 5)), points, None},
		{overlap(o, pointText(globe, 5, 10.01)), points, None},
		{overlap(o, pointText(globe, 5, 10.01)), box, Some}, // an edge along the parallel of 10 degrees bulges
		{overlap(o, pointText(globe, 5, 11)), box, None},
		{overlap(o, pointText(globe, 0, 5)), across, None},
		{overlap(o, lineString(globe, 179, 5, -179, 5)), shapesOf(-10, 10, 0, 10, Points), Some}, // 358 degrees wide, or 2
		{overlap(o, pointText(globe, 11, 5)), shapesOf(-170, 170, 0, 10, lines), Some},
		{overlap(o, pointText(globe, 190, 5)), points, Some},
		{near(o, pointText(globe, 11, 5), 100_000), points, None},
		{near(o, pointText(globe, 11, 5), 120_000), points, Some},
		{greater(spatial.X, o, 10), points, None},
		{greater(spatial.YMax, o, 10), box, Some},
		{greater(spatial.YMax, o, 10), points, None},
	} {
		p := New(t.Context(), c.e)
		if p == nil {
			if c.want != Some {
				t.Errorf("%d: no probe", i)
			}
			continue
		}
		if got := p.Test(func(int) *Summary { return c.s }); got != c.want {
			t.Errorf("%d: got %v, want %v", i, got, c.want)
		}
	}
}

// TestSpatialIsSound: if the box of some value overlaps that of the constant, the verdict is
// not None.
func TestSpatialIsSound(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	plane := vector.GeometryType("")
	g := expr.NewColumn(0, "g", plane)
	any := func() (x, y float64) { return float64(r.IntN(40)-20) / 2, float64(r.IntN(40)-20) / 2 }
	pruned := 0
	for range 5000 {
		s := AnyShapes()
		s.Box, s.Kinds = wkb.NoBox(), KindsOf(wkb.LineString)
		var rows []wkb.Box
		x0, y0 := any()
		for range 1 + r.IntN(4) {
			x, y := any()
			dx, dy := any()
			x, y, dx, dy = x0+x/4, y0+y/4, dx/8, dy/8
			b, _, err := wkb.Bounds(lineString(plane, x, y, x+dx, y+dy).(*expr.Const).Value.Str)
			if err != nil {
				t.Fatal(err)
			}
			rows, s.Box = append(rows, b), s.Box.Union(&b)
		}
		x, y := any()
		dx, dy := any()
		constant, distance := lineString(plane, x, y, x+dx/4, y+dy/4), float64(r.IntN(3))
		box, _, _ := wkb.Bounds(constant.(*expr.Const).Value.Str)
		box = box.Expand(distance)
		hit := false
		for i := range rows {
			hit = hit || rows[i].Overlaps(&box)
		}
		e := claims(spatial.Near, vector.Of(vector.Boolean), g, constant, expr.NewConst(vector.FloatScalar(distance)))
		verdict := New(t.Context(), e).Test(func(int) *Summary { return &Summary{Rows: int64(len(rows)), Shapes: &s} })
		if hit && verdict != Some {
			t.Fatalf("%v over %v: %v", box, rows, verdict)
		}
		if verdict == None {
			pruned++
		}
	}
	if pruned < 1000 {
		t.Errorf("only %d of 5000 pruned", pruned)
	}
}
