package nested

import "github.com/parquetsql/parquetsql/vector"

// Inner is one leaf within a LIST or MAP column as a column of its own, whose
// type is that of a single value: a row of c has any number of them. path leads
// down to it in the type of c; a LIST takes an ElementStep, a MAP a KeyStep or
// ValueStep, a STRUCT a FieldStep.
//
// Inner has no Leaves where the path ends at no single leaf: at a list, a group,
// a Variant, or where fields have one name. It is false where the file has no
// such field, so that all values are NULL.
func Inner(c Column, o Options, path vector.Path) (Column, bool) {
	s := shapeOf(c, o)
	for _, step := range path {
		var found []*shape
		for i, child := range s.children {
			if s.typ.Child(i) == step {
				found = append(found, child)
			}
		}
		switch {
		case len(found) == 1:
			s = found[0]
		case len(found) == 0 && (s.kind == structure || s.typ.Kind == vector.Null):
			return Column{}, false
		default:
			return Column{Name: s.node.Dotted(), Node: s.node, Type: s.typ, Nullable: true}, true
		}
	}
	out := Column{Name: s.node.Dotted(), Node: s.node, Type: s.typ, Nullable: true}
	if s.kind == scalar {
		out.Leaves = []int{s.first}
	}
	return out, true
}
