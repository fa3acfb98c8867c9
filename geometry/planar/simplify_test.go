package planar

import (
	"errors"
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// TestSimplifyLong: of a ring of 100,000 positions, half of which are out by one, those that are
// left out are near the line of the others, and many are left where the tolerance is less than one.
// An error of Work ends it.
func TestSimplifyLong(t *testing.T) {
	const n = 100_000
	var ring []float64
	for i := range n {
		r, a := 1000+float64(i%2), 2*math.Pi*float64(i)/n
		ring = append(ring, r*math.Cos(a), r*math.Sin(a))
	}
	ring = append(ring, ring[0], ring[1])
	g := wkb.Geometry{Header: wkb.Header{Kind: wkb.Polygon}, Rings: [][]float64{ring}}
	bytes := wkb.Append(nil, &g)
	s, err := Read(string(bytes))
	if err != nil {
		t.Fatal(err)
	}
	for _, tolerance := range []float64{0, 0.5, 2} {
		out, err := Simplify(&s, tolerance)
		if err != nil || len(out.Rings) != 1 {
			t.Fatalf("%d rings, %v", len(out.Rings), err)
		}
		kept := out.Rings[0]
		// Each position that was left out is near the line of those around it.
		at := 0
		for i := 0; i+2 < len(kept); i += 2 {
			e := edge{xy{kept[i], kept[i+1]}, xy{kept[i+2], kept[i+3]}}
			for at++; ring[2*at] != e.b.x || ring[2*at+1] != e.b.y; at++ {
				if d := e.distance(xy{ring[2*at], ring[2*at+1]}); d > tolerance {
					t.Fatalf("position %d is %g away by %g", at, d, tolerance)
				}
			}
		}
		if at != n {
			t.Errorf("%d positions of %d, by %g", at, n, tolerance)
		}
		if least := map[float64]int{0: n, 0.5: n / 2, 2: 20}[tolerance]; len(kept)/2 < least {
			t.Errorf("%d positions are left by %g", len(kept)/2, tolerance)
		}
	}
	stop := errors.New("stop")
	s.Work = func(int) error { return stop }
	if _, err := Simplify(&s, 0.5); !errors.Is(err, stop) {
		t.Error(err)
	}
}
