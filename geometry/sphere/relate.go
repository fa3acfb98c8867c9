package sphere

import (
	"math"

	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"
)

// place is where a point is, in terms of polygons.
type place int

const (
	outside place = iota
	onBoundary
	inside
)

func (e edge) distance(p s2.Point) s1.Angle {
	if e.a == e.b {
		return p.Distance(e.a)
	}
	return s2.DistanceFromSegment(p, e.a, e.b)
}

func (a *area) locate(p s2.Point) place {
	for _, e := range a.edges {
		if e.distance(p) <= tolerance {
			return onBoundary
		}
	}
	for i, l := range a.loops {
		if l.ContainsPoint(p) == (i > 0) {
			return outside
		}
	}
	return inside
}

// locate is the best place of a point in any polygon.
func (s *Shape) locate(p s2.Point) place {
	best := outside
	for i := range s.areas {
		best = max(best, s.areas[i].locate(p))
	}
	return best
}

// edges are those of lines and of polygons.
func (s *Shape) edges() []edge {
	all := s.lines[:len(s.lines):len(s.lines)]
	for i := range s.areas {
		all = append(all, s.areas[i].edges...)
	}
	return all
}

// Intersects reports whether two shapes have a point in common.
func Intersects(a, b *Shape) bool {
	if a.IsEmpty() || b.IsEmpty() {
		return false
	}
	return distance(a, b) <= tolerance
}

// Distance is the least distance of two shapes in metres; ok is false if one is empty.
func Distance(a, b *Shape) (metres float64, ok bool) {
	if a.IsEmpty() || b.IsEmpty() {
		return 0, false
	}
	return float64(distance(a, b)) * Radius, true
}

func distance(a, b *Shape) s1.Angle {
	if holds(a, b) || holds(b, a) {
		return 0
	}
	least := s1.Angle(math.Inf(1))
	left, right := a.edges(), b.edges()
	for _, p := range a.points {
		for _, q := range b.points {
			least = min(least, p.Distance(q))
		}
		for _, e := range right {
			least = min(least, e.distance(p))
		}
	}
	for _, e := range left {
		for _, p := range b.points {
			least = min(least, e.distance(p))
		}
		for _, o := range right {
			least = min(least, e.between(o))
		}
	}
	return least
}

// between is the distance of two arcs: 0 if they cross, else that of an end.
func (e edge) between(o edge) s1.Angle {
	if e.a != e.b && o.a != o.b && s2.CrossingSign(e.a, e.b, o.a, o.b) == s2.Cross {
		return 0
	}
	return min(e.distance(o.a), e.distance(o.b), o.distance(e.a), o.distance(e.b))
}

// holds reports whether a polygon of a has a point of b that tells for its part, if no
// edges of the two cross.
func holds(a, b *Shape) bool {
	if len(a.areas) == 0 {
		return false
	}
	for _, p := range b.points {
		if a.locate(p) != outside {
			return true
		}
	}
	for _, e := range b.edges() {
		if a.locate(e.a) != outside {
			return true
		}
	}
	return false
}

// Covers reports whether no point of b is outside of a, which must be of polygons.
func Covers(a, b *Shape) bool {
	covered, _ := covers(a, b)
	return covered
}

// Contains is Covers where a point of b is inside of a too, and not on its boundary.
func Contains(a, b *Shape) bool {
	covered, within := covers(a, b)
	return covered && within
}

func covers(a, b *Shape) (covered, within bool) {
	if a.IsEmpty() || b.IsEmpty() {
		return false, false
	}
	for _, p := range b.points {
		at := a.locate(p)
		if at == outside {
			return false, false
		}
		within = within || at == inside
	}
	boundary := a.edges()
	for _, e := range b.edges() {
		for _, p := range []s2.Point{e.a, middle(e)} {
			at := a.locate(p)
			if at == outside {
				return false, false
			}
			within = within || at == inside
		}
		for _, o := range boundary {
			if e.a != e.b && s2.CrossingSign(e.a, e.b, o.a, o.b) == s2.Cross {
				return false, false
			}
		}
	}
	if len(b.areas) > 0 {
		within = true
		for _, o := range boundary { // an edge of a within b: b has points on both sides of it
			if b.locate(o.a) == inside || b.locate(middle(o)) == inside {
				return false, false
			}
		}
	}
	return true, within
}

// middle is the middle of an arc.
func middle(e edge) s2.Point {
	if e.a == e.b {
		return e.a
	}
	return s2.Interpolate(0.5, e.a, e.b)
}

// IsPolygons reports whether all parts of the shape are polygons.
func (s *Shape) IsPolygons() bool { return len(s.points)+len(s.lines) == 0 }
