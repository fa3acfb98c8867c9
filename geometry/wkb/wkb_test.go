package wkb

import (
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func unhex(t testing.TB, s string) string {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const (
	nan  = "000000000000f87f" // little endian
	one  = "000000000000f03f"
	two  = "0000000000000040"
	four = "0000000000001040"
	zero = "0000000000000000"
	none = math.MaxFloat64 // stands for an empty range in the table of TestBounds
)

// square is the polygon of the examples of ST_AsBinary and ST_AsEWKB in PostGIS's manual.
const square = "01000000 05000000" + zero + zero + zero + one + one + one + one + zero + zero + zero

func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name, hex      string
		kind           Kind
		layout         Layout
		srid           int32
		x0, y0, x1, y1 float64
	}{
		{"point", "01 01000000" + two + four, Point, XY, 0, 2, 4, 2, 4},
		{"point in big endian, as the OGC's text shows", "00 00000001 4000000000000000 4010000000000000", Point, XY, 0, 2, 4, 2, 4},
		{"point Z of ISO", "01 e9030000" + one + two + four, Point, XYZ, 0, 1, 2, 1, 2},
		{"point M of ISO", "01 d1070000" + one + two + four, Point, XYM, 0, 1, 2, 1, 2},
		{"point ZM of ISO", "01 b90b0000" + one + two + four + four, Point, XYZM, 0, 1, 2, 1, 2},
		{"point Z of EWKB", "01 01000080" + one + two + four, Point, XYZ, 0, 1, 2, 1, 2},
		{"point ZM of EWKB with SRID", "01 010000e0 e6100000" + one + two + four + four, Point, XYZM, 4326, 1, 2, 1, 2},
		{"polygon of PostGIS's manual", "01 03000000" + square, Polygon, XY, 0, 0, 0, 1, 1},
		{"polygon with SRID of PostGIS's manual", "01 03000020 e6100000" + square, Polygon, XY, 4326, 0, 0, 1, 1},
		{"empty point", "01 01000000" + nan + nan, Point, XY, 0, none, none, none, none},
		{"point with NaN in Y", "01 01000000" + one + nan, Point, XY, 0, 1, none, 1, none},
		{"empty line", "01 02000000 00000000", LineString, XY, 0, none, none, none, none},
		{"parts in other byte orders", "00 00000004 00000002 01 01000000" + two + four + "00 00000001 3ff0000000000000 4000000000000000", MultiPoint, XY, 0, 1, 2, 2, 4},
		{"collection", "01 07000000 02000000 01 01000000" + one + one + "01 07000000 01000000 01 02000000 01000000" + two + four, Collection, XY, 0, 1, 1, 2, 4},
	} {
		s := unhex(t, c.hex)
		b, h, err := Bounds(s)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if want := (Header{c.kind, c.layout, c.srid}); h != want {
			t.Errorf("%s: header %v, want %v", c.name, h, want)
		}
		if b.X != rangeOf(c.x0, c.x1) || b.Y != rangeOf(c.y0, c.y1) {
			t.Errorf("%s: %v", c.name, b)
		}
		g, err := Parse(s)
		if err != nil || g.Header != h {
			t.Errorf("%s: %v, %v", c.name, g.Header, err)
		}
		if empty := c.x0 == none; g.IsEmpty() != empty {
			t.Errorf("%s: IsEmpty is %t", c.name, g.IsEmpty())
		}
	}
}

func rangeOf(from, to float64) Range {
	if from == none {
		return NoRange()
	}
	return Range{from, to}
}

func TestOrdinates(t *testing.T) {
	b, _, err := Bounds(unhex(t, "01 ba0b0000 02000000"+one+two+four+zero+two+two+nan+one))
	if err != nil || b.Z != (Range{4, 4}) || b.M != (Range{0, 1}) {
		t.Errorf("%v, %v", b, err)
	}
	b, _, err = Bounds(unhex(t, "01 d1070000"+one+two+four))
	if err != nil || !b.Z.IsEmpty() || b.M != (Range{4, 4}) {
		t.Errorf("%v, %v", b, err)
	}
}

func TestMalformed(t *testing.T) {
	deep := strings.Repeat("01 07000000 01000000", MaxDepth) + "01 01000000" + one + one
	for _, c := range []struct {
		name, hex, what string
		offset          int
	}{
		{"nothing", "", "begins with 5 bytes", 0},
		{"byte order", "02 01000000" + one + one, "byte order 2", 0},
		{"kind", "01 63000000", "unknown type code 99", 1},
		{"curve", "01 08000000 00000000", "CIRCULARSTRING is not supported", 1},
		{"layout", "01 a10f0000" + one + one, "unknown type code 4001", 1},
		{"half a point", "01 01000000" + one, "1 positions of 16 bytes do not fit into the 8", 5},
		{"no SRID", "01 01000020 e610", "cut off", 5},
		{"count of positions", "01 02000000 ffffffff" + one + one, "4294967295 positions of at least 16 bytes do not fit into the 16", 5},
		{"count of rings", "01 03000000 ffffff7f", "rings of at least 4 bytes do not fit", 5},
		{"count of a ring", "01 03000000 01000000 02000000" + one + one, "2 positions", 9},
		{"count of parts", "01 07000000 10000000 01 01000000" + one + one, "16 parts of at least 9 bytes", 5},
		{"kind of a part", "01 04000000 01000000 01 02000000 00000000", "a LINESTRING within a MULTIPOINT", 10},
		{"layout of a part", "01 04000000 01000000 01 e9030000" + one + one + one, "whose Z or M differ", 10},
		{"depth", deep, "nested more than 64 deep", 9 * MaxDepth},
		{"bytes behind it", "01 01000000" + one + one + "00", "1 bytes follow", 21},
	} {
		s := unhex(t, c.hex)
		_, _, err := Bounds(s)
		_, parseErr := Parse(s)
		for _, err := range []error{err, parseErr} {
			if e := (*Error)(nil); !errors.As(err, &e) || e.Offset != c.offset || !strings.Contains(e.What, c.what) {
				t.Errorf("%s: %v, want %q at %d", c.name, err, c.what, c.offset)
			}
		}
	}
}

