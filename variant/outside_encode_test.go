package variant_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// TestNestedEncode casts nested values to VARIANT and decodes them again.
func TestNestedEncode(t *testing.T) {
	number := vector.Of(vector.BigInt)
	list := vector.ListOf(vector.Field{Type: number, Nullable: true})
	v := buildRows(columns("b", list, "a", number), []any{row{"b": []any{int64(1), nil}, "a": nil}, nil, row{"b": []any{}, "a": int64(3)}})
	var w variant.Writer
	var out vector.Vector
	if err := w.Encode(v, nil, v.Len, &out); err != nil {
		t.Fatal(err)
	}
	for i, want := range []any{map[string]any{"a": nil, "b": []any{int64(1), nil}}, missing, map[string]any{"a": int64(3), "b": []any{}}} {
		checkRow(t, "STRUCT", &out, i, want)
	}
}

// TestMapEncode: keys become names, of keys with one text the last counts.
func TestMapEncode(t *testing.T) {
	keys, values := vector.New(vector.Of(vector.Date), 3), vector.New(vector.Of(vector.BigInt), 3)
	copy(keys.I64, []int64{0, 1, 0})
	copy(values.I64, []int64{5, 6, 7})
	m := vector.New(vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: keys.Type}, {Name: "value", Type: values.Type}}}, 1)
	m.Offsets[1], m.Children = 3, []*vector.Vector{keys, values}
	var w variant.Writer
	var out vector.Vector
	if err := w.Encode(m, nil, m.Len, &out); err != nil {
		t.Fatal(err)
	}
	checkRow(t, "MAP", &out, 0, map[string]any{"1970-01-01": int64(7), "1970-01-02": int64(6)})
}

// TestLargeObjects has more fields, names and bytes than the narrow forms hold.
func TestLargeObjects(t *testing.T) {
	object := map[string]any{}
	for i := range 300 {
		object[strings.Repeat("n", i)] = strings.Repeat("v", i)
	}
	checkRoundTrip(t, object)
	checkRoundTrip(t, []any{strings.Repeat("long", 1<<16), strings.Repeat("x", 1<<24)})
}

func checkRoundTrip(t *testing.T, x any) {
	t.Helper()
	v := encoded(t, x, nil)
	if err := v.Check(); err != nil {
		t.Fatal(err)
	}
	if text := string(v.AppendJSON(nil)); text != modelText(t, x) {
		t.Fatalf("%.200s", text)
	}
}
