package wkb

import "math"

// Range is a range of ordinates, both ends included. A range with Min > Max is empty.
type Range struct{ Min, Max float64 }

// NoRange is the empty range.
func NoRange() Range { return Range{math.Inf(1), math.Inf(-1)} }

// IsEmpty reports whether r holds no number.
func (r Range) IsEmpty() bool { return !(r.Min <= r.Max) }

// Overlaps reports whether r and o have a number in common.
func (r Range) Overlaps(o Range) bool { return r.Min <= o.Max && o.Min <= r.Max }

// Covers reports whether all numbers of o are in r.
func (r Range) Covers(o Range) bool { return o.IsEmpty() || r.Min <= o.Min && o.Max <= r.Max }

// Union is the smallest range that covers r and o.
func (r Range) Union(o Range) Range { return Range{min(r.Min, o.Min), max(r.Max, o.Max)} }

// add extends r by a number. NaN is left out.
func (r *Range) add(v float64) {
	if v < r.Min {
		r.Min = v
	}
	if v > r.Max {
		r.Max = v
	}
}

// Box is the bounds of a geometry. Z and M are empty where no position has them.
type Box struct{ X, Y, Z, M Range }

// NoBox is the box of no position.
func NoBox() Box { return Box{NoRange(), NoRange(), NoRange(), NoRange()} }

// IsEmpty reports whether no position is in b, in X and Y.
func (b *Box) IsEmpty() bool { return b.X.IsEmpty() || b.Y.IsEmpty() }

// Overlaps reports whether b and o have a position in common, in X and Y.
func (b *Box) Overlaps(o *Box) bool { return b.X.Overlaps(o.X) && b.Y.Overlaps(o.Y) }

// Covers reports whether o is within b, in X and Y.
func (b *Box) Covers(o *Box) bool { return o.IsEmpty() || b.X.Covers(o.X) && b.Y.Covers(o.Y) }

// Union is the smallest box that covers b and o.
func (b *Box) Union(o *Box) Box {
	return Box{b.X.Union(o.X), b.Y.Union(o.Y), b.Z.Union(o.Z), b.M.Union(o.M)}
}

// Expand is b with each side of X and Y moved outwards by at least d, which is not
// negative. The sum is rounded outwards: a position at the distance d of b is never lost.
func (b *Box) Expand(d float64) Box {
	grown := *b
	for _, r := range []*Range{&grown.X, &grown.Y} {
		if !r.IsEmpty() {
			r.Min, r.Max = math.Nextafter(r.Min-d, math.Inf(-1)), math.Nextafter(r.Max+d, math.Inf(1))
		}
	}
	return grown
}

// Bounds is the box and the header of a geometry. It checks all of the bytes, makes
// one pass over them and allocates nothing. NaN is left out of each range, so the box of
// an empty geometry is empty. The error is an *Error.
func Bounds(s string) (Box, Header, error) {
	if x, y, ok := PointXY(s); ok && x == x && y == y {
		return Box{Range{x, x}, Range{y, y}, NoRange(), NoRange()}, Header{Kind: Point}, nil
	}
	c, b := cursor{s: s}, NoBox()
	h, err := c.header()
	if err == nil {
		err = c.bounds(h, 1, &b)
	}
	if err == nil {
		err = c.end()
	}
	if err != nil {
		return NoBox(), Header{}, err
	}
	return b, h, nil
}

// pointCode is the head of a POINT of two dimensions in little endian, as nearly all
// writers have it.
const pointCode = "\x01\x01\x00\x00\x00"

// PointXY is the fast way to the position of a POINT of two dimensions in little endian
// byte order. ok is false for all other geometries, and for bytes that are no WKB. Both
// ordinates of POINT EMPTY are NaN.
func PointXY(s string) (x, y float64, ok bool) {
	if len(s) != 21 || s[:5] != pointCode {
		return 0, 0, false
	}
	c := cursor{s: s}
	return c.float(5), c.float(13), true
}

func (c *cursor) bounds(h Header, depth int, b *Box) error {
	switch h.Kind {
	case Point:
		return c.run(1, h.Layout, b)
	case LineString:
		return c.line(h.Layout, b)
	case Polygon:
		n, err := c.count("rings", 4)
		for ; n > 0 && err == nil; n-- {
			err = c.line(h.Layout, b)
		}
		return err
	}
	n, err := c.count("parts", smallestPart)
	for ; n > 0 && err == nil; n-- {
		var part Header
		if part, err = c.part(h, depth+1); err == nil {
			err = c.bounds(part, depth+1, b)
		}
	}
	return err
}

func (c *cursor) line(l Layout, b *Box) error {
	n, err := c.count("positions", 8*l.Stride())
	if err != nil {
		return err
	}
	return c.run(n, l, b)
}

// run extends b by n positions.
func (c *cursor) run(n int, l Layout, b *Box) error {
	stride := l.Stride()
	at, err := c.positions(n, stride)
	if err != nil {
		return err
	}
	for end := at + n*stride*8; at < end; at += stride * 8 {
		b.X.add(c.float(at))
		b.Y.add(c.float(at + 8))
		if l.HasZ() {
			b.Z.add(c.float(at + 16))
		}
		if l.HasM() {
			b.M.add(c.float(at + stride*8 - 8))
		}
	}
	return nil
}

// Geometry is b as a polygon, or the point or line that it is. Positions are in the order
// that PostGIS and DuckDB have: from the corner of the least X and Y upwards in Y.
func (b *Box) Geometry() Geometry {
	x, y := b.X, b.Y
	switch {
	case b.IsEmpty():
		return Geometry{Header: Header{Kind: Polygon}}
	case x.Min == x.Max && y.Min == y.Max:
		return Geometry{Header: Header{Kind: Point}, Positions: []float64{x.Min, y.Min}}
	case x.Min == x.Max || y.Min == y.Max:
		return Geometry{Header: Header{Kind: LineString}, Positions: []float64{x.Min, y.Min, x.Max, y.Max}}
	}
	return Geometry{Header: Header{Kind: Polygon}, Rings: [][]float64{{x.Min, y.Min, x.Min, y.Max, x.Max, y.Max, x.Max, y.Min, x.Min, y.Min}}}
}
