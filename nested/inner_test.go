package nested

import (
	"testing"
)

// TestInner: paths in a column's type lead to leaves of the file. The names of the
// file's groups on the way do not matter.
func TestInner(t *testing.T) {
	s := parseSchema(t, `
		required int64 id;
		optional group xs (LIST) { repeated group bag { optional int32 array_element; } }
		repeated group items { required binary sku (STRING); optional group at { required int32 x; required int32 y; }
			repeated int32 parts; optional int32 twice; optional int64 twice; }
		optional group m (MAP) { repeated group kv { required binary a (STRING); optional group b (LIST) { repeated group list { required double element; } } } }
		repeated group vs { optional group v (VARIANT) { required binary metadata; required binary value; } }
		optional group us (LIST) { repeated group list { optional int32 element (UNKNOWN); } }`)
	columns, err := Columns(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]Column{}
	for _, c := range columns {
		byName[c.Name] = c
	}
	for _, c := range []struct{ column, path, leaf, typ string }{
		{"xs", "*", "xs.bag.array_element", "INTEGER"},
		{"items", "* sku", "items.sku", "VARCHAR"},
		{"items", "* at y", "items.at.y", "INTEGER"},
		{"items", "* parts *", "items.parts", "INTEGER"},
		{"m", "<key>", "m.kv.a", "VARCHAR"},
		{"m", "<value> *", "m.kv.b.list.element", "DOUBLE"},
		{"us", "*", "us.list.element", "NULL"},
		// What the file does not have.
		{"items", "* none", "absent", ""},
		{"items", "* at z", "absent", ""},
		{"us", "* a", "absent", ""},
		// What the file has, but not as one leaf.
		{"items", "*", "", "STRUCT"},
		{"items", "* at", "", "STRUCT"},
		{"items", "* parts", "", "LIST"},
		{"items", "* twice", "", "STRUCT"},
		{"vs", "* v", "", "VARIANT"},
		{"vs", "* v value", "", "VARIANT"},
		{"xs", "* a", "", "INTEGER"},
	} {
		got, ok := Inner(byName[c.column], Options{}, path(c.path))
		switch {
		case !ok || c.leaf == "absent":
			if ok || c.leaf != "absent" {
				t.Errorf("%s %s: %+v", c.column, c.path, got)
			}
		case got.Type.Kind.String() != c.typ || !got.Nullable || len(got.Leaves) > 1 || (len(got.Leaves) == 1) != (c.leaf != ""):
			t.Errorf("%s %s: %+v", c.column, c.path, got)
		case c.leaf != "" && s.Leaves[got.Leaves[0]].Dotted() != c.leaf:
			t.Errorf("%s %s: leaf %s", c.column, c.path, s.Leaves[got.Leaves[0]].Dotted())
		}
	}
}
