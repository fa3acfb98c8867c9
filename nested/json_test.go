package nested

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/vector"
)

func TestFloatJSON(t *testing.T) {
	for _, c := range []struct {
		f    float64
		bits int
		want string
	}{
		{math.NaN(), 64, `"NaN"`}, {math.Inf(1), 32, `"Infinity"`}, {math.Inf(-1), 64, `"-Infinity"`},
		{0, 64, "0"}, {math.Copysign(0, -1), 64, "-0"}, {100, 64, "100"}, {1e20, 64, "100000000000000000000"},
		{1e21, 64, "1e+21"}, {0.000001, 64, "0.000001"}, {1.5e-7, 64, "1.5e-07"}, {float64(float32(0.1)), 32, "0.1"},
		{math.MaxFloat64, 64, "1.7976931348623157e+308"}, {math.SmallestNonzeroFloat64, 64, "5e-324"},
		{math.MaxFloat32, 32, "3.4028235e+38"},
	} {
		got := string(appendFloatJSON(nil, c.f, c.bits))
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.f, got, c.want)
		}
		var back float64
		if c.want[0] != '"' && (json.Unmarshal([]byte(got), &back) != nil || c.bits == 64 && back != c.f) {
			t.Errorf("%s reads as %v", got, back)
		}
	}
}

func TestQuoted(t *testing.T) {
	for r := range rune(0x3000) {
		s := "a" + string(r) + "b" + string(r)
		var back string
		if err := json.Unmarshal(AppendQuoted(nil, s), &back); err != nil || back != s {
			t.Fatalf("%U: %v, %q", r, err, back)
		}
	}
	for _, s := range []string{"", "\xff", "a\xc3", "\xed\xa0\x80x", "\xf4\x90\x80\x80", "ok\xc0\xaf", "\x00\x1f\x7f", "😀\"\\"} {
		text := AppendQuoted(nil, s)
		var back string
		// encoding/json replaces bytes that are not UTF-8 by the same rule.
		if err := json.Unmarshal(text, &back); err != nil || !utf8.Valid(text) {
			t.Errorf("%q: %s, %v", s, text, err)
		}
		var want strings.Builder
		for _, r := range s {
			want.WriteRune(r)
		}
		if back != want.String() {
			t.Errorf("%q: %q, want %q", s, back, want.String())
		}
	}
}

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
