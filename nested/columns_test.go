package nested

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// typeText is a type with a ? after nullable parts.
func typeText(t vector.Type, nullable bool) string {
	text := t.Kind.String()
	if t.IsNested() {
		var fields []string
		for _, f := range t.Fields {
			field := typeText(f.Type, f.Nullable)
			if t.Kind == vector.Struct {
				field = f.Name + " " + field
			}
			fields = append(fields, field)
		}
		text += "(" + strings.Join(fields, ", ") + ")"
	}
	if nullable {
		text += "?"
	}
	return text
}

// TestColumns has every example of LogicalTypes.md, "Nested Types", and what
// docs/contract.md says of groups.
func TestColumns(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"unannotated leaf", `repeated int32 num;`, "num LIST(INTEGER)"},
		{"unannotated group", `repeated group my_list { required int32 num; optional binary str (STRING); }`,
			"my_list LIST(STRUCT(num INTEGER, str VARCHAR?))"},
		{"list of nullable elements", `required group my_list (LIST) { repeated group list { optional binary element (STRING); } }`,
			"my_list LIST(VARCHAR?)"},
		{"nullable list", `optional group my_list (LIST) { repeated group list { required binary element (STRING); } }`,
			"my_list LIST(VARCHAR)?"},
		{"list of lists", `optional group array_of_arrays (LIST) { repeated group list { required group element (LIST) {
			repeated group list { required int32 element; } } } }`, "array_of_arrays LIST(LIST(INTEGER))?"},
		{"other names", `optional group my_list (LIST) { repeated group element { required binary str (STRING); }; }`,
			"my_list LIST(VARCHAR)?"},
		{"rule 1", `optional group my_list (LIST) { repeated int32 element; }`, "my_list LIST(INTEGER)?"},
		{"rule 2", `optional group my_list (LIST) { repeated group element { required binary str (STRING); required int32 num; }; }`,
			"my_list LIST(STRUCT(str VARCHAR, num INTEGER))?"},
		{"rule 3", `optional group my_list (LIST) { repeated group array (LIST) { repeated int32 array; }; }`,
			"my_list LIST(LIST(INTEGER))?"},
		{"rule 3, no annotation", `optional group my_list (LIST) { repeated group x { repeated int32 y; }; }`,
			"my_list LIST(STRUCT(y LIST(INTEGER)))?"},
		{"rule 4, array", `optional group my_list (LIST) { repeated group array { required binary str (STRING); }; }`,
			"my_list LIST(STRUCT(str VARCHAR))?"},
		{"rule 4, tuple", `optional group my_list (LIST) { repeated group my_list_tuple { required binary str (STRING); }; }`,
			"my_list LIST(STRUCT(str VARCHAR))?"},
		{"rule 5", `optional group my_list (LIST) { repeated group element { optional binary str (STRING); }; }`,
			"my_list LIST(VARCHAR?)?"},
		{"map", `required group my_map (MAP) { repeated group key_value { required binary key (STRING); optional int32 value; } }`,
			"my_map MAP(VARCHAR, INTEGER?)"},
		{"map of other names", `optional group my_map (MAP) { repeated group map { required binary str (STRING); required int32 num; } }`,
			"my_map MAP(VARCHAR, INTEGER)?"},
		{"MAP_KEY_VALUE", `optional group my_map (MAP_KEY_VALUE) { repeated group map { required binary key (STRING); optional int32 value; } }`,
			"my_map MAP(VARCHAR, INTEGER?)?"},
		{"MAP_KEY_VALUE within MAP", `optional group m (MAP) { repeated group map (MAP_KEY_VALUE) { required binary key (STRING); optional int32 value; } }`,
			"m MAP(VARCHAR, INTEGER?)?"},
		{"map without values", `optional group m (MAP) { repeated group key_value { required int32 key; } }`, "m MAP(INTEGER)?"},
		{"map of optional keys", `optional group m (MAP) { repeated group key_value { optional int32 key; repeated int32 value; } }`,
			"m MAP(INTEGER?, LIST(INTEGER))?"},
		{"repeated LIST", `repeated group l (LIST) { repeated int32 x; }`, "l LIST(LIST(INTEGER))"},
		{"malformed LIST", `optional group l (LIST) { optional int32 x; }`, "l.x INTEGER?\nl STRUCT(x INTEGER?)? group"},
		{"malformed MAP", `optional group m (MAP) { repeated group kv { required int32 a; required int32 b; required int32 c; } }`,
			"m.kv LIST(STRUCT(a INTEGER, b INTEGER, c INTEGER))?\nm STRUCT(kv LIST(STRUCT(a INTEGER, b INTEGER, c INTEGER)))? group"},
		{"groups", `required int64 id; optional group a { required int32 b; required group c { optional int32 d; repeated int32 e; } } required int32 z;`,
			"id BIGINT\na.b INTEGER?\na.c.d INTEGER?\na.c.e LIST(INTEGER)?\nz INTEGER\n" +
				"a STRUCT(b INTEGER, c STRUCT(d INTEGER?, e LIST(INTEGER)))? group\na.c STRUCT(d INTEGER?, e LIST(INTEGER))? group"},
		{"empty groups", `optional group a { } optional group b (LIST) { repeated group list { optional group element { } } } required int32 c;`,
			"c INTEGER"},
		{"variant", `optional group v (VARIANT) { required binary metadata; required binary value; }`, "v VARIANT?"},
		{"future group", `optional group f (FUTURE) { required int32 a; optional binary b (FUTURE); }`,
			"f.a INTEGER?\nf.b BLOB?\nf STRUCT(a INTEGER, b BLOB?)? group"},
		{"unknown", `required int32 u (UNKNOWN);`, "u NULL?"},
	} {
		if got := describe(t, parseSchema(t, c.schema)); strings.TrimSpace(got) != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestColumnLeaves(t *testing.T) {
	s := parseSchema(t, `required int32 a; optional group g { required int32 b; repeated group l { required int32 c; required int32 d; } }`)
	columns, _ := Columns(s, Options{})
	want := map[string][]int{"a": {0}, "g.b": {1}, "g.l": {2, 3}, "g": {1, 2, 3}}
	for _, c := range columns {
		w := want[c.Name]
		if len(c.Leaves) != len(w) || c.Leaves[0] != w[0] || c.Leaves[len(w)-1] != w[len(w)-1] {
			t.Errorf("%s: leaves %v, want %v", c.Name, c.Leaves, w)
		}
	}
}
