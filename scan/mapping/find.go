package mapping

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/vector"
)

// finder finds fields among the children of a file's groups.
type finder struct {
	key   Key
	byIDs bool // the file has ids
}

// In implements Mapping.
func (s *Schema) In(own []nested.Column, o nested.Options) (*Columns, error) {
	out := &Columns{own: own, index: make([]int, len(s.columns)), match: map[int]*convert.Match{}, defaults: map[int]*vector.Scalar{}}
	places := make(map[*fileformat.Node]int, len(own))
	for i, c := range own {
		places[c.Node] = i
	}
	root := rootOf(own)
	f := finder{key: s.Key, byIDs: hasIDs(root)}
	for i, c := range s.columns {
		out.index[i] = -1
		if len(c.path) == 0 {
			continue
		}
		node, missing := f.follow(root, c.path)
		if node == nil {
			if missing != c.path[len(c.path)-1] || missing.Default == nil {
				continue
			}
			if parent, _ := f.follow(root, c.path[:len(c.path)-1]); parent.MaxDef > 0 {
				return nil, errs.Unsupported("column %q, whose default would hold only where the struct around it is not NULL, in a file without the column", c.Name)
			}
			out.defaults[i] = missing.Default
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

// find is the place of a field among nodes; -1 if it is not there.
func (f finder) find(nodes []*fileformat.Node, field *Field) int {
	switch {
	case f.byIDs && f.key != ByName || f.key == ByID:
		return slices.IndexFunc(nodes, func(n *fileformat.Node) bool {
			return n.HasFieldID && field.ID != 0 && n.FieldID == field.ID
		})
	case f.key == ByIDOrNames:
		return slices.IndexFunc(nodes, func(n *fileformat.Node) bool { return slices.Contains(field.Names, n.Name) })
	}
	name := field.FileName
	if name == "" {
		name = field.Name
	}
	if at := slices.IndexFunc(nodes, func(n *fileformat.Node) bool { return n.Name == name }); at >= 0 {
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
			out.Fields[i] = convert.FieldMatch{At: -1, Default: inner.Default}
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
