// Package planar computes with geometries in the plane: X and Y are plain numbers, and Z
// and M are ignored. Areas, hulls, overlays and DE-9IM matrices are those of
// github.com/peterstace/simplefeatures. Where a point is, and whether geometries meet, is
// found here with exact arithmetic, because the answers decide which rows a query has.
package planar

import (
	"github.com/parquetsql/parquetsql/geometry/boxtree"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/peterstace/simplefeatures/geom"
)

// Shape is a geometry with what was computed of it so far: its box at once, its positions
// when a test needs them, and indexes over its edges. One that is used for many rows is
// kept. It is for one goroutine.
type Shape struct {
	Box    wkb.Box
	Header wkb.Header

	// Work, unless nil, is told of work on the shape that may take long: n grows by one
	// each 20 ns, about. An error of it ends the operation.
	Work func(n int) error

	bytes string
	point xy // of a POINT, if isPoint

	isPoint bool
	tree    *wkb.Geometry
	parts   *parts
	library *geom.Geometry
}

// Read is the shape of a WKB. It checks all of it and builds nothing. The error is a
// *wkb.Error.
func Read(s string) (Shape, error) {
	if x, y, ok := wkb.PointXY(s); ok && x == x && y == y {
		r := wkb.NoRange()
		return Shape{Box: wkb.Box{X: wkb.Range{Min: x, Max: x}, Y: wkb.Range{Min: y, Max: y}, Z: r, M: r},
			Header: wkb.Header{Kind: wkb.Point}, bytes: s, point: xy{x, y}, isPoint: true}, nil
	}
	box, h, err := wkb.Bounds(s)
	if err != nil {
		return Shape{}, err
	}
	shape := Shape{Box: box, Header: h, bytes: s}
	if h.Kind == wkb.Point && !box.IsEmpty() {
		shape.point, shape.isPoint = xy{box.X.Min, box.Y.Min}, true
	}
	return shape, nil
}

// IsEmpty reports whether the shape has no position.
func (s *Shape) IsEmpty() bool { return s.Box.IsEmpty() }

// Geometry is the positions. Read has checked the bytes, so they parse.
func (s *Shape) Geometry() *wkb.Geometry {
	if s.tree == nil {
		g, err := wkb.Parse(s.bytes)
		if err != nil {
			g = wkb.Geometry{Header: s.Header}
		}
		s.tree = &g
	}
	return s.tree
}

// edge is a segment of a line or ring.
type edge struct{ a, b xy }

func (e edge) box() boxtree.Box {
	return boxtree.Box{MinX: min(e.a.x, e.b.x), MinY: min(e.a.y, e.b.y), MaxX: max(e.a.x, e.b.x), MaxY: max(e.a.y, e.b.y)}
}

// edges are segments with an index if they are many.
type edges struct {
	list []edge
	tree *boxtree.Tree
}

// indexed is the number of edges from which an index is faster than a look at each.
const indexed = 24

func newEdges(list []edge) edges {
	e := edges{list: list}
	if len(list) < indexed {
		return e
	}
	items := make([]boxtree.Item, len(list))
	for i, s := range list {
		items[i] = boxtree.Item{Box: s.box(), ID: int32(i)}
	}
	e.tree = boxtree.New(items)
	return e
}

// near appends the numbers of the edges whose boxes may overlap b.
func (e *edges) near(b boxtree.Box, into []int32) []int32 {
	if e.tree != nil {
		return e.tree.Search(b, into)
	}
	for i, s := range e.list {
		if s.box().Overlaps(b) {
			into = append(into, int32(i))
		}
	}
	return into
}

// area is a polygon: the edges of all its rings, and a position on each ring.
type area struct {
	box   boxtree.Box
	edges edges
	rings []xy
}

// parts are the atoms of a geometry.
type parts struct {
	points []xy
	lines  edges // of all lines
	starts []xy  // a position of each line
	ends   map[xy]int
	areas  []area

	found []int32 // scratch
}

// atoms are the parts of the shape, made once.
func (s *Shape) atoms() *parts {
	if s.parts == nil {
		p := &parts{ends: map[xy]int{}}
		var lines []edge
		p.add(s.Geometry(), &lines)
		p.lines = newEdges(lines)
		s.parts = p
	}
	return s.parts
}

func (p *parts) add(g *wkb.Geometry, lines *[]edge) {
	stride := g.Layout.Stride()
	switch {
	case g.Kind == wkb.Point && len(g.Positions) > 0:
		p.points = append(p.points, xy{g.Positions[0], g.Positions[1]})
	case g.Kind == wkb.LineString && len(g.Positions) > 0:
		*lines = appendEdges(*lines, g.Positions, stride)
		start, end := xy{g.Positions[0], g.Positions[1]}, last(g.Positions, stride)
		p.starts = append(p.starts, start)
		p.ends[start]++
		p.ends[end]++
	case g.Kind == wkb.Polygon:
		var list []edge
		a := area{}
		for _, r := range g.Rings {
			if len(r) > 0 {
				list = appendEdges(list, r, stride)
				a.rings = append(a.rings, xy{r[0], r[1]})
			}
		}
		if len(list) > 0 {
			a.box, a.edges = boxOf(list), newEdges(list)
			p.areas = append(p.areas, a)
		}
	}
	for i := range g.Parts {
		p.add(&g.Parts[i], lines)
	}
}

func last(positions []float64, stride int) xy {
	i := len(positions) - stride
	return xy{positions[i], positions[i+1]}
}

// appendEdges appends the segments between positions. A single position is a segment from
// itself to itself.
func appendEdges(list []edge, positions []float64, stride int) []edge {
	a := xy{positions[0], positions[1]}
	if len(positions) == stride {
		return append(list, edge{a, a})
	}
	for i := stride; i < len(positions); i += stride {
		b := xy{positions[i], positions[i+1]}
		list = append(list, edge{a, b})
		a = b
	}
	return list
}

func boxOf(list []edge) boxtree.Box {
	b := list[0].box()
	for _, e := range list[1:] {
		o := e.box()
		b = boxtree.Box{MinX: min(b.MinX, o.MinX), MinY: min(b.MinY, o.MinY), MaxX: max(b.MaxX, o.MaxX), MaxY: max(b.MaxY, o.MaxY)}
	}
	return b
}
