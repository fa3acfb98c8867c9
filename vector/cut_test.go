package vector_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestCut divides rows by the length of their texts, which have lengths of 1 to 4 in
// all forms of a vector.
func TestCut(t *testing.T) {
	texts := func() *vector.Vector {
		v := vector.New(vector.Of(vector.Varchar), 4)
		for i := range v.Str {
			v.Str[i] = strings.Repeat("x", i+1)
		}
		return v
	}
	coded := &vector.Vector{Type: vector.Of(vector.Varchar), Form: vector.Dictionary, Len: 4, Dict: texts(), Codes: []int32{3, 3, 0, 1}}
	gaps, codedGaps := texts(), *coded
	gaps.SetNull(3)
	codedGaps.SetNull(0)
	for _, k := range []struct {
		name  string
		v     *vector.Vector
		sel   []int32
		bytes []int64 // of each part
	}{
		{"flat", texts(), nil, []int64{3, 3, 4}},
		{"flat, selected", texts(), []int32{0, 3}, []int64{1, 4}},
		{"with NULLs", gaps, nil, []int64{3, 3}},
		{"dictionary", coded, nil, []int64{4, 4, 3}},
		{"dictionary, selected", coded, []int32{2, 3}, []int64{3}},
		{"dictionary with NULLs", &codedGaps, nil, []int64{4, 3}},
		{"constant", vector.NewConstant(vector.StringScalar("abc"), 4), []int32{1, 2}, []int64{3, 3}},
		{"numbers", vector.New(vector.Of(vector.BigInt), 4), nil, []int64{0}},
	} {
		b, at := vector.Batch{Len: 4, Sel: k.sel, Cols: []*vector.Vector{k.v}}, 0
		err := vector.Cut(&b, 4, func(part *vector.Batch, bytes int64) error {
			if at >= len(k.bytes) || bytes != k.bytes[at] {
				t.Errorf("%s: part %d has %d bytes, want %v", k.name, at, bytes, k.bytes)
			}
			at++
			return nil
		})
		if err != nil || at != len(k.bytes) {
			t.Errorf("%s: %d parts, %v", k.name, at, err)
		}
	}
}

// TestLongest: texts are short if the longest entry is, even for all rows, or if the texts of
// the rows are. Another dictionary has another longest entry.
func TestLongest(t *testing.T) {
	coded := func(entries ...string) *vector.Vector {
		dict := vector.New(vector.Of(vector.Varchar), len(entries))
		copy(dict.Str, entries)
		return &vector.Vector{Type: dict.Type, Form: vector.Dictionary, Len: 3, Dict: dict, Codes: []int32{0, 0, 0}}
	}
	flat := vector.New(vector.Of(vector.Varchar), 3)
	copy(flat.Str, []string{"1234", "", "1"})
	gaps := vector.New(vector.Of(vector.Varchar), 3)
	copy(gaps.Str, []string{"1234", "of a NULL", "12"})
	gaps.SetNull(1)
	fields := func(children ...*vector.Vector) *vector.Vector {
		t := vector.Type{Kind: vector.Struct}
		for _, c := range children {
			t.Fields = append(t.Fields, vector.Field{Name: "f", Type: c.Type, Nullable: true})
		}
		return &vector.Vector{Type: t, Len: 3, Children: children}
	}
	list := &vector.Vector{
		Type: vector.ListOf(vector.Field{Name: "element", Type: gaps.Type, Nullable: true}), Len: 3, Offsets: []int32{0, 0, 1, 3}, Children: []*vector.Vector{coded("12")},
	}
	var l vector.Longest
	for _, k := range []struct {
		v    *vector.Vector
		sel  []int32
		want bool
	}{
		{coded("a", "bc"), nil, true},
		{coded("a", "bcd"), nil, false},
		{coded("a", "bcd"), []int32{0, 1}, true},
		{flat, nil, true},
		{coded("abcdef"), []int32{1}, true},
		{coded("abcdefg"), []int32{1}, false},
		{vector.NewConstant(vector.StringScalar("abc"), 3), nil, false},
		{vector.New(vector.Of(vector.BigInt), 3), nil, true},
		{gaps, nil, true},
		{gaps, []int32{0, 1, 2}, true},
		{fields(gaps, vector.New(vector.Of(vector.BigInt), 3)), nil, true},
		{fields(coded("12"), coded("")), nil, true},
		{fields(coded("1"), coded("12")), nil, false},
		{fields(coded("1"), fields(coded("1"))), nil, true},
		{fields(coded("123")), []int32{0, 1}, true},
		{list, nil, true},
		{fields(list), nil, true},
		{fields(list, coded("1")), nil, false},
	} {
		b := vector.Batch{Len: 3, Sel: k.sel, Cols: []*vector.Vector{k.v}}
		if got := l.Within(&b, 6); got != k.want {
			t.Errorf("%v of %v: %v, want %v", k.sel, k.v, got, k.want)
		}
	}
	two := vector.Batch{Len: 3, Cols: []*vector.Vector{coded("a", "b"), coded("cd")}}
	if l.Within(&two, 8) || !l.Within(&two, 9) {
		t.Error("the columns are not added up")
	}
}
