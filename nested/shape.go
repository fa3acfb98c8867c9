package nested

import (
	"slices"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/vector"
)

// kind is the kind of a node by the rules for lists and maps.
type kind uint8

const (
	scalar kind = iota
	list
	mapping
	structure
	variant
	geometry
)

// shape is a node of a column's type, with the levels at which its values are
// present. A shape has slots: the rows of the column, or below a list or map one
// per element. All levels are absolute, as in the file.
type shape struct {
	kind kind
	name string // as a struct's field
	node *fileformat.Node
	typ  vector.Type

	slotDef int // an entry of lower definition level has no slot: the list around it has no element there
	slotRep int // an entry of higher repetition level continues a slot
	def     int // a slot of lower definition level is NULL
	elemDef int // list, mapping: one of lower definition level has no elements

	children    []*shape // list: the element; mapping: key and perhaps value; structure: the fields; variant, geometry: see variantOf, geometryOf
	first, past int      // the leaves from first to past-1
}

// The names of children that SQL does not name. They do not depend on the file, so
// that lists of different writers have the same type.
const (
	elementName = "element"
	keyName     = "key"
	valueName   = "value"
)

// field is a node within a group: a repeated one is a list.
func field(n *fileformat.Node, o Options, slotDef, slotRep int) *shape {
	if n.Repetition != fileformat.Repeated {
		return value(n, o, slotDef, slotRep)
	}
	s := &shape{kind: list, name: n.Name, node: n, slotDef: slotDef, slotRep: slotRep, def: n.MaxDef - 1, elemDef: n.MaxDef}
	return s.listOf(value(n, o, n.MaxDef, slotRep+1))
}

// value is the shape of a node's value, without its repetition. It is nil if there
// is no leaf below the node, since then the file has nothing of it.
func value(n *fileformat.Node, o Options, slotDef, slotRep int) *shape {
	if n.IsLeaf() {
		return &shape{
			kind: scalar, name: n.Name, node: n, typ: TypeOf(n, o), slotDef: slotDef, slotRep: slotRep, def: n.MaxDef,
			first: n.Leaf, past: n.Leaf + 1,
		}
	}
	if g := geometryOf(n, o, slotDef, slotRep); g != nil {
		return g
	}
	return groupValue(n, o, slotDef, slotRep)
}

// groupValue is value for a group that is no geometry.
func groupValue(n *fileformat.Node, o Options, slotDef, slotRep int) *shape {
	s := &shape{name: n.Name, node: n, slotDef: slotDef, slotRep: slotRep, def: n.MaxDef}
	switch {
	case o.isVariant(n):
		if v := s.variantOf(); v != nil {
			return v
		}
	case n.Logical.Kind == fileformat.LogicalList && repeatedChild(n) != nil:
		repeated := repeatedChild(n)
		s.kind, s.elemDef = list, repeated.MaxDef
		return s.listOf(value(elementOf(n, repeated), o, s.elemDef, slotRep+1))
	case n.Logical.Kind == fileformat.LogicalMap || n.Logical.Kind == fileformat.LogicalMapKeyValue:
		if m := s.mapOf(o); m != nil {
			return m
		}
	}
	return s.structOf(o)
}

// repeatedChild is the only child of a group, if it is repeated.
func repeatedChild(n *fileformat.Node) *fileformat.Node {
	if len(n.Children) == 1 && n.Children[0].Repetition == fileformat.Repeated {
		return n.Children[0]
	}
	return nil
}

// elementOf is the node of a LIST's element, by the numbered rules of
// LogicalTypes.md, "Lists".
func elementOf(n, repeated *fileformat.Node) *fileformat.Node {
	switch {
	case repeated.IsLeaf(), // rule 1
		len(repeated.Children) != 1,                                  // rule 2
		repeated.Children[0].Repetition == fileformat.Repeated,       // rule 3
		repeated.Name == "array" || repeated.Name == n.Name+"_tuple": // rule 4
		return repeated
	}
	return repeated.Children[0] // rule 5, and lists as the specification wants them
}

// listOf completes a list.
func (s *shape) listOf(element *shape) *shape {
	if element == nil {
		return nil
	}
	s.children = []*shape{element}
	s.typ = vector.ListOf(element.field(elementName, s.elemDef))
	s.first, s.past = element.first, element.past
	return s
}

// mapOf completes a MAP; it is nil if the group does not have the structure of
// one. Position tells keys from values, since their names may be wrong.
func (s *shape) mapOf(o Options) *shape {
	repeated := repeatedChild(s.node)
	if repeated == nil || len(repeated.Children) < 1 || len(repeated.Children) > 2 {
		return nil
	}
	key := field(repeated.Children[0], o, repeated.MaxDef, s.slotRep+1)
	if key == nil {
		return nil
	}
	s.kind, s.elemDef = mapping, repeated.MaxDef
	s.children = []*shape{key}
	s.first, s.past = key.first, key.past
	s.typ = vector.Type{Kind: vector.Map, Fields: []vector.Field{key.field(keyName, s.elemDef)}}
	if len(repeated.Children) == 1 {
		return s
	}
	if v := field(repeated.Children[1], o, repeated.MaxDef, s.slotRep+1); v != nil {
		s.children = append(s.children, v)
		s.past = v.past
		s.typ.Fields = append(s.typ.Fields, v.field(valueName, s.elemDef))
	}
	return s
}

// structOf completes a group.
func (s *shape) structOf(o Options) *shape {
	s.kind, s.typ = structure, vector.Type{Kind: vector.Struct}
	for _, n := range s.node.Children {
		c := field(n, o, s.slotDef, s.slotRep)
		if c == nil {
			continue
		}
		if len(s.children) == 0 {
			s.first = c.first
		}
		s.past = c.past
		s.children = append(s.children, c)
		s.typ.Fields = append(s.typ.Fields, c.field(c.name, s.def))
	}
	if len(s.children) == 0 {
		return nil
	}
	return s
}

// field is the shape as a child of a type whose values are present from definition
// level def on.
func (s *shape) field(name string, def int) vector.Field {
	return vector.Field{Name: name, Type: s.typ, Nullable: s.nullable(def)}
}

func (s *shape) nullable(def int) bool { return s.def > def || s.typ.Kind == vector.Null }

// WithoutValues is the type of a column with NULL in place of each leaf that is empty, which has no
// value in the file. The leaves of a Variant or a geometry stay: they are one value.
func WithoutValues(c Column, o Options, empty func(leaf int) bool) vector.Type {
	return shapeOf(c, o).withoutValues(empty)
}

func (s *shape) withoutValues(empty func(leaf int) bool) vector.Type {
	if s.kind == scalar && empty(s.first) {
		return vector.Of(vector.Null)
	}
	t := s.typ
	if s.kind == list || s.kind == mapping || s.kind == structure {
		t.Fields = slices.Clone(t.Fields)
		for i, child := range s.children {
			t.Fields[i].Type = child.withoutValues(empty)
		}
	}
	return t
}
