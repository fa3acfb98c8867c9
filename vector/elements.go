package vector

import "slices"

// ElementColumn is one column of the element table of a LIST or MAP.
type ElementColumn struct {
	Column
	// Path leads from the LIST or MAP to the values. Steps says the same as
	// indexes of children.
	Path  Path
	Steps []int
}

// ElementColumns are the columns that the elements of a LIST or MAP have as a
// table. For a LIST of STRUCTs these are the leaves of the STRUCT, with dotted
// names; for a MAP its key and value, or their leaves; else the one column
// item, the element itself. Whole STRUCTs follow all others; the element itself
// is then called item.
func ElementColumns(t Type) []ElementColumn {
	var leaves, structs []ElementColumn
	var walk func(c ElementColumn, parent Type, i int)
	walk = func(c ElementColumn, parent Type, i int) {
		f := parent.Fields[i]
		c.Path = c.Path.Then(parent.Child(i))
		c.Steps = append(slices.Clip(c.Steps), i)
		c.Type, c.Nullable = f.Type, c.Nullable || f.Nullable
		if f.Type.Kind != Struct {
			leaves = append(leaves, c)
			return
		}
		whole := c
		if whole.Name == "" {
			whole.Name = "item"
		}
		structs = append(structs, whole)
		for j, inner := range f.Type.Fields {
			child := c
			child.Name = inner.Name
			if c.Name != "" {
				child.Name = c.Name + "." + inner.Name
			}
			walk(child, f.Type, j)
		}
	}
	names := []string{"item"}
	if t.Kind == Map {
		names = []string{"key", "value"}
	}
	for i, f := range t.Fields {
		c := ElementColumn{}
		if c.Name = names[i]; t.Kind == List && f.Type.Kind == Struct {
			c.Name = ""
		}
		walk(c, t, i)
	}
	return append(leaves, structs...)
}
