package kernel

import (
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// group is a STRUCT that has the fields of a Variant (VariantShredding.md, "Value
// Shredding"), as the files of writers have them that do not write its logical type.
type group struct {
	typ    vector.Type // of the Variant
	fields []int       // by child of typ: the field of the STRUCT
}

// variantGroup finds the fields by their names; there may be no others.
func variantGroup(t vector.Type) (group, bool) {
	at := map[string]int{}
	for i, f := range t.Fields {
		at[f.Name] = i
	}
	metadata, ok1 := at["metadata"]
	value, ok2 := at["value"]
	if t.Kind != vector.Struct || !ok1 || !ok2 || t.Fields[metadata].Type.Kind != vector.Blob || t.Fields[value].Type.Kind != vector.Blob {
		return group{}, false
	}
	g := group{typ: vector.VariantType(), fields: []int{metadata, value}}
	if typed, ok := at["typed_value"]; ok {
		g.typ = vector.VariantType(t.Fields[typed])
		g.fields = append(g.fields, typed)
	}
	_, err := variant.NewLayout(g.typ)
	return g, err == nil && len(at) == len(t.Fields) && len(at) == len(g.fields)
}

// toVariant reads the fields as a Variant.
func (g group) toVariant() Func {
	layout, err := variant.NewLayout(g.typ)
	var rowsOnly, made vector.Vector
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		if err != nil {
			return err
		}
		if err := rowsOnly.Gather(args[0], rows); err != nil {
			return err
		}
		src := vector.Vector{Type: g.typ, Len: rowsOnly.Len, Valid: rowsOnly.Valid}
		for _, f := range g.fields {
			src.Children = append(src.Children, rowsOnly.Children[f])
		}
		if err := layout.Canonical(&src, &made); err != nil {
			return err
		}
		picks := make([]vector.Pick, n)
		for i, row := range Listed(rows, n) {
			picks[row] = vector.Pick{Source: 1, Row: int32(i)}
		}
		none := vector.NewConstant(vector.NullOf(made.Type), 1)
		out.Owned = false
		return out.Pick(made.Type, []*vector.Vector{none, &made}, picks)
	}
}
