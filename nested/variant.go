package nested

import (
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/vector"
)

// variantOf completes a Variant, whose children are found by name
// (VariantShredding.md, "Value Shredding"): metadata, value, typed_value. Other
// children are ignored. It is nil for a group that does not have the structure of
// a Variant, which is read as a group.
//
// The children are read as they are; only package variant knows what they mean.
func (s *shape) variantOf() *shape {
	var metadata, value, typed *fileformat.Node
	for _, n := range s.node.Children {
		var at **fileformat.Node
		switch n.Name {
		case "metadata":
			at = &metadata
		case "value":
			at = &value
		case "typed_value":
			at = &typed
		default:
			continue
		}
		if *at != nil || n.Repetition == fileformat.Repeated {
			return nil
		}
		*at = n
	}
	if !isBinary(metadata) || value != nil && !isBinary(value) || value == nil && typed == nil {
		return nil
	}
	whole := *s
	if whole.structOf(Options{}) == nil {
		return nil
	}
	s.kind, s.first, s.past = variant, whole.first, whole.past
	s.typ = vector.VariantType()
	s.children = []*shape{s.binary(metadata), s.binary(value)}
	// Bytes within a Variant are never text, whatever the options say.
	if typed != nil {
		if c := field(typed, Options{}, s.slotDef, s.slotRep); c != nil {
			s.children = append(s.children, c)
			s.typ.Fields = append(s.typ.Fields, c.field(typed.Name, s.def))
		}
	}
	return s
}

// isBinary reports whether a node is a leaf of byte strings.
func isBinary(n *fileformat.Node) bool {
	return n != nil && n.IsLeaf() && n.Physical == fileformat.ByteArray
}

// binary is the shape of metadata or value, whose logical type does not count. If
// the file does not have the node, its values are NULL and nothing is read.
func (s *shape) binary(n *fileformat.Node) *shape {
	c := &shape{kind: scalar, node: n, typ: vector.Of(vector.Blob), slotDef: s.slotDef, slotRep: s.slotRep}
	if n != nil {
		c.name, c.def, c.first, c.past = n.Name, n.MaxDef, n.Leaf, n.Leaf+1
	}
	return c
}
