package vector

import (
	"fmt"
	"testing"
)

// TestElementColumns compares names, types, nullability, paths and steps with
// values written by hand.
func TestElementColumns(t *testing.T) {
	inner := Type{Kind: Struct, Fields: []Field{{Name: "y", Type: Of(Varchar), Nullable: true}}}
	item := Type{Kind: Struct, Fields: []Field{{Name: "x", Type: Of(BigInt)}, {Name: "in", Type: inner}}}
	for _, c := range []struct {
		t    Type
		want []string
	}{
		{ListOf(Field{Name: "element", Type: Of(BigInt), Nullable: true}), []string{"item BIGINT true $[*] [0]"}},
		{ListOf(Field{Name: "element", Type: item, Nullable: true}), []string{
			"x BIGINT true $[*].x [0 0]", "in.y VARCHAR true $[*].in.y [0 1 0]",
			"item STRUCT(x BIGINT, in STRUCT(y VARCHAR)) true $[*] [0]", "in STRUCT(y VARCHAR) true $[*].in [0 1]",
		}},
		{Type{Kind: Map, Fields: []Field{{Name: "k", Type: Of(Varchar)}, {Name: "v", Type: inner}}}, []string{
			"key VARCHAR false $[key] [0]", "value.y VARCHAR true $[value].y [1 0]", "value STRUCT(y VARCHAR) false $[value] [1]",
		}},
	} {
		var got []string
		for _, e := range ElementColumns(c.t) {
			got = append(got, fmt.Sprint(e.Name, " ", e.Type, " ", e.Nullable, " ", e.Path, " ", e.Steps))
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.t, got, c.want)
		}
	}
}
