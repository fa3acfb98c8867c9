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
		k := &keyed{seed: NewSeed(), columns: []keyColumn{newKeyColumn(keys[0], []*vector.Vector{list})}}
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

// TestPacked finds rows by texts that repeat and integers, without NULLs and with them.
func TestPacked(t *testing.T) {
	types := []vector.Type{vector.Of(vector.Varchar), vector.Of(vector.BigInt)}
	for _, nulls := range []bool{false, true} {
		for _, null := range []Equality{Equals, NotDistinct} {
			text, number := vector.New(types[0], 60), vector.New(types[1], 60)
			for i := range 60 {
				text.Str[i], number.I64[i] = string(rune('a'+i%6)), int64(i%10)-1000
				if nulls && i%7 == 0 {
					text.SetNull(i)
				}
				if nulls && i%11 == 0 {
					number.SetNull(i)
					number.I64[i] = 1 << 62 // what NULL has does not count
				}
			}
			keys := []Key{{types[0], null}, {types[1], null}}
			m, err := BuildMultimap(context.Background(), keys, [][]*vector.Vector{{text}, {number}}, NewSeed(), 2)
			if err != nil {
				t.Fatal(err)
			}
			if m.bulk == nil || m.bulk.keyed.packed == nil {
				t.Fatal("the keys are not packed")
			}
			cols, ids := []*vector.Vector{text, number}, make([]uint32, 60)
			if err := m.NewProbe().Find(cols, &vector.Batch{Len: 60, Cols: cols}, ids); err != nil {
				t.Fatal(err)
			}
			for i, id := range ids {
				var want, got []uint32
				for j := range 60 {
					if equalKeys(text, i, text, j) && equalKeys(number, i, number, j) && (null == NotDistinct || !text.IsNull(i) && !number.IsNull(i)) {
						want = append(want, uint32(j))
					}
				}
				if id != Missing {
					got = m.Rows(id, new([1]uint32))
				}
				if !slices.Equal(got, want) {
					t.Errorf("NULLs %v, %d: row %d finds %d, want %d", nulls, null, i, got, want)
				}
			}
		}
	}
}
