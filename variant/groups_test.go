package variant

import (
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestGroups: primitive values are in the group of their natural type, in the order of
// their rows; objects and arrays, NULL and the Variant null are in none.
func TestGroups(t *testing.T) {
	var w Writer
	b := &w.Builder
	add := func(f func()) {
		b.Reset(nil)
		f()
		if err := w.AppendBuilt(); err != nil {
			t.Fatal(err)
		}
	}
	wide := vector.Int128{Hi: 1}
	adds := []func(){
		func() { b.Bool(true) }, func() { b.Bool(false) }, func() { b.Int(1) }, func() { b.Int(-300) }, func() { b.Int(1 << 20) }, func() { b.Int(1 << 40) },
		func() { b.Double(0.5) }, func() { b.Float(1.5) }, func() { b.Decimal(vector.Int128From(125), 2) }, func() { b.Decimal(wide, 2) },
		func() { b.Date(3) }, func() { b.Long(Timestamp, 4) }, func() { b.Long(TimestampNTZ, 5) }, func() { b.Long(TimestampNanos, 6) },
		func() { b.Long(TimestampNTZNanos, 7) }, func() { b.Long(TimeNTZ, 8) }, func() { b.String("short") },
		func() { b.String(string(make([]byte, 100))) }, func() { b.Binary("x") }, func() { b.UUID("0123456789abcdef") },
	}
	for range 2 {
		for _, f := range adds {
			add(f)
		}
	}
	add(func() { b.Null() })
	add(func() { b.JSON("[1]") })
	add(func() { b.JSON("{}") })
	w.AppendNull()
	var v vector.Vector
	w.Finish(&v)

	groups, containers, err := NaturalGroups(&v, rows(v.Len))
	if err != nil || !slices.Equal(containers, []int32{41, 42}) {
		t.Fatal(containers, err)
	}
	found := 0
	for _, g := range groups {
		if len(g.Rows) != g.Values.Len || !slices.IsSorted(g.Rows) || g.Values.MayHaveNulls() {
			t.Errorf("%s: rows %v, %d values", g.Values.Type, g.Rows, g.Values.Len)
		}
		found += len(g.Rows)
		for i, row := range g.Rows {
			x, _ := Get(&v, int(row))
			want, _, err := x.Scalar()
			if got := g.Values.Get(i); err != nil || !got.Type.Equal(want.Type) || got.Compare(&want) != 0 {
				t.Errorf("row %d: %v of type %s, want %v of type %s", row, got, got.Type, want, want.Type)
			}
		}
	}
	if found != 40 || len(groups) != 18 {
		t.Errorf("%d rows, %d groups", found, len(groups))
	}
}

// rows lists the numbers of n rows.
func rows(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}
