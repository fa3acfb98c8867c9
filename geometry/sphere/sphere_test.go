package sphere

import (
	"math"
	"slices"
	"testing"

	"github.com/golang/geo/s2"

	"github.com/parquetsql/parquetsql/geometry/globe"
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
}

// TestErrors: positions that are not on the globe, and rings that S2 makes no loop of.
func TestErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, xy := range [][2]float64{{1, 91}, {nan, 1}, {1, nan}, {inf, 1}, {-inf, 1}, {1, inf}} {
		for _, g := range []wkb.Geometry{
			{Header: wkb.Header{Kind: wkb.Point}, Positions: xy[:]},
			{Header: wkb.Header{Kind: wkb.LineString}, Positions: []float64{0, 0, xy[0], xy[1]}},
			{Header: wkb.Header{Kind: wkb.Polygon}, Rings: [][]float64{{0, 0, xy[0], xy[1], 5, 5, 0, 0}}},
		} {
			if _, err := Read(string(wkb.Append(nil, &g))); err == nil {
				t.Errorf("a %s with %v is read", g.Kind, xy)
			}
		}
	}
	for _, ring := range [][]float64{{0, 0, 1, 0, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 1, 1, 0, 0, 0, 0}} {
		g := wkb.Geometry{Header: wkb.Header{Kind: wkb.Polygon}, Rings: [][]float64{ring}}
		if _, err := Read(string(wkb.Append(nil, &g))); err == nil {
			t.Errorf("the ring %v is read", ring)
		}
	}
}

// TestRepeatedPosition: a position that comes twice in a row changes nothing.
func TestRepeatedPosition(t *testing.T) {
	once, twice := shape(t, "POLYGON ((0 0, 5 0, 5 5, 0 0))"), shape(t, "POLYGON ((0 0, 0 0, 5 0, 5 0, 5 5, 0 0, 0 0))")
	if once.Area() != twice.Area() || once.Perimeter() != twice.Perimeter() || !Contains(twice, shape(t, "POINT (4 1)")) {
		t.Error(once.Area(), twice.Area(), once.Perimeter(), twice.Perimeter())
	}
}

// FuzzRead: no bytes make a panic, and the bound of a shape holds it.
func FuzzRead(f *testing.F) {
	for _, ordinates := range [][]float64{{0, 0, 90, 0, 0, 90}, {0, 0, 180, 0, 90, 90}, {170, 80, -170, 80, 0, -90}, {1e-300, 5, -1e300, 7, 3, 3}, {10, 10, 10, 10, 190, -10}} {
		for _, kind := range []wkb.Kind{wkb.Point, wkb.LineString, wkb.Polygon} {
			g := wkb.Geometry{Header: wkb.Header{Kind: kind}}
			switch kind {
			case wkb.Point:
				g.Positions = ordinates[:2]
			case wkb.LineString:
				g.Positions = ordinates
			default:
				g.Rings = [][]float64{append(slices.Clone(ordinates), ordinates[:2]...)}
			}
			f.Add(string(wkb.Append(nil, &g)))
		}
	}
	octant := shape(f, octant)
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Read(s)
		if err != nil || a.IsEmpty() {
			return
		}
		bound, ok := a.Bound()
		if !ok {
			t.Fatalf("%x has no bound", s)
		}
		for _, p := range append(slices.Clone(a.points), ends(a)...) {
			ll := s2.LatLngFromPoint(p)
			if at := (globe.Area{West: ll.Lng.Degrees(), South: ll.Lat.Degrees(), North: ll.Lat.Degrees()}); !bound.Meets(at) {
				t.Fatalf("%x: %v is not in %v", s, at, bound)
			}
		}
		Distance(a, octant)
		Contains(octant, a)
		Covers(a, octant)
		if !Intersects(a, a) || !BoundsMeet(a, a) {
			t.Fatalf("%x does not meet itself", s)
		}
	})
}

func ends(s *Shape) (list []s2.Point) {
	for _, e := range s.edges() {
		list = append(list, e.a, e.b)
	}
	return list
}
