package sphere

import (
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/geometry/text"
	"github.com/parquetsql/parquetsql/geometry/wkb"
)

func shape(t testing.TB, wkt string) *Shape {
	t.Helper()
	g, err := text.ParseWKT(wkt)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(string(wkb.Append(nil, &g)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	octant  = "POLYGON ((0 0, 90 0, 0 90, 0 0))"
	quarter = Radius * math.Pi / 2
)

// TestMeasures uses figures whose size on a sphere is known: an octant has an eighth of
// its area, and its edges are quarters of great circles.
func TestMeasures(t *testing.T) {
	o := shape(t, octant)
	if a, want := o.Area(), math.Pi/2*Radius*Radius; math.Abs(a-want) > 1e-9*want {
		t.Errorf("area %v, want %v", a, want)
	}
	if reversed := shape(t, "POLYGON ((0 0, 0 90, 90 0, 0 0))"); math.Abs(reversed.Area()-o.Area()) > 1 {
		t.Errorf("the area of a ring in the other direction is %v", reversed.Area())
	}
	if p := o.Perimeter(); math.Abs(p-3*quarter) > 1e-3 {
		t.Error(p)
	}
	if l := shape(t, "LINESTRING (170 0, -170 0)").Length(); math.Abs(l-quarter*20/90) > 1e-3 {
		t.Errorf("a line across the antimeridian is %v long", l)
	}
}

func TestDistances(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		degree float64
	}{
		{"POINT (0 0)", "POINT (0 90)", 90}, {"POINT (179 0)", "POINT (-179 0)", 2}, {"POINT (45 -1)", octant, 1}, {"POINT (45 30)", octant, 0},
		{"LINESTRING (0 0, 90 0)", "POINT (45 10)", 10}, {"LINESTRING (-10 -10, -10 10)", octant, math.Asin(math.Sin(10*math.Pi/180)*math.Cos(10*math.Pi/180)) * 180 / math.Pi},
		{"LINESTRING (10 -10, 10 10)", "LINESTRING (0 0, 20 0)", 0},
	} {
		d, ok := Distance(shape(t, c.a), shape(t, c.b))
		if want := c.degree / 90 * quarter; !ok || math.Abs(d-want) > 1e-3 {
			t.Errorf("%s to %s: %v, want %v", c.a, c.b, d, want)
		}
	}
	if _, ok := Distance(shape(t, "POINT EMPTY"), shape(t, octant)); ok {
		t.Error("the distance of an empty geometry")
	}
}

func TestRelations(t *testing.T) {
	for _, c := range []struct {
		a, b                         string
		intersects, covers, contains bool
	}{
		{octant, "POINT (45 30)", true, true, true},
		{octant, "POINT (45 0)", true, true, false},
		{octant, "POINT (0 0)", true, true, false},
		{octant, "POINT (45 -1)", false, false, false},
		{octant, "LINESTRING (10 10, 20 20)", true, true, true},
		{octant, "LINESTRING (10 0, 20 0)", true, true, false},
		{octant, "LINESTRING (10 10, 10 -10)", true, false, false},
		{octant, "POLYGON ((10 10, 20 10, 20 20, 10 10))", true, true, true},
		{octant, octant, true, true, true},
		{"POLYGON ((10 10, 20 10, 20 20, 10 10))", octant, true, false, false},
		{"POLYGON ((0 0, 90 0, 0 90, 0 0), (10 10, 30 10, 20 30, 10 10))", "POINT (20 15)", false, false, false},
		{"POLYGON ((0 0, 90 0, 0 90, 0 0), (10 10, 30 10, 20 30, 10 10))", "POLYGON ((5 5, 40 5, 20 40, 5 5))", true, false, false},
		// The arc between two points of one latitude is nearer to the pole than the parallel.
		{"POLYGON ((0 50, 60 50, 30 0, 0 50))", "POINT (30 52)", true, true, true},
		{"POLYGON ((170 -10, -170 -10, -170 10, 170 10, 170 -10))", "POINT (180 0)", true, true, true},
		{"POLYGON ((170 -10, -170 -10, -170 10, 170 10, 170 -10))", "POINT (0 0)", false, false, false},
	} {
		a, b := shape(t, c.a), shape(t, c.b)
		if Intersects(a, b) != c.intersects || Intersects(b, a) != c.intersects || Covers(a, b) != c.covers || Contains(a, b) != c.contains {
			t.Errorf("%s and %s: %t %t %t", c.a, c.b, Intersects(a, b), Covers(a, b), Contains(a, b))
		}
	}
	if _, err := Read(string(wkb.AppendPosition(wkb.AppendHeader(nil, wkb.Header{Kind: wkb.Point}), 1, 91))); err == nil {
		t.Error("a latitude of 91")
	}
}
