package planar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
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
	return &s
}

const square = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))"

// TestRelations has pairs with the relations that hold, in the words of the definitions
// of OGC 06-103r4, section 6.1.15.
func TestRelations(t *testing.T) {
	names := []string{"intersects", "disjoint", "contains", "within", "covers", "coveredby", "touches", "crosses", "overlaps", "equals"}
	for _, c := range []struct{ a, b, holds string }{
		{square, "POINT (1 1)", "intersects contains covers"},
		{square, "POINT (0 2)", "intersects covers touches"},
		{square, "POINT (4 4)", "intersects covers touches"},
		{square, "POINT (5 5)", "disjoint"},
		{square, "POINT EMPTY", "disjoint"},
		{"POINT (1 1)", "MULTIPOINT (1 1, 1 1)", "intersects contains within covers coveredby equals"},
		{"POINT (1 1)", "MULTIPOINT (1 1, 2 2)", "intersects within coveredby"},
		{"POINT (1 1)", "POINT (1 1)", "intersects contains within covers coveredby equals"},
		{"POINT EMPTY", "LINESTRING EMPTY", "disjoint equals"},
		{"LINESTRING (0 0, 2 2)", "POINT (0 0)", "intersects covers touches"},
		{"LINESTRING (0 0, 2 2)", "POINT (1 1)", "intersects contains covers"},
		{"LINESTRING (0 0, 1 1, 0 1, 0 0)", "POINT (0 0)", "intersects contains covers"},
		{"MULTILINESTRING ((0 0, 1 1), (0 0, 2 0))", "POINT (0 0)", "intersects contains covers"},
		{"LINESTRING (0 0, 2 2)", "LINESTRING (0 2, 2 0)", "intersects crosses"},
		{"LINESTRING (0 0, 2 2)", "LINESTRING (1 1, 3 3)", "intersects overlaps"},
		{"LINESTRING (0 0, 2 2)", "LINESTRING (2 2, 3 0)", "intersects touches"},
		{"LINESTRING (-1 1, 5 1)", square, "intersects crosses"},
		{"LINESTRING (0 0, 4 0)", square, "intersects coveredby touches"},
		{square, "POLYGON ((4 0, 8 0, 8 4, 4 4, 4 0))", "intersects touches"},
		{square, "POLYGON ((2 2, 8 2, 8 8, 2 8, 2 2))", "intersects overlaps"},
		{square, "POLYGON ((1 1, 2 1, 2 2, 1 2, 1 1))", "intersects contains covers"},
		{square, "POLYGON ((0 4, 0 0, 4 0, 4 4, 0 4))", "intersects contains within covers coveredby equals"},
		{"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))", "POLYGON ((1.5 1.5, 2 1.5, 2 2, 1.5 1.5))", "disjoint"},
		{"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))", "POINT (1 2)", "intersects covers touches"},
		{"GEOMETRYCOLLECTION (POINT (9 9), " + square + ")", "LINESTRING (9 8, 9 10)", "intersects"},
	} {
		a, b := shape(t, c.a), shape(t, c.b)
		for r := Intersects; r <= Equals; r++ {
			if strings.HasPrefix(c.a, "GEOMETRYCOLLECTION") && r > Disjoint {
				continue
			}
			want := strings.Contains(" "+c.holds+" ", " "+names[r]+" ")
			if got, err := Holds(r, a, b); got != want || err != nil {
				t.Errorf("%s %s %s: %t, %v", c.a, names[r], c.b, got, err)
			}
			if got, err := Holds(r.turned(), b, a); got != want || err != nil {
				t.Errorf("%s %s %s: %t, %v", c.b, names[r.turned()], c.a, got, err)
			}
		}
	}
}

// TestOrient compares with rational numbers, on points that are on a line or nearly so.
func TestOrient(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	near := func(v float64) float64 {
		for range r.IntN(3) {
			v = math.Nextafter(v, math.Inf(r.IntN(3)-1))
		}
		return v
	}
	for range 20_000 {
		scale := math.Ldexp(1, r.IntN(40)-20)
		if r.IntN(20) == 0 {
			scale = math.Ldexp(1, r.IntN(1600)-900)
		}
		a := xy{scale * float64(r.IntN(20)), scale * float64(r.IntN(20))}
		b := xy{scale * r.NormFloat64(), scale * float64(r.IntN(20))}
		f := float64(r.IntN(5)) / 4
		c := xy{near(a.x + f*(b.x-a.x)), near(a.y + f*(b.y-a.y))}
		if got, want := orient(a, b, c), orientRat(a, b, c); got != want {
			t.Fatalf("%v %v %v: %d, want %d", a, b, c, got, want)
		}
	}
}

func orientRat(a, b, c xy) int {
	diff := func(a, b float64) *big.Rat {
		return new(big.Rat).Sub(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b))
	}
	l := new(big.Rat).Mul(diff(a.x, c.x), diff(b.y, c.y))
	return l.Cmp(new(big.Rat).Mul(diff(a.y, c.y), diff(b.x, c.x)))
}

// TestManyEdges: a polygon of many edges, which has an index, says the same of a point as
// the distance from its center.
func TestManyEdges(t *testing.T) {
	circle, err := Buffer(shape(t, "POINT (10 20)"), 5, 200)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(string(wkb.Append(nil, &circle)))
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		p := xy{10 + 12*(r.Float64()-0.5), 20 + 12*(r.Float64()-0.5)}
		d := math.Hypot(p.x-10, p.y-20)
		if at := s.atoms().locate(p); d < 4.99 && at != inside || d > 5 && at != outside {
			t.Fatalf("%v at the distance %v: %v", p, d, at)
		}
	}
}

