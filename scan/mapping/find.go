package mapping

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/vector"
)

// finder finds fields among the children of a file's groups.
type finder struct {
	key     Key
	byIDs   bool                       // the file has ids
	indexes map[*fileformat.Node]index // of long lists of nodes, by the first
}

// index has the first place of each id and name among nodes.
type index struct {
	ids   map[int32]int
	names map[string]int
}

// manyNodes are not searched one after the other for each field.
const manyNodes = 32

// indexOf is an index of many nodes.
func (f finder) indexOf(nodes []*fileformat.Node) index {
	out, ok := f.indexes[nodes[0]]
	if ok {
		return out
	}
	out = index{map[int32]int{}, map[string]int{}}
	for i, n := range slices.Backward(nodes) {
		out.names[n.Name] = i
		if n.HasFieldID {
			out.ids[n.FieldID] = i
		}
	}
	f.indexes[nodes[0]] = out
	return out
}

// withID is the place of the node with an id; -1: there is none.
func (f finder) withID(nodes []*fileformat.Node, id int32) int {
	if id == 0 {
		return -1
	}
	if len(nodes) > manyNodes {
		if at, ok := f.indexOf(nodes).ids[id]; ok {
			return at
		}
		return -1
	}
	return slices.IndexFunc(nodes, func(n *fileformat.Node) bool { return n.HasFieldID && n.FieldID == id })
}

// named is the first place of a node with one of some names; -1: there is none.
func (f finder) named(nodes []*fileformat.Node, names ...string) int {
	if len(nodes) <= manyNodes {
		return slices.IndexFunc(nodes, func(n *fileformat.Node) bool { return slices.Contains(names, n.Name) })
	}
	first := -1
	for _, name := range names {
		if at, ok := f.indexOf(nodes).names[name]; ok && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// In implements Mapping.
func (s *Schema) In(own []nested.Column, o nested.Options) (*Columns, error) {
	out := &Columns{own: own, index: make([]int, len(s.columns)), match: map[int]*convert.Match{}, defaults: map[int]*vector.Scalar{}, within: map[int]*vector.Scalar{}}
	places := make(map[*fileformat.Node]int, len(own))
	for i, c := range own {
		places[c.Node] = i
	}
	root := rootOf(own)
	f := finder{key: s.Key, byIDs: hasIDs(root), indexes: map[*fileformat.Node]index{}}
	for i, c := range s.columns {
		out.index[i] = -1
		if len(c.path) == 0 {
			continue
		}
		node, missing := f.follow(root, c.path)
		if node == nil {
			if d := fallback(c.path, missing); d != nil {
				out.setDefault(i, d, f.around(root, c.path, missing), places)
			}
			continue
		}
		at, ok := places[node]
		if !ok || own[at].Group != c.Group {
			return nil, fmt.Errorf("column %q is %v in the table, and something else in the file", c.Name, c.Type)
		}
		out.index[i] = at
		if c.Type.IsNested() && c.Type.Kind != vector.Variant {
			out.match[i] = f.match(c.path[len(c.path)-1], nested.PartOf(own[at], o))
		}
	}
	return out, nil
}

// follow is the node that fields lead to, or nil and the first field that the file does not have.
func (f finder) follow(root *fileformat.Node, path []*Field) (n *fileformat.Node, missing *Field) {
	n = root
	for _, field := range path {
		if n == nil {
			return nil, field
		}
		at := f.find(n.Children, field)
		if at < 0 {
			return nil, field
		}
		n = n.Children[at]
	}
	return n, nil
}

// fallback is the value of a column in files that lack a field on the path to it; nil: NULL.
func fallback(path []*Field, missing *Field) *vector.Scalar {
	last := path[len(path)-1]
	for _, f := range path[slices.Index(path, missing) : len(path)-1] {
		if !f.Filled {
			return nil
		}
	}
	return last.fallback()
}

// fallback is the value of a field that a file does not have; nil: NULL.
func (f *Field) fallback() *vector.Scalar {
	if !f.Filled {
		return f.Default
	}
	t := f.typeOf()
	row := &vector.Vector{Type: t, Len: 1}
	for i := range f.Fields {
		value := vector.NullOf(t.Fields[i].Type)
		if d := f.Fields[i].fallback(); d != nil {
			value = *d
		}
		child := &vector.Vector{}
		if child.FromScalars(value.Type, []vector.Scalar{value}) != nil {
			return nil // not of one value
		}
		row.Children = append(row.Children, child)
	}
	return &vector.Scalar{Type: t, Nested: row}
}

// around is the struct of the file in which a field is missing; nil: it is the file itself.
func (f finder) around(root *fileformat.Node, path []*Field, missing *Field) *fileformat.Node {
	k := slices.Index(path, missing)
	if k == 0 {
		return nil
	}
	n, _ := f.follow(root, path[:k])
	return n
}

// setDefault notes the value of a column that the file does not have: that of all rows or, within a
// struct that may be NULL, of those in which it is not.
func (c *Columns) setDefault(i int, d *vector.Scalar, around *fileformat.Node, places map[*fileformat.Node]int) {
	if around == nil || around.MaxDef == 0 {
		c.defaults[i] = d
		return
	}
	if at, ok := places[around]; ok {
		c.index[i], c.within[i] = at, d
	}
}

// find is the place of a field among nodes; -1 if it is not there.
func (f finder) find(nodes []*fileformat.Node, field *Field) int {
	switch {
	case f.byIDs && f.key != ByName || f.key == ByID:
		return f.withID(nodes, field.ID)
	case f.key == ByIDOrPlace: // only columns have such ids
		if at := int(field.ID) - 1; at >= 0 && at < len(nodes) && nodes[at].Parent != nil && nodes[at].Parent.Parent == nil {
			return at
		}
		return -1
	case f.key == ByIDOrNames:
		return f.named(nodes, field.Names...)
	}
	name := field.FileName
	if name == "" {
		name = field.Name
	}
	if at := f.named(nodes, name); at >= 0 {
		return at
	}
	return slices.IndexFunc(nodes, func(n *fileformat.Node) bool { return strings.EqualFold(n.Name, name) })
}

// match pairs the fields within a field with those of the file.
func (f finder) match(field *Field, part nested.Part) *convert.Match {
	if len(field.Fields) == 0 {
		return nil
	}
	nodes := make([]*fileformat.Node, len(part.Parts))
	for i, p := range part.Parts {
		nodes[i] = p.Node
	}
	out := &convert.Match{Fields: make([]convert.FieldMatch, len(field.Fields))}
	for i := range field.Fields {
		inner, at := &field.Fields[i], i
		if field.Type.Kind == vector.Struct {
			at = f.find(nodes, inner)
		}
		if at < 0 || at >= len(part.Parts) {
			out.Fields[i] = convert.FieldMatch{At: -1, Default: inner.fallback()}
			continue
		}
		out.Fields[i] = convert.FieldMatch{At: at, Within: f.match(inner, part.Parts[at])}
	}
	return out
}

// rootOf is the root of the schema that columns are of; without columns it has no children.
func rootOf(own []nested.Column) *fileformat.Node {
	if len(own) == 0 {
		return &fileformat.Node{}
	}
	n := own[0].Node
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// hasIDs reports whether any field of a file has an id.
func hasIDs(n *fileformat.Node) bool {
	return n.HasFieldID || slices.ContainsFunc(n.Children, hasIDs)
}
