package nested

import "github.com/parquetsql/parquetsql/vector"

// Inner is one leaf within a LIST or MAP column as a column of its own. Its type
// is that of a single value, of which a row of c has any number. path leads to it
// from c: an ElementStep for a LIST, a KeyStep or ValueStep for a MAP, a FieldStep
// for a STRUCT.
//
// The column has no Leaves if the path does not end at one leaf: if it ends at a
// list, a group or a Variant, or if several fields have the name. Inner is false
// if the file does not have the field, so that all values are NULL.
func Inner(c Column, o Options, path vector.Path) (Column, bool) {
	s := shapeOf(c, o)
	known := c.Type // NULL where the file has no value: see WithoutValues
	for _, step := range path {
		var found []int
		for i := range s.children {
			if s.kind != variant && s.kind != geometry && s.typ.Child(i) == step {
				found = append(found, i)
			}
		}
		switch {
		case len(found) == 1:
			if s = s.children[found[0]]; found[0] < len(known.Fields) {
				known = known.Fields[found[0]].Type
			}
		case len(found) == 0 && (s.kind == structure || s.typ.Kind == vector.Null):
			return Column{}, false
		default:
			return Column{Name: s.node.Dotted(), Node: s.node, Type: s.typ, Nullable: true}, true
		}
	}
	out := Column{Name: s.node.Dotted(), Node: s.node, Type: s.typ, Nullable: true}
	if s.kind == scalar {
		out.Leaves = []int{s.first}
		if known.Kind == vector.Null {
			out.Type = known
		}
	}
	return out, true
}