func TestMeasures(t *testing.T) {
	ring := "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))"
	if a := Area(shape(t, ring).Geometry()); a != 15 {
		t.Error(a)
	}
	if p := Perimeter(shape(t, ring).Geometry()); p != 20 {
		t.Error(p)
	}
	if l := Length(shape(t, "MULTILINESTRING Z ((0 0 0, 3 4 9), (0 0 0, 0 1 9))").Geometry()); l != 6 {
		t.Error(l)
	}
	for _, c := range []struct {
		a, b string
		d    float64
	}{
		{"POINT (0 0)", "POINT (3 4)", 5}, {"POINT (2 2)", ring, 0}, {"POINT (1.5 1.5)", ring, 0.5}, {"POINT (7 8)", ring, 5},
		{"LINESTRING (0 5, 5 0)", "POINT (0 0)", math.Sqrt(12.5)}, {"LINESTRING (5 0, 9 0)", ring, 1}, {"LINESTRING (0 0, 9 9)", ring, 0},
		{"MULTIPOINT (9 9, 0 6)", ring, 2},
	} {
		d, ok, err := Distance(shape(t, c.a), shape(t, c.b))
		if !ok || err != nil || math.Abs(d-c.d) > 1e-12 {
			t.Errorf("%s to %s: %v %t %v", c.a, c.b, d, ok, err)
		}
	}
	if _, ok, err := Distance(shape(t, "POINT EMPTY"), shape(t, ring)); ok || err != nil {
		t.Error("the distance of an empty geometry", ok, err)
	}
}

// TestBuffer compares areas with those of circles and of right angles.
func TestBuffer(t *testing.T) {
	for _, c := range []struct {
		wkt       string
		d         float64
		area, off float64
	}{
		{"POINT (3 3)", 2, 4 * math.Pi, 0.001}, {"LINESTRING (0 0, 10 0)", 1, 20 + math.Pi, 0.001}, {square, 1, 16 + 16 + math.Pi, 0.001},
		{square, -1, 4, 1e-9}, {square, -3, 0, 0}, {square, 0, 16, 1e-9}, {"POINT (1 1)", -1, 0, 0}, {"MULTIPOINT (0 0, 10 10)", 1, 2 * math.Pi, 0.001},
		{"LINESTRING (0 0, 10 0, 10 10, 0 10, 0 0)", 1, 40*2 - 4 + math.Pi, 0.001},
	} {
		g, err := Buffer(shape(t, c.wkt), c.d, 100)
		if a := Area(&g); err != nil || math.Abs(a-c.area) > c.off {
			t.Errorf("%s by %v: area %v, want %v, %v", c.wkt, c.d, a, c.area, err)
		}
	}
}

// TestExtremes: ordinates of very different sizes make an error or the right area, since
// positions near to each other are moved to one place.
func TestExtremes(t *testing.T) {
	for _, k := range []string{"1e3", "1e17", "1e154", "1e300", "1e308", "1e-310"} {
		a := shape(t, strings.ReplaceAll("POLYGON ((0 0, K 0, K K, 0 K, 0 0))", "K", k))
		b := shape(t, strings.ReplaceAll("POLYGON ((-K 1, K 1, K 2, -K 2, -K 1))", "K", k))
		x, y := Area(a.Geometry()), Area(b.Geometry())
		g, err := Intersection.Of(a, b)
		if got := Area(&g); err == nil && got > min(x, y)*(1+1e-9) {
			t.Errorf("%s: the intersection has the area %v, of %v and %v", k, got, x, y)
		}
		g, err = Difference.Of(a, b)
		if got := Area(&g); err == nil && got < (x-y)*(1-1e-9) {
			t.Errorf("%s: the difference has the area %v, of %v and %v", k, got, x, y)
		}
	}
}

// TestBroken: geometries that are not valid are errors or answers, and no panic.
func TestBroken(t *testing.T) {
	list := []string{
		"POLYGON ((0 0, 1 1, 0 0))", "POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))", "LINESTRING (1 1, 1 1)", "LINESTRING (1 1)", "POLYGON ((0 0, 1 1))",
		"POLYGON ((0 0, 1 0, 1 1, 0 1))", "POLYGON ((0 0, 16 0, 16 16, 0 16, 0 0), (2 16, 8 22, 2 28, -4 22, 2 16))", "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((0 0, 4 0, 4 4, 0 0)))", "POINT (nan 1)", "LINESTRING (0 0, inf 1)", "POLYGON ((nan nan, 1 1, 2 2, nan nan))",
		"GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 0)), POLYGON ((1 0, 5 0, 5 4, 1 0)))", square,
	}
	for _, x := range list {
		for _, y := range list {
			a, b := shape(t, x), shape(t, y)
			for r := Intersects; r <= Equals; r++ {
				_, _ = Holds(r, a, b)
			}
			for _, o := range []Overlay{Union, Intersection, Difference, SymDifference} {
				_, _ = o.Of(a, b)
			}
			_, _, _ = Distance(a, b)
		}
		s := shape(t, x)
		for _, f := range []Unary{Centroid, ConvexHull, Boundary, PointOnSurface} {
			_, _ = f(s)
		}
		_, _ = Unite(s, shape(t, square))
		_, _ = Buffer(s, 1, 4)
		_, _ = Simplify(s, 1)
		if valid, _ := IsValid(s); valid && x != square && !strings.HasPrefix(x, "GEOM") {
			t.Errorf("%s is valid", x)
		}
	}
}
