package convert

import (
	"errors"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// TestOnlyNulls: a column whose type is NULL because its null counts say so has no value, or is
// corrupt, at any level.
func TestOnlyNulls(t *testing.T) {
	integers := func(valid ...bool) *vector.Vector {
		v := vector.New(vector.Of(vector.Integer), len(valid))
		for i, ok := range valid {
			s := vector.Scalar{Type: v.Type, I64: 7, Null: !ok}
			v.Set(i, s)
		}
		return v
	}
	within := func(field *vector.Vector) *vector.Vector {
		return &vector.Vector{Type: rowOf(field.Type), Len: field.Len, Children: []*vector.Vector{field}}
	}
	null, date := vector.Of(vector.Null), vector.Of(vector.Date)
	for _, c := range []struct {
		name     string
		from, to vector.Type
		v        *vector.Vector
		corrupt  bool
	}{
		{"NULLs", null, date, integers(false, false, false), false},
		{"a value", null, date, integers(false, false, true), true},
		{"no rows", null, date, integers(), false},
		{"all files are NULL", null, null, integers(false), false},
		{"all files are said to be NULL", null, null, integers(true), true},
		{"all files are said to be NULL in a STRUCT", rowOf(null), rowOf(null), within(integers(true)), true},
		{"NULLs in a STRUCT", rowOf(null), rowOf(date), within(integers(false, false)), false},
		{"a value in a STRUCT", rowOf(null), rowOf(date), within(integers(true, false)), true},
	} {
		converter, err := New(c.from, c.to)
		if err != nil {
			t.Fatal(err)
		}
		out, err := converter.Vector(c.v)
		var corrupt *errs.CorruptError
		switch {
		case c.corrupt != errors.As(err, &corrupt):
			t.Errorf("%s: %v", c.name, err)
		case err == nil && (!out.Type.Equal(c.to) || out.Len != c.v.Len):
			t.Errorf("%s: %d rows of %v", c.name, out.Len, out.Type)
		}
	}
}

func rowOf(t vector.Type) vector.Type {
	return vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "a", Type: t, Nullable: true}}}
}

// TestFieldsOfOneName: the n-th field of a name is the n-th in the other type too.
func TestFieldsOfOneName(t *testing.T) {
	of := func(kinds ...vector.Kind) vector.Type {
		out := vector.Type{Kind: vector.Struct}
		for _, k := range kinds {
			out.Fields = append(out.Fields, vector.Field{Name: "a", Type: vector.Of(k), Nullable: true})
		}
		return out
	}
	converter, err := New(of(vector.Integer, vector.Integer), of(vector.BigInt, vector.BigInt, vector.Varchar))
	if err != nil {
		t.Fatal(err)
	}
	one := func(n int64) *vector.Vector {
		return vector.NewConstant(vector.Scalar{Type: vector.Of(vector.Integer), I64: n}, 1)
	}
	out, err := converter.Vector(&vector.Vector{Type: of(vector.Integer, vector.Integer), Len: 1, Children: []*vector.Vector{one(1), one(2)}})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := out.Children[0].Get(0), out.Children[1].Get(0); a.I64 != 1 || b.I64 != 2 || !out.Children[2].IsNull(0) {
		t.Errorf("%v, %v, NULL %v", a.I64, b.I64, out.Children[2].IsNull(0))
	}
}

// TestMatched: fields are where a Match says, even where the names say something else, and have a
// default where the file does not have them.
func TestMatched(t *testing.T) {
	names := func(names ...string) vector.Type {
		out := vector.Type{Kind: vector.Struct}
		for _, name := range names {
			out.Fields = append(out.Fields, vector.Field{Name: name, Type: vector.Of(vector.Integer), Nullable: true})
		}
		return out
	}
	seven := vector.Scalar{Type: vector.Of(vector.Integer), I64: 7}
	file, table := names("a", "b"), names("a", "b", "c", "d")
	match := &Match{Fields: []FieldMatch{{At: 1}, {At: 0}, {At: -1, Default: &seven}, {At: -1}}}
	one := func(n int64) *vector.Vector {
		return vector.NewConstant(vector.Scalar{Type: vector.Of(vector.Integer), I64: n}, 1)
	}
	converter, err := Matched(file, table, match)
	if err != nil {
		t.Fatal(err)
	}
	out, err := converter.Vector(&vector.Vector{Type: file, Len: 1, Children: []*vector.Vector{one(1), one(2)}})
	if err != nil {
		t.Fatal(err)
	}
	if c := out.Children; c[0].Get(0).I64 != 2 || c[1].Get(0).I64 != 1 || c[2].Get(0).I64 != 7 || !c[3].IsNull(0) {
		t.Errorf("%v", c)
	}
	if got := Paths(file, table, match, []vector.Path{vector.FieldPath("b"), vector.FieldPath("d")}); got[0][0].Name != "a" {
		t.Errorf("b is read as %v", got)
	}
	swapped := &Match{Fields: []FieldMatch{{At: 1}, {At: 0}}}
	if converter, err = Matched(file, file, swapped); err != nil || converter.Identity() {
		t.Errorf("swapped fields of equal types: %v", err)
	}
}
