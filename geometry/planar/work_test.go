package planar_test

import (
	"errors"
	"testing"

	"github.com/parquetsql/parquetsql/geometry/planar"
	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// TestWork: unions of many parts tell of their work, and end with the first error of it.
func TestWork(t *testing.T) {
	points := wkb.Geometry{Header: wkb.Header{Kind: wkb.MultiPoint}}
	var circles []*planar.Shape
	for i := range 200 {
		point := wkb.Geometry{Header: wkb.Header{Kind: wkb.Point}, Positions: []float64{float64(i % 20), float64(i / 20)}}
		points.Parts = append(points.Parts, point)
		circle, err := planar.Buffer(shapeOf(t, &point), 0.6, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(circles) < 20 { // those of more are united aside, where time is told
			circles = append(circles, shapeOf(t, &circle))
		}
	}
	many := shapeOf(t, &points)
	for _, c := range []struct {
		name string
		of   *planar.Shape
		run  func() (wkb.Geometry, error)
	}{
		{"Buffer", many, func() (wkb.Geometry, error) { return planar.Buffer(many, 0.6, 2) }},
		{"Unite", circles[0], func() (wkb.Geometry, error) { return planar.Unite(circles...) }},
	} {
		calls, total := 0, 0
		c.of.Work = func(n int) error { calls, total = calls+1, total+n; return nil }
		if _, err := c.run(); err != nil || calls < len(circles) || total < 1<<20 {
			t.Errorf("%s: %d calls, %d units of work, %v", c.name, calls, total, err)
		}
		enough, done := errors.New("enough"), 0
		c.of.Work = func(int) error {
			if done++; done > calls/2 {
				return enough
			}
			return nil
		}
		if _, err := c.run(); !errors.Is(err, enough) || done != calls/2+1 {
			t.Errorf("%s goes on after an error: %d calls of %d, %v", c.name, done, calls, err)
		}
	}
}

func shapeOf(t *testing.T, g *wkb.Geometry) *planar.Shape {
	t.Helper()
	s, err := planar.Read(string(wkb.Append(nil, g)))
	if err != nil {
		t.Fatal(err)
	}
	return &s
}
