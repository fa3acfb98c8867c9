package rowstore

import (
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

func TestAppend(t *testing.T) {
	c := NewColumn(vector.Of(vector.Varchar))
	flat := vector.New(vector.Of(vector.Varchar), 3)
	copy(flat.Str, []string{"a", "b", "c"})
	add(t, c.Append(flat, nil))
	flat.SetNull(1)
	add(t, c.Append(flat, []int32{1, 2}))
	add(t, c.Append(vector.NewConstant(vector.StringScalar("k"), 2), nil))
	add(t, c.Append(vector.NewConstant(vector.NullOf(vector.Of(vector.Null)), 70), nil))
	dict := &vector.Vector{Type: flat.Type, Form: vector.Dictionary, Len: 2, Codes: []int32{1, 0}, Dict: vector.New(flat.Type, 2)}
	copy(dict.Dict.Str, []string{"x", "y"})
	add(t, c.Append(dict, nil))
	fill(flat.Str, "poison") // the column keeps nothing of the vector
	got := ""
	for i := range c.Vec.Len {
		if s := c.Vec.Get(i); !s.Null {
			got += s.Str
		} else {
			got += "."
		}
	}
	want := "abc" + ".c" + "kk" + fmt.Sprintf("%070d", 0) + "yx"
	if len(got) != len(want) || got[:7] != want[:7] || got[77:] != "yx" || got[40] != '.' {
		t.Errorf("column is %s", got)
	}
	if c.Bytes() <= 0 || c.StringBytes() <= 0 {
		t.Error("no bytes are counted")
	}
	c.Reset()
	add(t, c.Append(dict, nil))
	if c.Vec.Len != 2 || c.Vec.MayHaveNulls() || c.Vec.Str[0] != "y" {
		t.Errorf("after Reset: %+v", c.Vec)
	}
}

func add(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fill(s []string, v string) {
	for i := range s {
		s[i] = v
	}
}

// TestNested appends lists of structs, NULLs that have no children among them.
func TestNested(t *testing.T) {
	point := vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "x", Type: vector.Of(vector.BigInt), Nullable: true}}}
	list := vector.ListOf(vector.Field{Name: "e", Type: point, Nullable: true})
	x := vector.New(vector.Of(vector.BigInt), 3)
	copy(x.I64, []int64{10, 11, 12})
	points := &vector.Vector{Type: point, Len: 3, Children: []*vector.Vector{x}}
	points.SetNull(1)
	v := &vector.Vector{Type: list, Len: 2, Offsets: []int32{0, 1, 3}, Children: []*vector.Vector{points}}

	c := NewColumn(list)
	add(t, c.Append(v, []int32{1}))
	add(t, c.Append(vector.NewConstant(vector.NullOf(list), 2), nil))
	add(t, c.Append(v, nil))
	if got := fmt.Sprint(c.Vec.Len, c.Vec.Offsets, c.Vec.Children[0].Children[0].I64); got != "5 [0 2 2 2 3 5] [11 12 10 11 12]" {
		t.Errorf("the column is %s", got)
	}
	inner := c.Vec.Children[0]
	for i, null := range []bool{true, false, false, true, false} {
		if inner.IsNull(i) != null {
			t.Errorf("element %d: NULL %v", i, inner.IsNull(i))
		}
	}
	structs := NewColumn(point)
	add(t, structs.Append(vector.NewConstant(vector.NullOf(point), 2), nil))
	add(t, structs.Append(points, []int32{2}))
	if got := structs.Vec.Children[0]; got.Len != 3 || !got.IsNull(0) || got.I64[2] != 12 {
		t.Errorf("the struct's field is %+v", got)
	}
}
