package expr_test

import (
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// nestedBatch has three rows:
//
//	xs  LIST(BIGINT)                 [1, NULL, 3]   []     NULL
//	ss  LIST(LIST(VARCHAR))          [[a], [b, c]]  [[]]   NULL
//	m   MAP(VARCHAR, BIGINT)         {k: 1, k: 2}   {z: 3} NULL
//	st  STRUCT(n BIGINT, xs LIST)    {7, [1, NULL, 3]}  {8, []}  NULL
func nestedBatch() (*vector.Batch, map[string]expr.Expr) {
	field := func(name string, t vector.Type) vector.Field {
		return vector.Field{Name: name, Type: t, Nullable: true}
	}
	list := func(child *vector.Vector, offsets ...int32) *vector.Vector {
		return &vector.Vector{Type: vector.ListOf(field("element", child.Type)), Len: len(offsets) - 1, Offsets: offsets, Children: []*vector.Vector{child}}
	}
	numbers := bigintVector(1, 0, 3)
	numbers.SetNull(1)
	xs := list(numbers, 0, 3, 3, 3)
	xs.SetNull(2)
	ss := list(list(varcharVector("a", "b", "c"), 0, 1, 3, 3), 0, 2, 3, 3)
	ss.SetNull(2)
	keys := varcharVector("k", "k", "z")
	m := &vector.Vector{Type: vector.Type{Kind: vector.Map, Fields: []vector.Field{field("key", keys.Type), field("value", vector.Of(vector.BigInt))}}, Len: 3,
		Offsets: []int32{0, 2, 3, 3}, Children: []*vector.Vector{keys, bigintVector(1, 2, 3)}}
	m.SetNull(2)
	st := &vector.Vector{Type: vector.Type{Kind: vector.Struct, Fields: []vector.Field{field("n", vector.Of(vector.BigInt)), field("xs", xs.Type)}}, Len: 3,
		Children: []*vector.Vector{bigintVector(7, 8, 0), xs}}
	st.SetNull(2)
	b, columns := &vector.Batch{Len: 3}, map[string]expr.Expr{}
	for _, c := range []struct {
		name string
		v    *vector.Vector
	}{{"xs", xs}, {"ss", ss}, {"m", m}, {"st", st}, {"i", bigintVector(1, 1, 1)}} {
		columns[c.name] = expr.NewColumn(len(b.Cols), c.name, c.v.Type)
		b.Cols = append(b.Cols, c.v)
	}
	return b, columns
}

func TestNested(t *testing.T) {
	for _, c := range []struct {
		sql  string
		want [3]string
	}{
		{"cardinality(xs)", [3]string{"3", "0", "NULL"}}, {"len(m)", [3]string{"2", "1", "NULL"}},
		{"contains(xs, 3)", [3]string{"true", "false", "NULL"}}, {"contains(xs, 4)", [3]string{"false", "false", "NULL"}}, {"contains(xs, 3.0)", [3]string{"true", "false", "NULL"}},
		{"contains(xs, 3.5)", [3]string{"false", "false", "NULL"}}, {"contains(xs, NULL)", [3]string{"NULL", "NULL", "NULL"}}, {"contains(xs, '3')", [3]string{"true", "false", "NULL"}}, {"NOT contains(xs, i)", [3]string{"false", "true", "NULL"}},
		{"contains(m, 'z')", [3]string{"false", "true", "NULL"}},
		{"element_at(xs, 1)", [3]string{"1", "NULL", "NULL"}}, {"element_at(xs, 2)", [3]string{"NULL", "NULL", "NULL"}}, {"element_at(xs, -1)", [3]string{"3", "NULL", "NULL"}}, {"element_at(xs, 0)", [3]string{"NULL", "NULL", "NULL"}},
		{"element_at(xs, i + 2)", [3]string{"3", "NULL", "NULL"}}, {"element_at(xs, 9223372036854775807)", [3]string{"NULL", "NULL", "NULL"}}, {"element_at(xs, -4)", [3]string{"NULL", "NULL", "NULL"}},
		{"element_at(ss, 2)", [3]string{"[\"b\",\"c\"]", "NULL", "NULL"}}, {"element_at(element_at(ss, 2), -1)", [3]string{"c", "NULL", "NULL"}}, {"element_at(m, 'k')", [3]string{"2", "NULL", "NULL"}}, {"element_at(m, NULL)", [3]string{"NULL", "NULL", "NULL"}},
		{"xs->'$[0]'", [3]string{"1", "NULL", "NULL"}}, {"xs->0 + 1", [3]string{"2", "NULL", "NULL"}}, {"xs->'$[-1]'", [3]string{"3", "NULL", "NULL"}}, {"xs->'$.a'", [3]string{"NULL", "NULL", "NULL"}}, {"xs->'$'", [3]string{"[1,null,3]", "[]", "NULL"}},
		{"ss->'$[1]'", [3]string{"[\"b\",\"c\"]", "NULL", "NULL"}}, {"ss->'$[1][1]'", [3]string{"c", "NULL", "NULL"}}, {"ss->>'$[0]'", [3]string{"[\"a\"]", "[]", "NULL"}}, {"m->'$.k'", [3]string{"2", "NULL", "NULL"}}, {"m->>'$.z'", [3]string{"NULL", "3", "NULL"}}, {"m->'k'", [3]string{"2", "NULL", "NULL"}},
		{"st->'$.n'", [3]string{"7", "8", "NULL"}}, {"st->'$.xs[2]'", [3]string{"3", "NULL", "NULL"}}, {"element_at(st, 'N')", [3]string{"7", "8", "NULL"}},
		{"map_keys(m)", [3]string{"[\"k\",\"k\"]", "[\"z\"]", "NULL"}}, {"map_values(m)", [3]string{"[1,2]", "[3]", "NULL"}}, {"cardinality(map_keys(m))", [3]string{"2", "1", "NULL"}},
		{"xs", [3]string{"[1,null,3]", "[]", "NULL"}}, {"m", [3]string{"{\"k\":2}", "{\"z\":3}", "NULL"}}, {"st", [3]string{"{\"n\":7,\"xs\":[1,null,3]}", "{\"n\":8,\"xs\":[]}", "NULL"}},
		{"CAST(xs AS VARCHAR)", [3]string{"[1,null,3]", "[]", "NULL"}}, {"xs = xs", [3]string{"true", "true", "NULL"}}, {"xs < ss", [3]string{}}, {"element_at(ss, 1) < element_at(ss, 2)", [3]string{"true", "NULL", "NULL"}},
		{"xs IS NULL", [3]string{"false", "false", "true"}}, {"xs IS NOT DISTINCT FROM xs", [3]string{"true", "true", "true"}}, {"to_json(st)->>'$.xs[2]'", [3]string{"3", "NULL", "NULL"}},
		{"CASE WHEN i = 1 AND cardinality(xs) > 0 THEN xs ELSE element_at(element_at(ss, 1), 1) END", [3]string{}},
		{"CASE WHEN cardinality(xs) > 0 THEN xs END", [3]string{"[1,null,3]", "NULL", "NULL"}},
		{"CASE cardinality(xs) WHEN 0 THEN map_values(m) ELSE xs END", [3]string{"[1,null,3]", "[3]", "NULL"}},
		{"element_at(CASE WHEN cardinality(xs) = 0 THEN map_values(m) ELSE xs END, 1)", [3]string{"1", "3", "NULL"}},
		{"CASE WHEN xs IS NULL THEN ss WHEN cardinality(xs) = 0 THEN ss END", [3]string{"NULL", "[[]]", "NULL"}},
		{"cardinality(coalesce(CASE WHEN cardinality(xs) = 0 THEN map_keys(m) END, map_keys(m)))", [3]string{"2", "1", "NULL"}},
		{"coalesce(NULL, st, st)", [3]string{"{\"n\":7,\"xs\":[1,null,3]}", "{\"n\":8,\"xs\":[]}", "NULL"}},
		{"coalesce(CASE WHEN i = 2 THEN st END, st)->'$.n'", [3]string{"7", "8", "NULL"}},
		{"nullif(xs, map_values(m))", [3]string{"[1,null,3]", "[]", "NULL"}},
		{"nullif(xs, xs)", [3]string{"NULL", "NULL", "NULL"}},
		{"if(cardinality(m) = 1, m, NULL)->'$.z'", [3]string{"NULL", "3", "NULL"}},
		{"cardinality(i)", [3]string{}}, {"st->'$.none'", [3]string{}}, {"contains(xs, DATE '2020-01-01')", [3]string{}}, {"xs + 1", [3]string{}}, {"upper(xs)", [3]string{"[1,NULL,3]", "[]", "NULL"}},
	} {
		b, columns := nestedBatch()
		e, err := readSQL(c.sql, columns, nil)
		if (err != nil) != (c.want == [3]string{}) {
			t.Errorf("%s: %v", c.sql, err)
		}
		if err != nil {
			continue
		}
		for _, sel := range [][]int32{nil, {0, 2}, {1}} {
			b.Sel = sel
			v, err := expr.NewEvaluator(expr.NewRender(e)).Eval(b)
			if err != nil {
				t.Errorf("%s: %v", c.sql, err)
				continue
			}
			for k := range b.Rows() {
				if got := valueText(v.Get(b.Row(k))); got != c.want[b.Row(k)] {
					t.Errorf("%s, rows %v: row %d = %s, want %s", c.sql, sel, b.Row(k), got, c.want[b.Row(k)])
				}
			}
		}
	}
}

// TestRenderTypes checks that a rendered type keeps its name, except that STRUCT
// becomes JSON.
func TestRenderTypes(t *testing.T) {
	_, columns := nestedBatch()
	for name, want := range map[string]vector.Kind{"xs": vector.List, "m": vector.Map, "st": vector.JSON, "i": vector.BigInt} {
		if got := expr.NewRender(columns[name]).Type(); got.Shown().Kind != want || got.Storage() == vector.StoreNested {
			t.Errorf("%s is rendered as %v", name, got)
		}
	}
}

func bigintVector(values ...int64) *vector.Vector {
	v := vector.New(vector.Of(vector.BigInt), len(values))
	copy(v.I64, values)
	return v
}

func varcharVector(values ...string) *vector.Vector {
	v := vector.New(vector.Of(vector.Varchar), len(values))
	copy(v.Str, values)
	return v
}
