package exec

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// ElementColumns are the columns that the elements of a LIST or MAP have as a
// table. Of a list of structs these are the struct's leaves, with dotted names
// as a table's have; of a map key and value, or their leaves; else item, the
// element itself. Whole structs come after all others, as columns of the type
// STRUCT that * does not show; the element itself is then item.
func ElementColumns(t vector.Type) []vector.Column {
	var list []vector.Column
	for _, c := range elementColumns(t) {
		list = append(list, c.Column)
	}
	return list
}

// ElementPath is where column i of ElementColumns is in the type of the LIST or
// MAP: the names of the fields on the way.
func ElementPath(t vector.Type, i int) []string {
	c := elementColumns(t)[i]
	at := t.Fields[c.child]
	path := []string{at.Name}
	for _, i := range c.path {
		at = at.Type.Fields[i]
		path = append(path, at.Name)
	}
	return path
}

// elementColumn is one of them and how it is found: the child of the LIST or
// MAP, then the children of structs.
type elementColumn struct {
	vector.Column
	child int
	path  []int
}

func elementColumns(t vector.Type) []elementColumn {
	var leaves, structs []elementColumn
	var walk func(c elementColumn, f vector.Field)
	walk = func(c elementColumn, f vector.Field) {
		c.Type, c.Nullable = f.Type, c.Nullable || f.Nullable
		if f.Type.Kind != vector.Struct || f.Type.Text {
			leaves = append(leaves, c)
			return
		}
		whole := c
		if whole.Name == "" {
			whole.Name = "item"
		}
		structs = append(structs, whole)
		for i, inner := range f.Type.Fields {
			child := c
			child.path = append(slices.Clone(c.path), i)
			child.Name = inner.Name
			if c.Name != "" {
				child.Name = c.Name + "." + inner.Name
			}
			walk(child, inner)
		}
	}
	names := []string{"item"}
	if t.Kind == vector.Map {
		names = []string{"key", "value"}
	}
	for i, f := range t.Fields {
		c := elementColumn{child: i}
		if c.Name = names[i]; t.Kind == vector.List && f.Type.Kind == vector.Struct {
			c.Name = ""
		}
		walk(c, f)
	}
	return append(leaves, structs...)
}

// of is the column for all elements of v. NULL structs make their fields NULL.
func (c *elementColumn) of(v *vector.Vector) *vector.Vector {
	if c.child >= len(v.Children) { // a constant NULL has no children
		return vector.NewConstant(vector.NullOf(c.Type), 0)
	}
	at := v.Children[c.child]
	n, valid := at.Len, at.Valid
	for _, i := range c.path {
		if at.Form == vector.Constant || i >= len(at.Children) {
			return vector.NewConstant(vector.NullOf(c.Type), n)
		}
		at = at.Children[i]
		if at.Form != vector.Constant {
			valid = vector.And(valid, at.Valid)
		}
	}
	if len(c.path) == 0 || valid == nil {
		return at
	}
	leaf := *at
	if at.Form == vector.Constant {
		if at.IsNull(0) {
			return at
		}
		leaf = *at.Flatten(nil)
	}
	leaf.Valid = valid
	return &leaf
}

// slice makes out the rows from to from+n-1 of v without copying values.
func slice(out, v *vector.Vector, from, n int) {
	*out = *v
	out.Len = n
	if v.Form == vector.Constant {
		return
	}
	out.Valid = sliceValidity(v.Valid, from, n)
	if v.Form == vector.Dictionary {
		out.Codes = v.Codes[from : from+n]
		return
	}
	switch v.Type.Storage() {
	case vector.StoreBool:
		out.Bool = v.Bool[from : from+n]
	case vector.StoreInt64:
		out.I64 = v.I64[from : from+n]
	case vector.StoreUint64:
		out.U64 = v.U64[from : from+n]
	case vector.StoreInt128:
		out.I128 = v.I128[from : from+n]
	case vector.StoreFloat32:
		out.F32 = v.F32[from : from+n]
	case vector.StoreFloat64:
		out.F64 = v.F64[from : from+n]
	case vector.StoreString:
		out.Str = v.Str[from : from+n]
	case vector.StoreInterval:
		out.Interval = v.Interval[from : from+n]
	case vector.StoreNested:
		if v.Type.Kind != vector.Struct {
			out.Offsets = v.Offsets[from : from+n+1]
			return
		}
		out.Children = make([]*vector.Vector, len(v.Children))
		for i, c := range v.Children {
			out.Children[i] = &vector.Vector{}
			slice(out.Children[i], c, from, n)
		}
	}
}

// sliceValidity moves n bits from place from to the front.
func sliceValidity(v vector.Validity, from, n int) vector.Validity {
	if v == nil {
		return nil
	}
	word, shift := from>>6, uint(from)&63
	if shift == 0 {
		return v[word:]
	}
	out := make(vector.Validity, (n+63)/64)
	for i := range out {
		out[i] = v[word+i] >> shift
		if word+i+1 < len(v) {
			out[i] |= v[word+i+1] << (64 - shift)
		}
	}
	return out
}
