package hashtable

import (
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestLayoutsOfDescendingKeys: rows are packed again seldom, also where no integer is much less than the keys.
func TestLayoutsOfDescendingKeys(t *testing.T) {
	for _, least := range []int64{math.MinInt64, math.MinInt64 + 1000, -1 << 62, -5, math.MaxInt64 - 30_000} {
		m := newMulti([]vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Integer)}, NewSeed(), true)
		const rows, batches = 20, 1000
		layouts, last := 0, m.ints
		all := make([]*vector.Vector, 2)
		for c := range all {
			all[c] = vector.New(m.cols[c].typ, rows*batches)
		}
		for i := range rows * batches {
			all[0].I64[i], all[1].I64[i] = least+int64(rows*batches-1-i), int64(i%3)
		}
		for from := 0; from < rows*batches; from += rows {
			var keys [2]vector.Vector
			keys[0].Slice(all[0], from, rows)
			keys[1].Slice(all[1], from, rows)
			ids := make([]uint32, rows)
			if err := m.FindOrInsert([]*vector.Vector{&keys[0], &keys[1]}, &vector.Batch{Len: rows}, ids); err != nil {
				t.Fatal(err)
			}
			for i, id := range ids {
				if id != uint32(from+i) {
					t.Fatalf("from %d: row %d has the id %d", least, from+i, id)
				}
			}
			if m.ints != last {
				layouts, last = layouts+1, m.ints
			}
		}
		if m.rows != nil || layouts == 0 || layouts > batches/4 {
			t.Errorf("from %d: packed %d times for %d batches", least, layouts, batches)
		}
		var key vector.Vector
		if err := m.keys(0, []uint32{0, rows*batches - 1}, &key); err != nil {
			t.Fatal(err)
		}
		if key.I64[0] != least+rows*batches-1 || key.I64[1] != least {
			t.Errorf("from %d: keys %v", least, key.I64)
		}
	}
}

// TestLayoutsOfGrowingKeys: of numbers of rows the field grows faster than they do, and rows that were packed again are found.
func TestLayoutsOfGrowingKeys(t *testing.T) {
	m := newMulti([]vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Integer), vector.Of(vector.Varchar)}, NewSeed(), true)
	const rows, batches = 500, 200
	layouts, last := 0, m.ints
	batch := func(from int) ([]*vector.Vector, *vector.Batch) {
		keys := []*vector.Vector{vector.New(m.cols[0].typ, rows), vector.New(m.cols[1].typ, rows), vector.New(m.cols[2].typ, rows)}
		for i := range rows {
			row := from + i
			keys[0].I64[i], keys[1].I64[i], keys[2].Str[i] = int64(row)*3, int64(row%1000), string(rune('a'+row%7))
			if row%11 == 0 {
				keys[1].SetNull(i)
			}
			if row%13 == 0 {
				keys[0].SetNull(i)
			}
		}
		return keys, &vector.Batch{Len: rows, Cols: keys}
	}
	want := make([]uint32, rows*batches)
	for pass := range 2 {
		for from := 0; from < rows*batches; from += rows {
			keys, b := batch(from)
			ids := make([]uint32, rows)
			if err := m.FindOrInsert(keys, b, ids); err != nil {
				t.Fatal(err)
			}
			if pass == 0 {
				copy(want[from:], ids)
			}
			for i, id := range ids {
				if id != want[from+i] {
					t.Fatalf("row %d has the id %d, and had %d", from+i, id, want[from+i])
				}
			}
			if m.ints != last {
				layouts, last = layouts+1, m.ints
			}
		}
	}
	if m.rows != nil || layouts == 0 || layouts > 4 {
		t.Errorf("packed %d times", layouts)
	}
	different := map[[3]any]bool{}
	for row := range rows * batches {
		key := [3]any{row * 3, row % 1000, row % 7}
		if row%11 == 0 {
			key[1] = nil
		}
		if row%13 == 0 {
			key[0] = nil
		}
		different[key] = true
	}
	if m.Len() != len(different) {
		t.Errorf("%d keys, want %d", m.Len(), len(different))
	}
}
