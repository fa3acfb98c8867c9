package aggregate

import (
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestKeptNested replaces values of groups until rows are dropped, and takes values of other groups and of its own.
func TestKeptNested(t *testing.T) {
	typ := vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.BigInt), Nullable: true})
	k, o := newKept(typ).(*keptNested), newKept(typ).(*keptNested)
	const groups = 300
	k.resize(groups)
	o.resize(groups)
	list := func(values ...int64) *vector.Vector {
		elements := vector.New(vector.Of(vector.BigInt), 0)
		offsets := []int32{0}
		for _, x := range values {
			one := vector.New(vector.Of(vector.BigInt), 1)
			one.I64[0] = x
			if err := elements.Append(one, nil); err != nil {
				t.Fatal(err)
			}
			offsets = append(offsets, int32(elements.Len))
		}
		v := vector.New(typ, 0)
		v.Len, v.Offsets, v.Children = len(values), offsets, []*vector.Vector{elements}
		return v
	}
	want := make([]int64, groups) // 0: no value
	check := func() {
		t.Helper()
		out := &vector.Vector{}
		if err := k.result(0, groups, out); err != nil {
			t.Fatal(err)
		}
		for g, w := range want {
			if got := out.Get(g); got.Null != (w == 0) || w != 0 && got.Nested.Children[0].I64[0] != w {
				t.Fatalf("group %d: %v, want %d", g, got, w)
			}
		}
	}
	check()
	x := int64(0)
	for range 100 {
		var values []int64
		var to []uint32
		var rows []int32
		for g := range groups {
			x++
			if x%7 == 0 {
				continue
			}
			values, to, rows = append(values, x), append(to, uint32(g)), append(rows, int32(len(rows)))
			want[g] = x
		}
		if err := k.set(to, list(values...), rows); err != nil {
			t.Fatal(err)
		}
	}
	if k.rows.Vec.Len > 2*groups+5*vector.BatchSize {
		t.Errorf("%d rows are kept of %d groups", k.rows.Vec.Len, groups)
	}
	check()
	if err := o.set([]uint32{5, 6}, list(-5, -6), []int32{0, 1}); err != nil {
		t.Fatal(err)
	}
	for _, take := range []struct {
		to   uint32
		from *keptNested
		of   uint32
		want int64
	}{{1, o, 5, -5}, {2, o, 6, -6}, {3, k, 2, -6}, {4, k, 3, -6}} {
		if err := k.take(take.to, take.from, take.of); err != nil {
			t.Fatal(err)
		}
		want[take.to] = take.want
	}
	check()
	if err := k.compact(); err != nil {
		t.Fatal(err)
	}
	check()
	if k.rows.Vec.Len > groups+1-2 {
		t.Errorf("%d rows are kept of %d groups, three of which have the same one", k.rows.Vec.Len, groups)
	}
}
