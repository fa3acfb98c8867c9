package geoarrow

import (
	"encoding/hex"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

func structOf(names ...string) vector.Type {
	t := vector.Type{Kind: vector.Struct}
	for _, n := range names {
		t.Fields = append(t.Fields, vector.Field{Name: n, Type: vector.Of(vector.Double)})
	}
	return t
}

func listOf(t vector.Type) vector.Type { return vector.ListOf(vector.Field{Name: "element", Type: t}) }

func TestTypes(t *testing.T) {
	xy := structOf("x", "y")
	text := structOf("x", "y")
	text.Fields[1].Type = vector.Of(vector.Varchar)
	for _, c := range []struct {
		encoding string
		from     vector.Type
		want     bool
	}{
		{"point", xy, true}, {"point", structOf("y", "x", "m"), true}, {"point", listOf(vector.Of(vector.Double)), true},
		{"point", structOf("x"), false}, {"point", structOf("x", "y", "t"), false}, {"point", structOf("x", "z"), false},
		{"point", structOf("x", "x", "y"), false}, {"point", text, false}, {"point", listOf(xy), false},
		{"point", listOf(vector.Of(vector.Float)), false}, {"point", vector.Of(vector.Double), false},
		{"linestring", listOf(xy), true}, {"linestring", xy, false}, {"multipoint", listOf(xy), true},
		{"polygon", listOf(listOf(xy)), true}, {"polygon", listOf(xy), false}, {"multilinestring", listOf(listOf(xy)), true},
		{"multipolygon", listOf(listOf(listOf(xy))), true}, {"multipolygon", listOf(listOf(xy)), false},
		{"geometrycollection", xy, false}, {"WKB", vector.Of(vector.Blob), false}, {"", xy, false},
	} {
		if _, ok := NewEncoder(c.encoding, c.from, vector.Of(vector.Geometry)); ok != c.want {
			t.Errorf("%s of %v: got %t", c.encoding, c.from, ok)
		}
	}
}

// TestInterleaved compares with WKB put together by hand from ISO 13249-3.
func TestInterleaved(t *testing.T) {
	from := listOf(vector.Of(vector.Double))
	e, _ := NewEncoder("point", from, vector.Of(vector.Geometry))
	numbers := &vector.Vector{Type: vector.Of(vector.Double), Len: 10, F64: []float64{1, 2, 1, 2, 3, 1, 2, 3, 4, 1}}
	v := &vector.Vector{Type: from, Len: 6, Offsets: []int32{0, 2, 5, 9, 10, 10, 10}, Children: []*vector.Vector{numbers}}
	v.Valid = vector.Resize(v.Valid, 1)
	v.Valid[0] = 0b11111
	const one, two, three, four, nan = "000000000000f03f", "0000000000000040", "0000000000000840", "0000000000001040", "000000000000f87f"
	want := []string{
		"0101000000" + one + two, "01e9030000" + one + two + three, "01b90b0000" + one + two + three + four,
		"0101000000" + one + nan, "0101000000" + nan + nan,
	}
	var out vector.Vector
	e.Encode(v, &out)
	for i, w := range want {
		if got := hex.EncodeToString([]byte(out.Str[i])); got != w {
			t.Errorf("row %d: got %s, want %s", i, got, w)
		}
	}
	if !out.IsNull(5) || out.IsNull(4) || out.Len != 6 {
		t.Errorf("NULLs: %v", out.Valid)
	}
}
