package hashtable

import (
	"fmt"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestChange: keys that are all different at first change the table, but for short rows with less than two texts, and have the
// ids and hashes that they had.
func TestChange(t *testing.T) {
	texts := []vector.Type{vector.Of(vector.Varchar), vector.Of(vector.Double), vector.Of(vector.Varchar)}
	var wide []vector.Type
	for range 70 {
		wide = append(wide, vector.Of(vector.Integer))
	}
	numbers := []vector.Type{vector.Of(vector.Double), vector.Of(vector.Double)}
	for i, types := range [][]vector.Type{texts, wide, {vector.Of(vector.Null), vector.Of(vector.Varchar), vector.Of(vector.Varchar)}, texts[:2], numbers} {
		changes := i < 3
		seed := NewSeed()
		table := New(types, seed, false).(*joint)
		batch := func(from, n int) *vector.Batch {
			b := &vector.Batch{Len: n}
			for c, typ := range types {
				v := vector.New(typ, n)
				for i := range n {
					switch x := from + i; {
					case typ.Kind == vector.Null:
					case x%5 == 0 && c%2 == 0:
						v.SetNull(i)
					case typ.Kind == vector.Varchar:
						v.Str[i] = fmt.Sprint("text ", x)
					case typ.Kind == vector.Double:
						v.F64[i] = float64(x) * 1e100
					default:
						v.I64[i] = int64(x) << 20
					}
				}
				b.Cols = append(b.Cols, v)
			}
			return b
		}
		check := func(from, n int) {
			b, ids := batch(from, n), make([]uint32, n)
			if err := table.FindOrInsert(b.Cols, b, ids); err != nil {
				t.Fatal(err)
			}
			found := make([]uint32, n)
			if err := table.NewFinder().Find(b.Cols, b, found); err != nil {
				t.Fatal(err)
			}
			hashes, want := make([]uint64, n), make([]uint64, n)
			table.Hashes(ids, hashes)
			NewHasher(len(types), seed).Hash(b.Cols, b, want)
			out := make([]*vector.Vector, len(types))
			for c := range out {
				out[c] = &vector.Vector{}
			}
			if err := table.Keys(ids, out); err != nil {
				t.Fatal(err)
			}
			for i, id := range ids {
				if id != uint32(from+i) || found[i] != id || hashes[i] != want[i] {
					t.Fatalf("row %d has the id %d, found as %d, hash %x, want %x", from+i, id, found[i], hashes[i], want[i])
				}
				for c, v := range out {
					if !equalKeys(v, i, b.Cols[c], i) {
						t.Fatalf("key %d has another value in column %d", id, c)
					}
				}
			}
		}
		step := firstRows / 4
		for from := 0; from < 3*firstRows; from += step {
			check(from, step)
			if changed := table.all != nil; changed != (changes && from+step >= firstRows) {
				t.Fatalf("%v: after %d rows changed is %v", types[0], from+step, changed)
			}
		}
		check(0, 2*step)
		if table.Len() != 3*firstRows || table.Bytes() == 0 {
			t.Fatalf("%d keys, want %d", table.Len(), 3*firstRows)
		}
	}
}

// TestChangeCollision: two of the first keys, a long way from each other, have one slot and one upper half of their hashes. All keys
// have the ids that they had.
func TestChangeCollision(t *testing.T) {
	const cols = 33 // they fill more than 63 bits
	value := func(c int, x int64) int64 {
		if c < cols-1 {
			return int64(c+1) << 50
		}
		return x << 20
	}
	var h uint64
	for c := range cols - 1 {
		h = Combine(h, Mix(uint64(value(c, 0))))
	}
	const n = 20 << 20
	type kv struct {
		key uint64
		x   int64
	}
	all := make([]kv, n)
	for x := range all {
		f := Combine(h, Mix(uint64(value(cols-1, int64(x)))))
		all[x] = kv{f>>32<<13 | f&(1<<13-1), int64(x)}
	}
	slices.SortFunc(all, func(a, b kv) int {
		if a.key < b.key {
			return -1
		}
		if a.key > b.key {
			return 1
		}
		return 0
	})
	var x, y int64 = -1, -1
	for i := 1; i < n; i++ {
		if all[i].key == all[i-1].key {
			x, y = all[i-1].x, all[i].x
			break
		}
	}
	all = nil
	if x < 0 {
		t.Fatal("no pair")
	}
	var types []vector.Type
	for range cols {
		types = append(types, vector.Of(vector.BigInt))
	}
	table := New(types, NewSeed(), false)
	xs := make([]int64, firstRows)
	next := int64(1 << 30)
	for i := range xs {
		xs[i] = next
		next++
	}
	xs[0], xs[firstRows/4*3] = x, y
	batch := func(xs []int64) *vector.Batch {
		b := &vector.Batch{Len: len(xs)}
		for c := range cols {
			v := vector.New(types[c], len(xs))
			for i, x := range xs {
				v.I64[i] = value(c, x)
			}
			b.Cols = append(b.Cols, v)
		}
		return b
	}
	ids := make([]uint32, firstRows)
	for from := 0; from < firstRows; from += firstRows / 4 {
		b := batch(xs[from : from+firstRows/4])
		if err := table.FindOrInsert(b.Cols, b, ids[from:from+firstRows/4]); err != nil {
			t.Fatal(err)
		}
	}
	again := make([]uint32, firstRows)
	b := batch(xs)
	if err := table.FindOrInsert(b.Cols, b, again); err != nil {
		t.Fatal(err)
	}
	bad := 0
	for i := range ids {
		if ids[i] != again[i] {
			if bad++; bad < 3 {
				t.Errorf("row %d had id %d, now %d", i, ids[i], again[i])
			}
		}
	}
}