func TestDepth(t *testing.T) {
	s := unhex(t, strings.Repeat("01 07000000 01000000", MaxDepth-1)+"01 01000000"+one+one)
	if _, err := Parse(s); err != nil {
		t.Error(err)
	}
}

// TestRoundTrip writes random geometries and reads them back.
func TestRoundTrip(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		g := random(r, Header{Kind: Kind(1 + r.IntN(7)), Layout: Layout(r.IntN(4)), SRID: int32(r.IntN(2) * 3857)}, 3)
		s := string(Append(nil, &g))
		back, err := Parse(s)
		if err != nil || !reflect.DeepEqual(back, g) {
			t.Fatalf("%v\n%v\n%v", g, back, err)
		}
		if _, h, err := Bounds(s); err != nil || h != g.Header {
			t.Fatalf("%v: %v, %v", g, h, err)
		}
		for n := range len(s) {
			if _, _, err := Bounds(s[:n]); err == nil {
				t.Fatalf("%d of %d bytes are a geometry: %v", n, len(s), g)
			}
		}
	}
}

func random(r *rand.Rand, h Header, depth int) Geometry {
	g := Geometry{Header: h}
	switch {
	case h.Kind == Point && r.IntN(4) > 0:
		g.Positions = randomLine(r, h.Layout, 1)
	case h.Kind == LineString:
		g.Positions = randomLine(r, h.Layout, r.IntN(5))
	case h.Kind == Polygon:
		for range r.IntN(3) {
			g.Rings = append(g.Rings, randomLine(r, h.Layout, r.IntN(6)))
		}
	case h.Kind.IsMulti() && depth > 0:
		for range r.IntN(4) {
			part := Header{Kind: h.Kind.Part(), Layout: h.Layout}
			if part.Kind == 0 {
				part.Kind = Kind(1 + r.IntN(7))
			}
			g.Parts = append(g.Parts, random(r, part, depth-1))
		}
	}
	return g
}

func randomLine(r *rand.Rand, l Layout, n int) []float64 {
	var list []float64
	for range n * l.Stride() {
		list = append(list, r.NormFloat64())
	}
	return list
}

func TestBoundsAllocatesNothing(t *testing.T) {
	s := unhex(t, "01 07000000 02000000 01 03000000"+square+"01 01000000"+one+one)
	if n := testing.AllocsPerRun(10, func() { _, _, _ = Bounds(s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestBoxes(t *testing.T) {
	a, empty := Box{X: Range{0, 1}, Y: Range{0, 1}, Z: NoRange(), M: NoRange()}, NoBox()
	b := Box{X: Range{1, 2}, Y: Range{1, 2}, Z: NoRange(), M: NoRange()}
	c := Box{X: Range{1.5, 2}, Y: Range{0, 2}, Z: NoRange(), M: NoRange()}
	if !a.Overlaps(&b) || a.Overlaps(&c) || a.Overlaps(&empty) || empty.Overlaps(&empty) {
		t.Error("Overlaps")
	}
	if a.Covers(&b) || !a.Covers(&empty) || empty.Covers(&a) {
		t.Error("Covers")
	}
	if u := a.Union(&b); !u.Covers(&a) || !u.Covers(&b) || u != (Box{Range{0, 2}, Range{0, 2}, NoRange(), NoRange()}) {
		t.Error("Union")
	}
	if e := a.Expand(0.5); !e.Overlaps(&c) || e.X.Min > -0.5 || e.X.Max < 1.5 {
		t.Error("Expand")
	}
	if e := empty.Expand(1); !e.IsEmpty() {
		t.Error("Expand of an empty box")
	}
}

// FuzzParse: no bytes panic, and what Parse and Bounds say of them agrees.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"01 01000000" + one + one, "00 00000001 4000000000000000 4010000000000000", "01 03000020 e6100000" + square,
		"01 07000000 02000000 01 01000000" + one + one + "01 07000000 01000000 01 02000000 01000000" + two + four,
		"01 05000080 01000000 01 02000080 01000000" + one + one + nan,
	} {
		f.Add(unhex(f, s))
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, h, boundsErr := Bounds(s)
		g, err := Parse(s)
		if (err == nil) != (boundsErr == nil) {
			t.Fatalf("Parse: %v, Bounds: %v", err, boundsErr)
		}
		if err != nil {
			return
		}
		if g.Header != h || g.IsEmpty() && !b.IsEmpty() {
			t.Fatalf("%v %v %v", g, b, h)
		}
		written := string(Append(nil, &g))
		if again, _, err := Bounds(written); err != nil || again != b && !g.IsEmpty() {
			t.Fatalf("%v: bounds %v, of what was written %v", err, b, again)
		}
	})
}
