package extent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/geometry/boxtree"
	"github.com/parquetsql/parquetsql/geometry/globe"
	"github.com/parquetsql/parquetsql/geometry/sphere"
	"github.com/parquetsql/parquetsql/geometry/text"
	"github.com/parquetsql/parquetsql/geometry/wkb"
)

func encoded(t *testing.T, wkt string) string {
	t.Helper()
	g, err := text.ParseWKT(wkt)
	if err != nil {
		t.Fatal(err)
	}
	return string(wkb.Append(nil, &g))
}

// TestFindOnGlobe: no pair is lost that package sphere finds at a distance, near poles and
// across the antimeridian too.
func TestFindOnGlobe(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	near := 0
	for range 300 {
		wkt := make([]string, 30)
		set := NewSet(Globe, len(wkt))
		distance := math.Pow(10, r.Float64()*7) * float64(r.IntN(2))
		for i := range wkt {
			wkt[i] = randomWKT(r)
			set.Add(int32(i), encoded(t, wkt[i]), distance)
		}
		if err := set.Freeze(t.Context()); err != nil {
			t.Fatal(err)
		}
		probe := randomWKT(r)
		a, err := sphere.Read(encoded(t, probe))
		if err != nil {
			t.Fatal(err)
		}
		found := map[int32]bool{}
		for _, id := range set.Find(encoded(t, probe), 0, nil) {
			if found[id] {
				t.Fatalf("%s is found twice", wkt[id])
			}
			found[id] = true
		}
		if set.Meets(encoded(t, probe)) != (len(found) > 0) {
			t.Fatalf("%s meets: %t, but %d are found", probe, set.Meets(encoded(t, probe)), len(found))
		}
		for i := range wkt {
			b, err := sphere.Read(encoded(t, wkt[i]))
			if err != nil {
				t.Fatal(err)
			}
			if d, ok := sphere.Distance(a, b); ok && d <= distance {
				near++
				if !found[int32(i)] {
					t.Fatalf("%s and %s are %v m apart, and not found by %v m", probe, wkt[i], d, distance)
				}
			}
		}
	}
	if near < 100 {
		t.Errorf("only %d pairs are near", near)
	}
}

func randomWKT(r *rand.Rand) string {
	x, y := r.Float64()*400-200, r.Float64()*176-88
	w, h := r.Float64()*60, min(r.Float64()*40, 89-y)
	switch r.IntN(8) {
	case 0:
		return []string{"POINT (10 90)", "POINT (-90 -90)", "POINT (180 5)", "POINT (-180 5)", "POINT EMPTY", "LINESTRING (0 89, 180 89)"}[r.IntN(6)]
	case 1:
		return fmt.Sprintf("POLYGON ((%v 60, %v 75, %v 65, %[1]v 60))", x, x+120, x+240)
	case 2, 3:
		return fmt.Sprintf("LINESTRING (%v %v, %v %v)", x, y, x+w, y+h)
	case 4, 5:
		return fmt.Sprintf("POLYGON ((%v %v, %v %v, %v %v, %[1]v %[2]v))", x, y, x+w+1, y, x, y+h+0.5)
	}
	return fmt.Sprintf("POINT (%v %v)", x, y)
}

// TestBoxes: what has boxes, and what is everywhere because its bytes are no geometry.
func TestBoxes(t *testing.T) {
	inf := math.Inf(1)
	all := boxtree.Box{MinX: -inf, MinY: -inf, MaxX: inf, MaxY: inf}
	for _, c := range []struct {
		space    Space
		geometry string
		distance float64
		want     []boxtree.Box
	}{
		{Plane, encoded(t, "LINESTRING (1 2, 3 4)"), 0, []boxtree.Box{{MinX: 1, MinY: 2, MaxX: 3, MaxY: 4}}},
		{Plane, encoded(t, "POINT EMPTY"), 5, nil},
		{Plane, encoded(t, "POINT (1 2)"), -1, nil},
		{Plane, encoded(t, "POINT (1 2)"), math.NaN(), nil},
		{Plane, encoded(t, "POINT (1 2)"), inf, []boxtree.Box{all}},
		{Plane, "no geometry", 0, []boxtree.Box{all}},
		{Plane, string(wkb.AppendPosition(wkb.AppendHeader(nil, wkb.Header{Kind: wkb.Point}), inf, inf)), inf, []boxtree.Box{all}},
		{Globe, "no geometry", 0, []boxtree.Box{all}},
		{Globe, string(wkb.AppendPosition(wkb.AppendHeader(nil, wkb.Header{Kind: wkb.Point}), 0, 91)), 0, []boxtree.Box{all}},
		{Globe, encoded(t, "MULTIPOLYGON EMPTY"), 0, nil},
		{Globe, encoded(t, "POINT (1 2)"), -1, nil},
	} {
		got := c.space.Boxes(nil, c.geometry, c.distance)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v %q %v: %v, want %v", c.space, c.geometry, c.distance, got, c.want)
		}
	}
	if got := Globe.Boxes(nil, encoded(t, "LINESTRING (170 0, -170 10)"), 0); len(got) != 2 || math.Abs(got[0].MinX-170) > 1e-6 || got[0].MaxX != 180 || got[1].MinX != -180 || math.Abs(got[1].MaxX+170) > 1e-6 {
		t.Errorf("a line across the antimeridian: %v", got)
	}
}

// TestJoined: a set that is one box finds all that the set finds.
func TestJoined(t *testing.T) {
	set := NewSet(Plane, 0)
	set.Join()
	set.Add(0, encoded(t, "POINT (1 1)"), 0)
	set.Add(0, encoded(t, "POINT (3 5)"), 0)
	set.Join()
	if err := set.Freeze(t.Context()); err != nil || set.Len() != 1 {
		t.Fatal(set.Len(), err)
	}
	for x, want := range map[float64]bool{0: false, 1: true, 2: true, 3: true, 4: false} {
		if got := set.MeetsBox(wkb.Range{Min: x, Max: x}, wkb.Range{Min: 2, Max: 2}); got != want {
			t.Errorf("at %v: %t", x, got)
		}
	}
	empty := NewSet(Globe, 0)
	if err := empty.Freeze(t.Context()); err != nil || empty.Meets("no geometry") || empty.MeetsArea(globe.Everywhere()) {
		t.Error("the empty set meets", err)
	}
}
