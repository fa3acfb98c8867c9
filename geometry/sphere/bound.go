package sphere

import (
	"math"

	"github.com/golang/geo/s2"

	"github.com/parquetsql/parquetsql/geometry/globe"
)

// Bound is an area that all of the shape is in; ok is false if it is empty.
func (s *Shape) Bound() (area globe.Area, ok bool) {
	all := s2.EmptyRect()
	for _, p := range s.points {
		all = all.AddPoint(s2.LatLngFromPoint(p))
	}
	for _, e := range s.lines {
		all = all.Union(e.bound())
	}
	for i := range s.areas {
		for _, l := range s.areas[i].loops { // a hole that is no hole has edges, too
			all = all.Union(l.RectBound())
		}
	}
	if all.IsEmpty() {
		return globe.Area{}, false
	}
	area = globe.Area{West: degrees(all.Lng.Lo), Width: degrees(all.Lng.Length()), South: degrees(all.Lat.Lo), North: degrees(all.Lat.Hi)}
	if sum := area.West + area.Width + area.South + area.North; math.IsNaN(sum) { // of edges that are nearly half a circle
		return globe.Everywhere(), true
	}
	return area, true
}

func degrees(radians float64) float64 { return radians * 180 / math.Pi }

func (e edge) bound() s2.Rect {
	b := s2.NewRectBounder()
	b.AddPoint(e.a)
	b.AddPoint(e.b)
	return b.RectBound()
}

// BoundsMeet reports whether the bounds of two shapes have a place in common.
func BoundsMeet(a, b *Shape) bool {
	x, ok := a.Bound()
	y, has := b.Bound()
	return ok && has && x.Meets(y)
}
