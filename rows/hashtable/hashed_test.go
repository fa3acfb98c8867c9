package hashtable

import (
	"context"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestSameHash gives keys the hashes of others: no bulk is made of two of them, and one is not found for another.
func TestSameHash(t *testing.T) {
	texts := func(list ...string) *vector.Vector {
		v := vector.New(vector.Of(vector.Varchar), len(list))
		copy(v.Str, list)
		return v
	}
	keys := []Key{{Type: vector.Of(vector.Varchar)}}
	build := func(list, hashed *vector.Vector) *bulk {
		k := &keyed{seed: NewSeed(), columns: []keyColumn{newKeyColumn(list.Type, []*vector.Vector{list})}}
		hashes := k.hash(keys, &vector.Batch{Len: hashed.Len, Cols: []*vector.Vector{hashed}})
		b, err := k.build(context.Background(), []vector.Batch{{Len: list.Len, Cols: []*vector.Vector{list}}}, []*vector.Vector{hashes}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if b := build(texts("a", "b", "a"), texts("a", "a", "a")); b != nil {
		t.Error("a and b have one hash")
	}
	b := build(texts("a", "b", "a"), texts("a", "c", "a"))
	f := keyedFinder{bulk: b, hasher: NewHasher(1, b.keyed.seed)}
	probe, ids := texts("c", "a", "b", "d"), make([]uint32, 4)
	if err := f.Find([]*vector.Vector{probe}, &vector.Batch{Len: 4, Cols: []*vector.Vector{probe}}, ids); err != nil {
		t.Fatal(err)
	}
	if want := []uint32{Missing, 0, Missing, Missing}; !slices.Equal(ids, want) {
		t.Errorf("found %d, want %d", ids, want)
	}
	m, err := addAll(context.Background(), keys, [][]*vector.Vector{{texts("x", "y", "x")}}, NewSeed())
	if err != nil || m.Distinct() != 2 {
		t.Errorf("%d keys, %v", m.Distinct(), err)
	}
}
