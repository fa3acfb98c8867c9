package planar

import (
	"errors"

	"github.com/parquetsql/parquetsql/geometry/wkb"
)

// Simplify leaves out positions that are not farther than tolerance from the segment between
// those that are kept around them (Douglas and Peucker, 1973). A polygon may then cross itself;
// what collapses is empty, or left out of the geometry that it is a part of.
//
// The library tries the whole rest of a line for each position that is kept, which took 30
// seconds for a ring of 100,000 positions, and cannot be interrupted.
func Simplify(s *Shape, tolerance float64) (wkb.Geometry, error) {
	if !(tolerance >= 0) {
		return wkb.Geometry{}, errors.New("the tolerance must not be negative")
	}
	x := simplifier{tolerance: tolerance, stride: s.Header.Layout.Stride(), work: s.Work}
	out := x.geometry(s.Geometry())
	return out, x.err
}

type simplifier struct {
	tolerance float64
	stride    int
	work      func(n int) error
	err       error

	keep  []bool
	spans []span // that are to be looked at
}

// span is the positions between two that are kept.
type span struct{ from, to int }

func (x *simplifier) geometry(g *wkb.Geometry) wkb.Geometry {
	out := wkb.Geometry{Header: g.Header}
	switch g.Kind {
	case wkb.Point, wkb.MultiPoint:
		return *g
	case wkb.LineString:
		if out.Positions = x.line(g.Positions); x.single(out.Positions) {
			out.Positions = nil
		}
	case wkb.Polygon:
		for i, r := range g.Rings {
			r = x.line(r)
			switch collapsed := len(r) < 4*x.stride; {
			case collapsed && i == 0:
				return out
			case !collapsed:
				out.Rings = append(out.Rings, r)
			}
		}
	default:
		for i := range g.Parts {
			if p := x.geometry(&g.Parts[i]); g.Kind == wkb.Collection || !p.IsEmpty() {
				out.Parts = append(out.Parts, p)
			}
		}
	}
	return out
}

// single reports whether all positions of a line are one.
func (x *simplifier) single(line []float64) bool {
	for i := x.stride; i < len(line); i += x.stride {
		if line[i] != line[0] || line[i+1] != line[1] {
			return false
		}
	}
	return true
}

// line is the positions of a line that are kept.
func (x *simplifier) line(line []float64) []float64 {
	n := len(line) / x.stride
	if n <= 2 || x.err != nil {
		return line
	}
	x.keep = append(x.keep[:0], make([]bool, n)...)
	x.keep[0], x.keep[n-1] = true, true
	x.spans = append(x.spans[:0], span{0, n - 1})
	for len(x.spans) > 0 {
		s := x.spans[len(x.spans)-1]
		x.spans = x.spans[:len(x.spans)-1]
		if x.work != nil && x.err == nil {
			x.err = x.work(s.to - s.from)
		}
		if x.err != nil {
			return nil
		}
		if at := x.farthest(line, s); at > 0 {
			x.keep[at] = true
			x.spans = append(x.spans, span{at, s.to}, span{s.from, at})
		}
	}
	var out []float64
	for i, keep := range x.keep {
		if keep {
			out = append(out, line[i*x.stride:(i+1)*x.stride]...)
		}
	}
	return out
}

// farthest is the position within a span that is farthest from the segment between its ends; 0
// if none is farther than tolerance.
func (x *simplifier) farthest(line []float64, s span) int {
	e := edge{xy{line[s.from*x.stride], line[s.from*x.stride+1]}, xy{line[s.to*x.stride], line[s.to*x.stride+1]}}
	most, at := x.tolerance, 0
	for i := s.from + 1; i < s.to; i++ {
		if d := e.distance(xy{line[i*x.stride], line[i*x.stride+1]}); d > most {
			most, at = d, i
		}
	}
	return at
}
