package prune

import (
	"math"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// shapes says where the bounds of a geometry column are: in leaves whose ordinary
// statistics and page indexes have them.
type shapes struct {
	covering bool        // the leaves are those of a covering; else the ordinates themselves
	sides    []*Column   // xmin, ymin, xmax, ymax; or x, y and perhaps z and m
	names    string      // of the ordinates: "xyz"
	kind     probe.Kinds // of native encodings
}

// newShapes is nil if a column holds no geometries, or nothing is known of them.
func newShapes(c nested.Column, o nested.Options) *shapes {
	if !c.Type.IsGeospatial() || c.Node.Geo == nil {
		return nil
	}
	s, geo := &shapes{}, c.Node.Geo
	switch {
	case geo.Native != "":
		s.kind = kindOfEncoding(geo.Native)
		for _, leaf := range leavesBelow(c.Node) {
			if slices.Contains([]string{"x", "y", "z", "m"}, leaf.Name) { // interleaved ordinates have no names
				s.names += leaf.Name
				if s.add(leaf, o) != nil {
					return nil
				}
			}
		}
	case geo.HasCovering:
		s.covering = true
	}
	return s
}

// find finds the leaves of a covering. They are not below the column's node, but each row
// group has all leaves.
func (s *shapes) find(c *Column, g *fileformat.RowGroup) {
	if !s.covering || s.sides != nil {
		return
	}
	for _, i := range c.Node.Geo.Covering {
		if err := s.add(g.Columns[i].Leaf, c.Options); err != nil {
			s.sides, s.covering = nil, false
			return
		}
	}
}

func (s *shapes) add(leaf *fileformat.Node, o nested.Options) error {
	c := nested.Column{Name: leaf.Dotted(), Node: leaf, Type: nested.TypeOf(leaf, o), Nullable: true, Leaves: []int{leaf.Leaf}}
	describe := func(c nested.Column, o nested.Options, t vector.Type) (*Column, error) {
		return NewColumn(c, o, t, nil)
	}
	if leaf.MaxRep > 0 {
		describe = NewInner
	}
	side, err := describe(c, o, c.Type)
	if err == nil {
		s.sides = append(s.sides, side)
	}
	return err
}

func leavesBelow(n *fileformat.Node) []*fileformat.Node {
	if n.IsLeaf() {
		return []*fileformat.Node{n}
	}
	var out []*fileformat.Node
	for _, c := range n.Children {
		out = append(out, leavesBelow(c)...)
	}
	return out
}

// kindOfEncoding is the kind of the geometries of one of GeoParquet's native encodings.
func kindOfEncoding(name string) probe.Kinds {
	for k := wkb.Point; k <= wkb.MultiPolygon; k++ {
		if strings.EqualFold(k.String(), name) {
			return probe.KindsOf(k)
		}
	}
	return 0
}

// shapes is what the footer says of the geometries of a row group; nil for other columns.
func (c *Column) shapesOf(g *fileformat.RowGroup) *probe.Shapes {
	if c.shapes == nil {
		return nil
	}
	out := probe.AnyShapes()
	if c.leaf >= 0 {
		out = geospatialStatistics(g.Columns[c.leaf], c.Type)
	}
	if c.shapes.trusted(c, g) {
		out = c.shapes.bounds(func(side int) *probe.Summary { return c.shapes.sides[side].Chunk(g) }).And(out)
	}
	return &out
}

// trusted is false for a covering that lacks bounds of a geometry: it must have them for
// each row that has a geometry ("Bounding Box Columns"), though some writers leave out
// those of empty ones.
func (s *shapes) trusted(c *Column, g *fileformat.RowGroup) bool {
	s.find(c, g)
	if len(s.sides) == 0 {
		return false
	}
	if !s.covering {
		return true
	}
	own := c.chunk(new(Room), g).Nulls
	return !slices.ContainsFunc(s.sides, func(side *Column) bool { return own >= 0 && side.Chunk(g).Nulls > own })
}

// geospatialStatistics are a chunk's, if it has some that are trusted.
func geospatialStatistics(chunk *fileformat.ColumnChunk, t vector.Type) probe.Shapes {
	if st := chunk.Meta.Geospatial; st != nil && !chunk.Locked() && !distrustAll(chunk.File().Meta.Writer) {
		return shapesIn(st, t.Kind == vector.Geography)
	}
	return probe.AnyShapes()
}

// shapesIn reads struct GeospatialStatistics (Geospatial.md, "Statistics"). Of an axis whose
// numbers cannot be right, nothing is known.
func shapesIn(st *fileformat.GeospatialStatistics, geography bool) probe.Shapes {
	out := probe.AnyShapes()
	out.Kinds = kindsOf(st.Types)
	b := st.Box
	if b == nil || !(b.YMin <= b.YMax) || math.IsNaN(b.XMin) || math.IsNaN(b.XMax) {
		return out
	}
	if geography && !(math.Abs(b.XMin) <= 180 && math.Abs(b.XMax) <= 180 && b.YMin >= -90 && b.YMax <= 90) {
		return out
	}
	out.Box.Y = wkb.Range{Min: b.YMin, Max: b.YMax}
	finite := !math.IsInf(b.XMin, 0) && !math.IsInf(b.XMax, 0)
	switch {
	case b.XMin <= b.XMax:
		out.Box.X = wkb.Range{Min: b.XMin, Max: b.XMax}
	case finite && (geography || out.Kinds.Within(probe.Points)):
		// The edges of a GEOMETRY are straight in the plane, so that one between positions
		// at both sides of the antimeridian crosses all that the box leaves out.
		out.Box.X, out.Wraps = wkb.Range{Min: b.XMin, Max: b.XMax}, true
	}
	if b.HasZ && b.ZMin <= b.ZMax {
		out.Box.Z = wkb.Range{Min: b.ZMin, Max: b.ZMax}
	}
	if b.HasM && b.MMin <= b.MMax {
		out.Box.M = wkb.Range{Min: b.MMin, Max: b.MMax}
	}
	return out
}

// kindsOf is the set of WKB's type codes; unknown if one of them is.
func kindsOf(codes []int32) probe.Kinds {
	var set probe.Kinds
	for _, code := range codes {
		kind := wkb.Kind(code % 1000)
		if code < 0 || code >= 4000 || kind < wkb.Point || kind > wkb.Collection || code%1000 != int32(kind) {
			return 0
		}
		set |= probe.KindsOf(kind)
	}
	return set
}

// bounds makes shapes of the summaries of the sides.
func (s *shapes) bounds(side func(int) *probe.Summary) probe.Shapes {
	out := probe.AnyShapes()
	out.Kinds = s.kind
	if s.covering {
		out.Box.X, out.Box.Y = span(side(0), side(2)), span(side(1), side(3))
		if mayWrap(side(0), side(2)) {
			out.Box.X = probe.Anywhere()
		}
		return out
	}
	axes := map[rune]*wkb.Range{'x': &out.Box.X, 'y': &out.Box.Y, 'z': &out.Box.Z, 'm': &out.Box.M}
	for i, name := range s.names {
		sum := side(i)
		*axes[name] = span(sum, sum)
	}
	return out
}

// span is the range between a side's least value and another's greatest.
func span(lo, hi *probe.Summary) wkb.Range {
	if lo.Nulls == lo.Rows && hi.Nulls == hi.Rows {
		return wkb.NoRange()
	}
	r := probe.Anywhere()
	if lo.Min != nil {
		r.Min = below(lo.Min)
	}
	if hi.Max != nil {
		r.Max = above(hi.Max)
	}
	return r
}

// mayWrap reports whether the bounds of some row may cross the antimeridian: then its xmin
// is greater than its xmax (RFC 7946, section 5.2). GeoParquet leaves such geometries out of
// what a covering is for, but files have them. No geometry that crosses it is wider
// than half of the globe, so that its xmin is greater by at least 180.
func mayWrap(xmin, xmax *probe.Summary) bool {
	if xmin.Max == nil || xmin.Min == nil || xmax.Min == nil || xmax.Max == nil {
		return true
	}
	if below(xmin.Min) < -181 || above(xmax.Max) > 181 {
		return false // no degrees
	}
	return above(xmin.Max)-below(xmax.Min) >= 180
}

// below and above are the ends of the numbers that a bound stands for. FLOAT bounds of DOUBLE
// positions may be rounded either way.
func below(s *vector.Scalar) float64 { return widened(s, math.Inf(-1)) }

func above(s *vector.Scalar) float64 { return widened(s, math.Inf(1)) }

func widened(s *vector.Scalar, to float64) float64 {
	if s.Type.Kind == vector.Float {
		return float64(math.Nextafter32(s.F32, float32(to)))
	}
	return s.F64
}
