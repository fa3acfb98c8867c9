package planar

import (
	"math"

	"github.com/parquetsql/parquetsql/geometry/boxtree"
)

// place is where a point is, in terms of a geometry.
type place int

const (
	outside place = iota
	onBoundary
	inside
)

// locate finds the place of a point. The boundary of lines is the ends that an odd number
// of lines share (the "mod 2" rule of OGC 06-103r4, section 6.1.8); a point of several
// parts is inside if it is inside one.
func (p *parts) locate(at xy) place {
	best := outside
	for i := range p.areas {
		if w := p.areas[i].locate(at, &p.found); w == inside {
			return inside
		} else if w > best {
			best = w
		}
	}
	if w := p.onLine(at); w > best {
		best = w
	}
	for _, q := range p.points {
		if q == at {
			return inside
		}
	}
	return best
}

func (p *parts) onLine(at xy) place {
	if len(p.lines.list) == 0 {
		return outside
	}
	p.found = p.lines.near(boxtree.Box{MinX: at.x, MinY: at.y, MaxX: at.x, MaxY: at.y}, p.found[:0])
	for _, i := range p.found {
		if e := p.lines.list[i]; onSegment(at, e.a, e.b) {
			if p.ends[at]%2 == 1 {
				return onBoundary
			}
			return inside
		}
	}
	return outside
}

// locate counts the edges that a ray to the right crosses.
func (a *area) locate(at xy, scratch *[]int32) place {
	b := a.box
	if !(b.MinX <= at.x && at.x <= b.MaxX && b.MinY <= at.y && at.y <= b.MaxY) {
		return outside
	}
	odd := false
	if a.edges.tree == nil {
		for i := range a.edges.list {
			crosses, on := a.edges.list[i].crossing(at)
			if on {
				return onBoundary
			}
			odd = odd != crosses
		}
		return placeOf(odd)
	}
	*scratch = a.edges.near(boxtree.Box{MinX: at.x, MinY: at.y, MaxX: math.Inf(1), MaxY: at.y}, (*scratch)[:0])
	for _, i := range *scratch {
		crosses, on := a.edges.list[i].crossing(at)
		if on {
			return onBoundary
		}
		odd = odd != crosses
	}
	return placeOf(odd)
}

func placeOf(odd bool) place {
	if odd {
		return inside
	}
	return outside
}

// crossing reports whether a ray from p to the right crosses the edge, whose lower end
// belongs to it and whose upper end does not, and whether p is on the edge.
func (e edge) crossing(p xy) (crosses, on bool) {
	lower, upper := e.a, e.b
	if lower.y > upper.y {
		lower, upper = upper, lower
	}
	if p.y < lower.y || p.y > upper.y || p.x > max(lower.x, upper.x) {
		return false, false
	}
	if p.x < min(lower.x, upper.x) {
		return p.y < upper.y, false
	}
	if lower.y == upper.y {
		return false, true // the edge is level, and p is between its ends
	}
	switch side := orient(lower, upper, p); {
	case side == 0:
		return false, true
	case side < 0:
		return false, false
	}
	return p.y < upper.y, false
}
