package nested

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// mapOf is one row of a MAP.
func mapOf(keys, values *vector.Vector) *vector.Vector {
	t := vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: keys.Type}}}
	children := []*vector.Vector{keys}
	if values != nil {
		t.Fields = append(t.Fields, vector.Field{Name: "value", Type: values.Type})
		children = append(children, values)
	}
	return &vector.Vector{Type: t, Len: 1, Offsets: []int32{0, int32(keys.Len)}, Children: children}
}

func ints(kind vector.Kind, values ...int64) *vector.Vector {
	return &vector.Vector{Type: vector.Of(kind), Len: len(values), I64: values}
}

func texts(values ...string) *vector.Vector {
	return &vector.Vector{Type: vector.Of(vector.Varchar), Len: len(values), Str: values}
}

func TestMapJSON(t *testing.T) {
	nullKey := ints(vector.Integer, 1, 2)
	nullKey.SetNull(1)
	for _, c := range []struct {
		v    *vector.Vector
		want string
	}{
		{mapOf(ints(vector.Integer, 1, 2), ints(vector.Integer, 3, 4)), `{"1":3,"2":4}`},
		{mapOf(ints(vector.Date, 0), ints(vector.Integer, 3)), `{"1970-01-01":3}`},
		{mapOf(texts("a", "b", "a"), ints(vector.Integer, 1, 2, 3)), `{"b":2,"a":3}`},
		{mapOf(texts("a", `"`), nil), `{"a":null,"\"":null}`},
		{mapOf(nullKey, texts("x", "y")), `{"1":"x","null":"y"}`},
		{mapOf(&vector.Vector{Type: vector.Of(vector.Boolean), Len: 1, Bool: []bool{true}}, nil), `{"true":null}`},
		{mapOf(mapOf(texts("k"), nil), nil), `{"{\"k\":null}":null}`},
	} {
		if got := string(AppendJSON(nil, c.v, 0)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	// Enough keys for an index; each of them occurs twice.
	var keys []string
	var values []int64
	for i := range 200 {
		keys, values = append(keys, strconv.Itoa(i%100)), append(values, int64(i))
	}
	var back map[string]int64
	text := AppendJSON(nil, mapOf(texts(keys...), ints(vector.BigInt, values...)), 0)
	if err := json.Unmarshal(text, &back); err != nil || len(back) != 100 || strings.Count(string(text), ":") != 100 {
		t.Fatal(err, string(text))
	}
	for k, v := range back {
		if fmt.Sprint(v-100) != k {
			t.Errorf("%s: %d", k, v)
		}
	}
}

// TestFormsJSON: constants and dictionaries, within lists too.
func TestFormsJSON(t *testing.T) {
	wide := vector.Scalar{Type: vector.TimestampType(vector.Wide, true), I128: vector.MulInt64(-1, 1)}
	entries := texts("x", "y")
	coded := &vector.Vector{Type: entries.Type, Form: vector.Dictionary, Len: 3, Codes: []int32{1, 0, 0}, Dict: entries}
	coded.SetNull(2)
	list := &vector.Vector{Type: vector.ListOf(vector.Field{Type: entries.Type}), Len: 2, Offsets: []int32{0, 3, 3}, Children: []*vector.Vector{coded}}
	list.SetNull(1)
	rendered := vector.Scalar{Type: vector.RenderedType(list.Type), Str: "[1]"}
	for _, c := range []struct {
		v    *vector.Vector
		row  int
		want string
	}{
		{vector.NewConstant(wide, 5), 4, `"1969-12-31T23:59:59.999999999Z"`},
		{vector.NewConstant(vector.NullOf(list.Type), 5), 4, "null"},
		{coded, 0, `"y"`}, {list, 0, `["y","x",null]`}, {list, 1, "null"},
		{vector.NewConstant(rendered, 2), 1, "[1]"},
		{vector.NewConstant(vector.NullOf(vector.Of(vector.Null)), 2), 1, "null"},
	} {
		if got := string(AppendJSON([]byte("-"), c.v, c.row)); got != "-"+c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
