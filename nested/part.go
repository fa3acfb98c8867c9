package nested

import "github.com/parquetsql/parquetsql/fileformat"

// Part is a node of a file's schema that is a column's value, or a value within it. Parts are in
// the order of the fields of the type: the element of a LIST, the key and the value of a MAP, the
// fields of a STRUCT. A VARIANT or a geometry is one value and has none.
type Part struct {
	Node  *fileformat.Node
	Parts []Part
}

// PartOf is a column, which Columns returned, as its parts.
func PartOf(c Column, o Options) Part {
	s := shapeOf(c, o)
	if s == nil {
		return Part{Node: c.Node}
	}
	return s.part()
}

func (s *shape) part() Part {
	out := Part{Node: s.node}
	if s.kind == list || s.kind == mapping || s.kind == structure {
		for _, child := range s.children {
			out.Parts = append(out.Parts, child.part())
		}
	}
	return out
}
