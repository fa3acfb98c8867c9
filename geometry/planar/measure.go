package planar

import (
	"math"

	"github.com/peterstace/simplefeatures/geom"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// Length is the length of all lines; that of points and polygons is 0.
func Length(g *wkb.Geometry) float64 {
	total := 0.0
	if g.Kind == wkb.LineString {
		total = lineLength(g.Positions, g.Layout.Stride())
	}
	for i := range g.Parts {
		total += Length(&g.Parts[i])
	}
	return total
}

// Perimeter is the length of all rings of polygons; that of points and lines is 0.
func Perimeter(g *wkb.Geometry) float64 {
	total := 0.0
	for _, r := range g.Rings {
		total += lineLength(r, g.Layout.Stride())
	}
	for i := range g.Parts {
		total += Perimeter(&g.Parts[i])
	}
	return total
}

func lineLength(positions []float64, stride int) float64 {
	total := 0.0
	for i := stride; i < len(positions); i += stride {
		total += math.Hypot(positions[i]-positions[i-stride], positions[i+1]-positions[i-stride+1])
	}
	return total
}

// Area is the area of all polygons without their holes; that of points and lines is 0.
func Area(g *wkb.Geometry) float64 {
	total := 0.0
	for i, r := range g.Rings {
		if a := math.Abs(ringArea(r, g.Layout.Stride())); i == 0 {
			total += a
		} else {
			total -= a
		}
	}
	for i := range g.Parts {
		total += Area(&g.Parts[i])
	}
	return total
}

// ringArea is positive for a ring against the clock. Positions are taken relative to the
// first, because far from the origin products of ordinates lose the digits of small rings.
func ringArea(r []float64, stride int) float64 {
	total := 0.0
	for i := stride; i < len(r); i += stride {
		total += (r[i-stride]-r[0])*(r[i+1]-r[1]) - (r[i]-r[0])*(r[i-stride+1]-r[1])
	}
	return total / 2
}

// Distance is the least distance of two geometries; ok is false if one is empty.
func Distance(a, b *Shape) (d float64, ok bool, err error) {
	switch {
	case a.IsEmpty() || b.IsEmpty():
		return 0, false, nil
	case a.isPoint && b.isPoint:
		return math.Hypot(a.point.x-b.point.x, a.point.y-b.point.y), true, nil
	case b.isPoint:
		return a.atoms().distance(b.point), true, nil
	case a.isPoint:
		return b.atoms().distance(a.point), true, nil
	case a.Box.Overlaps(&b.Box) && meet(a.atoms(), b.atoms()):
		return 0, true, nil
	}
	x, err := a.geometry()
	if err != nil {
		return 0, false, err
	}
	y, err := b.geometry()
	if err != nil {
		return 0, false, err
	}
	d, err = guarded(func(work) (float64, error) {
		d, _ := geom.Distance(x, y)
		return d, nil
	}, a, b)
	return d, err == nil, err
}

// DWithin reports whether the distance of two geometries is at most d.
func DWithin(a, b *Shape, d float64) (bool, error) {
	if grown := a.Box.Expand(max(d, 0)); !(d >= 0) || a.IsEmpty() || !grown.Overlaps(&b.Box) {
		return false, nil
	}
	got, ok, err := Distance(a, b)
	return ok && got <= d, err
}

// distance is that of a point to the nearest part.
func (p *parts) distance(at xy) float64 {
	if p.locate(at) != outside {
		return 0
	}
	d := math.Inf(1)
	for _, q := range p.points {
		d = min(d, math.Hypot(at.x-q.x, at.y-q.y))
	}
	for _, list := range p.edgeLists() {
		for _, e := range list.list {
			d = min(d, e.distance(at))
		}
	}
	return d
}

// distance is that of a point to the nearest point of the edge.
func (e edge) distance(p xy) float64 {
	dx, dy := e.b.x-e.a.x, e.b.y-e.a.y
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = ((p.x-e.a.x)*dx + (p.y-e.a.y)*dy) / l
	}
	switch {
	case t <= 0:
		return math.Hypot(p.x-e.a.x, p.y-e.a.y)
	case t >= 1:
		return math.Hypot(p.x-e.b.x, p.y-e.b.y)
	}
	return math.Abs(dx*(p.y-e.a.y)-dy*(p.x-e.a.x)) / math.Hypot(dx, dy)
}
