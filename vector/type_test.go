package vector

import "testing"

func TestRenderedType(t *testing.T) {
	list := ListOf(Field{Name: "element", Type: Of(BigInt)})
	r := RenderedType(list)
	if r.Name() != "LIST" || r.String() != "LIST(BIGINT)" || r.Storage() != StoreString || r.IsNested() || !r.Shown().Equal(list) {
		t.Errorf("%v, %s, %d", r, r.Name(), r.Storage())
	}
	if r.Equal(list) || !r.Equal(RenderedType(list)) || r.Equal(RenderedType(ListOf(Field{Name: "element", Type: Of(Date)}))) {
		t.Error("equality does not tell what is rendered")
	}
	if got := RenderedType(Of(BSON)); got.Name() != "BSON" || got.Equal(Of(BSON)) {
		t.Error(got)
	}
	if d := DecimalType(10, 2); d.Name() != "DECIMAL" || !d.Shown().Equal(d) {
		t.Error(d.Name())
	}
}

// TestVariantType: VariantShredding.md's example of a Variant that is shredded
// as a list of strings.
func TestVariantType(t *testing.T) {
	element := Type{Kind: Struct, Fields: []Field{{Name: "value", Type: Of(Blob), Nullable: true}, {Name: "typed_value", Type: Of(Varchar), Nullable: true}}}
	tags := VariantType(Field{Name: "typed_value", Type: ListOf(Field{Name: "element", Type: element}), Nullable: true})
	if tags.Name() != "VARIANT" || tags.Storage() != StoreNested || tags.IsNested() || tags.HasElements() {
		t.Errorf("%v has storage %d", tags, tags.Storage())
	}
	v := New(tags, 3)
	if len(v.Children) != 3 || v.Children[0].Len != 3 || v.Children[2].Children[0].Len != 0 {
		t.Error("the children are not metadata, value and a list")
	}
	if v := New(Of(Variant), 3); len(v.Children) != 0 || v.Len != 3 {
		t.Error("a VARIANT without fields has children")
	}
}

func TestIntegerType(t *testing.T) {
	for i, want := range []Kind{TinyInt, SmallInt, Integer, BigInt, UTinyInt, USmallInt, UInteger, UBigInt} {
		bits := 8 << (i % 4)
		got := IntegerType(bits, i >= 4)
		if got.Kind != want || got.Bits() != bits || got.IsUnsigned() != (i >= 4) {
			t.Errorf("%d bits: %v of %d", bits, got, got.Bits())
		}
	}
}
