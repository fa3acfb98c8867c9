package nested

import (
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/vector"
)

// Options says how to read what a file does not specify.
type Options struct {
	// BinaryAsString reads BYTE_ARRAY without annotation as VARCHAR.
	BinaryAsString bool
	// VariantGroups are the dotted paths, divided by commas, of groups that are Variants
	// without the logical type.
	VariantGroups string
}

// isVariant reports whether a group is a Variant.
func (o Options) isVariant(n *fileformat.Node) bool {
	if n.Logical.Kind == fileformat.LogicalVariant || o.VariantGroups == "" {
		return n.Logical.Kind == fileformat.LogicalVariant
	}
	return slices.Contains(strings.Split(o.VariantGroups, ","), n.Dotted())
}

// Column is one column that a file offers as a table.
type Column struct {
	Name     string           // dotted within groups
	Node     *fileformat.Node // the leaf; of a LIST, MAP or repeated field the outermost node; or the group
	Type     vector.Type
	Nullable bool
	Leaves   []int // indexes of the leaves that the whole column needs
	Group    bool  // a whole group, of type STRUCT, which * does not show
}

// Columns are a schema's columns in its order, then its groups. Groups outside
// lists and maps are flattened: their leaves, lists and maps are columns with
// dotted names. A column of kind VARIANT has the children of its group in this
// file: see vector.VariantType.
func Columns(s *fileformat.Schema, o Options) ([]Column, error) {
	c := collector{columns: make([]Column, 0, len(s.Leaves)), leaves: make([]int, len(s.Leaves))}
	for i := range c.leaves {
		c.leaves[i] = i
	}
	for _, n := range s.Root.Children {
		if shape := field(n, o, 0, 0); shape != nil {
			c.add(shape)
		}
	}
	return append(c.columns, c.groups...), nil
}

type collector struct {
	columns, groups []Column
	leaves          []int // 0, 1, 2, ...: the leaves of a node are a range of it
}

func (c *collector) add(s *shape) {
	column := Column{
		Name: s.node.Dotted(), Node: s.node, Type: s.typ, Nullable: s.nullable(0),
		Leaves: c.leaves[s.first:s.past:s.past], Group: s.kind == structure,
	}
	if !column.Group {
		c.columns = append(c.columns, column)
		return
	}
	c.groups = append(c.groups, column)
	for _, child := range s.children {
		c.add(child)
	}
}

// shapeOf is the shape of a column that Columns returned.
func shapeOf(c Column, o Options) *shape {
	if c.Group {
		return value(c.Node, o, 0, 0)
	}
	return field(c.Node, o, 0, 0)
}
