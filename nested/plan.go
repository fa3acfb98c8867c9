package nested

import (
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/geometry/geoarrow"
	"github.com/parquetsql/parquetsql/nested/internal/levels"
	"github.com/parquetsql/parquetsql/vector"
)

// plan is a shape with the leaves of it that are read.
type plan struct {
	*shape
	children []*plan
	cursor   int  // the leaf whose values (scalar) or levels (all others) it is made of; -1: it is not read
	values   bool // scalar: its values are needed, not only its levels

	*made // nil of a column that is one leaf
}

// made is the vector of a plan, and memory for it.
type made struct {
	out     vector.Vector     // of the rows at hand
	vectors []*vector.Vector  // the children's out
	spans   levels.Spans      // memory
	bitmap  vector.Validity   // memory
	encoder *geoarrow.Encoder // geometry
}

// newPlan marks what is needed of a shape: all of it if paths is nil.
func newPlan(s *shape, paths []vector.Path) *plan {
	p := &plan{shape: s, cursor: -1, made: &made{}}
	if s.kind == scalar {
		p.values = s.node != nil && (paths == nil || len(paths) > 0)
		return p
	}
	for i, c := range s.children {
		child := newPlan(c, s.below(i, paths))
		p.children = append(p.children, child)
		p.vectors = append(p.vectors, &child.out)
	}
	return p
}

// below is the part of paths below a child: nil is all of it, an empty list none.
func (s *shape) below(child int, paths []vector.Path) []vector.Path {
	if paths == nil || s.kind == geometry { // a geometry needs all of its coordinates
		return nil
	}
	below := []vector.Path{}
	for _, path := range paths {
		switch {
		case len(path) == 0 || path[0] != s.typ.Child(child):
		case len(path) == 1:
			return nil
		default:
			below = append(below, path[1:])
		}
	}
	return below
}

// leaves are the scalars whose values are needed, in order.
func (p *plan) leaves(into []*plan) []*plan {
	if p.values {
		return append(into, p)
	}
	for _, c := range p.children {
		into = c.leaves(into)
	}
	return into
}

// witness is the cheapest leaf below a node, for a plan that needs only levels:
// the one with the fewest entries, then with the smallest values.
func witness(n *fileformat.Node) *fileformat.Node {
	if n.IsLeaf() {
		return n
	}
	var best *fileformat.Node
	for _, c := range n.Children {
		if w := witness(c); w != nil && (best == nil || cost(w) < cost(best)) {
			best = w
		}
	}
	return best
}

func cost(n *fileformat.Node) int {
	sizes := [...]int{
		fileformat.Boolean: 1, fileformat.Int32: 2, fileformat.Float: 2, fileformat.Int64: 3, fileformat.Double: 3,
		fileformat.Int96Type: 4, fileformat.FixedLenByteArray: 5, fileformat.ByteArray: 6,
	}
	return n.MaxRep*len(sizes) + sizes[n.Physical]
}

// attach sets the cursor of each node: the one with the fewest entries below it.
// It returns the cursor of p.
func (p *plan) attach(cursors []*cursor) int {
	if p.values {
		for i, c := range cursors {
			if c.node == p.node {
				p.cursor = i
			}
		}
		return p.cursor
	}
	for _, child := range p.children {
		at := child.attach(cursors)
		if at >= 0 && (p.cursor < 0 || cursors[at].node.MaxRep < cursors[p.cursor].node.MaxRep) {
			p.cursor = at
		}
	}
	return p.cursor
}

// common is the deepest node that two leaves below p share: their entries up to
// its repetition level must agree up to its definition level.
func (p *plan) common(a, b *fileformat.Node) (rep, def uint8) {
	for {
		switch p.kind {
		case structure, variant, geometry:
			rep, def = uint8(p.slotRep), uint8(p.def)
		default:
			rep, def = uint8(p.slotRep+1), uint8(p.elemDef)
		}
		next := p
		for _, c := range p.children {
			if c.first <= a.Leaf && a.Leaf < c.past && c.first <= b.Leaf && b.Leaf < c.past {
				next = c
			}
		}
		if next == p {
			return rep, def
		}
		p = next
	}
}
