package planar

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// star is a polygon of n positions around the origin, every other one farther from it.
func star(t *testing.T, n int, turned float64) *Shape {
	t.Helper()
	ring := make([]float64, 0, 2*n+2)
	for i := range n {
		sin, cos := math.Sincos(turned + 2*math.Pi*float64(i)/float64(n))
		radius := float64(40 + i%2)
		ring = append(ring, radius*cos, radius*sin)
	}
	ring = append(ring, ring[0], ring[1])
	s, err := Read(string(wkb.Append(nil, &wkb.Geometry{Header: wkb.Header{Kind: wkb.Polygon}, Rings: [][]float64{ring}})))
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

// long are operations that the library computes, of two polygons.
var long = map[string]func(a, b *Shape) (any, error){
	"Intersection": func(a, b *Shape) (any, error) { return Intersection.Of(a, b) },
	"Union":        func(a, b *Shape) (any, error) { return Union.Of(a, b) },
	"Matrix":       func(a, b *Shape) (any, error) { return Matrix(a, b) },
	"Overlaps":     func(a, b *Shape) (any, error) { return Holds(Overlaps, a, b) },
	"IsValid":      func(a, _ *Shape) (any, error) { return IsValid(a) },
	"Buffer":       func(a, _ *Shape) (any, error) { return Buffer(a, 0.1, 2) },
}

// TestAside: operations on large geometries have the results that they have without anybody who
// may stop them; whoever does is told at once, and what goes on ends.
func TestAside(t *testing.T) {
	const positions = 600
	for name, run := range long {
		want, err := run(star(t, positions, 0), star(t, positions, 0.001))
		if err != nil {
			t.Fatal(err)
		}
		a := star(t, positions, 0)
		a.Work = func(int) error { return nil }
		if got, err := run(a, star(t, positions, 0.001)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s aside: %v, %v", name, got, err)
		}
	}
	stop := errors.New("stop")
	for name, run := range long {
		edges := 8000
		if name == "IsValid" { // which is fast
			edges = 60_000
		}
		a := star(t, edges, 0)
		a.Work = func(int) error { return stop }
		if got, err := run(a, star(t, edges, 0.0001)); err != stop {
			t.Errorf("%s is not stopped: %v, %v", name, got, err)
		}
	}
	for left.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
}
