package globe

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

func area(t *testing.T, west, east, south, north float64) Area {
	t.Helper()
	a, ok := New(wkb.Range{Min: west, Max: east}, wkb.Range{Min: south, Max: north})
	if !ok {
		t.Fatalf("%v to %v, %v to %v is no area", west, east, south, north)
	}
	return a
}

func TestMeets(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b [4]float64
		want bool
	}{
		{"apart", [4]float64{0, 10, 0, 10}, [4]float64{11, 20, 0, 10}, false},
		{"apart in latitude", [4]float64{0, 10, 0, 10}, [4]float64{0, 10, 11, 20}, false},
		{"touching", [4]float64{0, 10, 0, 10}, [4]float64{10, 20, 10, 20}, true},
		{"within", [4]float64{0, 100, 0, 10}, [4]float64{10, 20, 5, 6}, true},
		{"across the antimeridian", [4]float64{170, -170, 0, 10}, [4]float64{175, 176, 0, 1}, true},
		{"across the antimeridian, on its other side", [4]float64{170, -170, 0, 10}, [4]float64{-175, -174, 0, 1}, true},
		{"not across the antimeridian", [4]float64{170, -170, 0, 10}, [4]float64{0, 10, 0, 1}, false},
		{"both sides of one meridian", [4]float64{170, 180, 0, 10}, [4]float64{-180, -170, 0, 1}, true},
		{"at a pole", [4]float64{0, 10, 80, 90}, [4]float64{100, 110, 85, 90}, true},
		{"near a pole", [4]float64{0, 10, 80, 89}, [4]float64{100, 110, 85, 89}, false},
	} {
		a, b := area(t, c.a[0], c.a[1], c.a[2], c.a[3]), area(t, c.b[0], c.b[1], c.b[2], c.b[3])
		if boxes := overlap(a, b); boxes != c.want {
			t.Errorf("%s: the boxes %v and %v: got %t", c.name, a.Boxes(nil), b.Boxes(nil), boxes)
		}
		if a.Meets(b) != c.want || b.Meets(a) != c.want {
			t.Errorf("%s: %v and %v: got %t, %t", c.name, a, b, a.Meets(b), b.Meets(a))
		}
	}
}

func overlap(a, b Area) bool {
	for _, x := range a.Boxes(nil) {
		if slices.ContainsFunc(b.Boxes(nil), x.Overlaps) {
			return true
		}
	}
	return false
}

// TestBoxes: the boxes of areas that meet overlap.
func TestBoxes(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	random := func() Area {
		grid := func(n int) float64 { return float64(r.IntN(n)) * 5 }
		south := grid(37) - 90
		return Area{grid(145) - 360, grid(73) * float64(r.IntN(2)), south, min(90, south+grid(10))}
	}
	met := 0
	for range 20_000 {
		a, b := random(), random()
		if a.Meets(b) {
			if met++; !overlap(a, b) {
				t.Fatalf("%v meets %v; the boxes %v and %v do not", a, b, a.Boxes(nil), b.Boxes(nil))
			}
		}
	}
	if met < 1000 {
		t.Errorf("only %d pairs meet", met)
	}
}

func TestNew(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range [][4]float64{{nan, 0, 0, 0}, {0, nan, 0, 0}, {0, 0, nan, 0}, {-181, 0, 0, 0}, {0, 181, 0, 0}, {0, 0, -91, 0}, {0, 0, 0, 91}, {0, 0, 5, 4}, {-inf, inf, -inf, inf}} {
		if a, ok := New(wkb.Range{Min: c[0], Max: c[1]}, wkb.Range{Min: c[2], Max: c[3]}); ok {
			t.Errorf("%v is an area: %v", c, a)
		}
	}
}

// vec is a position as a vector of length 1.
func vec(lon, lat float64) [3]float64 {
	return [3]float64{math.Cos(radians(lat)) * math.Cos(radians(lon)), math.Cos(radians(lat)) * math.Sin(radians(lon)), math.Sin(radians(lat))}
}

func at(v [3]float64) Area {
	lat := degrees(math.Atan2(v[2], math.Hypot(v[0], v[1])))
	return Area{degrees(math.Atan2(v[1], v[0])), 0, lat, lat}
}

// TestEdges: positions on the arc between two positions of an area are in the area with
// its edges. The arc is computed with vectors, not with the formula of WithEdges.
func TestEdges(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		lon, lat := r.Float64()*360-180, r.Float64()*180-90
		lon2, lat2 := math.Mod(lon+r.Float64()*220+180, 360)-180, r.Float64()*180-90
		a := area(t, lon, lon2, min(lat, lat2), max(lat, lat2)).WithEdges(true)
		p, q, f := vec(lon, lat), vec(lon2, lat2), r.Float64()
		var on [3]float64
		for i := range on {
			on[i] = p[i]*(1-f) + q[i]*f
		}
		if math.Hypot(math.Hypot(on[0], on[1]), on[2]) < 1e-6 {
			continue // opposite ends have no shortest way
		}
		if !a.Meets(at(on)) {
			t.Fatalf("%v %v to %v %v at %v: %v is not in %v", lon, lat, lon2, lat2, f, at(on), a)
		}
	}
}

// TestNear: what is at a distance is in the area that was expanded by it. The positions
// are found by turning a vector, with the radius of the Earth at the equator.
func TestNear(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	const radius = 6_378_137
	for range 20_000 {
		lon, lat := r.Float64()*360-180, r.Float64()*180-90
		metres := math.Pow(10, r.Float64()*8) // up to five times around
		d, bearing := metres/radius, r.Float64()*2*math.Pi
		lat2 := math.Asin(math.Sin(radians(lat))*math.Cos(d) + math.Cos(radians(lat))*math.Sin(d)*math.Cos(bearing))
		lon2 := radians(lon) + math.Atan2(math.Sin(bearing)*math.Sin(d)*math.Cos(radians(lat)), math.Cos(d)-math.Sin(radians(lat))*math.Sin(lat2))
		if a := area(t, lon, lon, lat, lat).Near(metres); !a.Meets(Area{degrees(lon2), 0, degrees(lat2), degrees(lat2)}) {
			t.Fatalf("%v m from %v %v: %v %v is not in %v", metres, lon, lat, degrees(lon2), degrees(lat2), a)
		}
	}
	if a := area(t, 10, 11, 50, 51).Near(1000); a.Meets(area(t, 11.1, 12, 50, 51)) || !a.Meets(area(t, 11.01, 12, 50, 51)) {
		t.Errorf("one kilometre: %v", a)
	}
}
