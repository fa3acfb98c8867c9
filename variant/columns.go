package variant

import (
	"cmp"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// Columns are the columns of a file that answer a path into a Variant. All paths
// lead from the Variant, by FieldSteps and ElementSteps, as nested.Inner takes them.
type Columns struct {
	// Typed is the column of the primitive values that the path leads to, if it is
	// shredded into one; then a row in which it is not NULL needs no other column.
	// Else it is nil. Type is the column's type.
	Typed vector.Path
	Type  vector.Type

	// Values are the columns that hold the value where Typed does not. If Typed is
	// not nil, this is one column of Variant-encoded values, or none. If they are
	// NULL in all rows, the value is in Typed or not there (VariantShredding.md, "Data
	// Skipping"). An empty path is the whole Variant.
	Values []vector.Path

	// Metadata is whether the column of metadata is needed where Values are not NULL,
	// or to rebuild the value.
	Metadata bool
}

// Columns finds the columns of a path of FieldSteps and PositionSteps. Where an
// object or array is shredded, what is in it is in its columns and nowhere else:
// readers may assume that (VariantShredding.md, "Objects"), and so a value that a
// writer has put elsewhere is not found.
func (l *Layout) Columns(path vector.Path) Columns {
	n, at, rest, found := l.root.follow(path)
	switch {
	case !found:
		return Columns{}
	case len(rest) == 0 && (n.kind == asObject || n.kind == asArray):
		c := Columns{Metadata: true}
		if n.value >= 0 {
			c.Values = append(c.Values, at.Then(vector.Step{Name: valueName}))
		}
		c.Values = append(c.Values, at.Then(vector.Step{Name: typedName}))
		return c
	}
	var c Columns
	if n.value >= 0 {
		c.Values, c.Metadata = []vector.Path{at.Then(vector.Step{Name: valueName})}, true
	}
	if n.kind == asPrimitive && len(rest) == 0 {
		c.Typed, c.Type = at.Then(vector.Step{Name: typedName}), n.typ
	}
	return c
}

// follow is the node that has the value of a path: at is the path of columns to it,
// rest what of the path leads on within its value. found is false if the layout
// excludes that there is a value.
func (n *node) follow(path vector.Path) (end *node, at, rest vector.Path, found bool) {
	for i, s := range path {
		switch {
		case n.kind == asObject && s.Kind == vector.FieldStep:
			f := n.field(s.Name)
			if f == nil {
				return n, at, path[i:], n.value >= 0
			}
			at, n = at.Then(vector.Step{Name: typedName}, vector.Step{Name: s.Name}), &f.node
		case n.kind == asArray && s.Kind == vector.PositionStep:
			at, n = at.Then(vector.Step{Name: typedName}, vector.Step{Kind: vector.ElementStep}), n.element
		default: // what is no object, or no array, is in value whole
			return n, at, path[i:], n.value >= 0
		}
	}
	return n, at, nil, true
}

// field is the shredded field with a name; nil if there is none.
func (n *node) field(name string) *shreddedField {
	at, ok := slices.BinarySearchFunc(n.fields, name, func(f shreddedField, name string) int { return cmp.Compare(f.name, name) })
	if !ok {
		return nil
	}
	return &n.fields[at]
}
