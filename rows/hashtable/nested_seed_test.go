package hashtable

import (
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestListSeeds: hashes of lists of numbers differ with the seed, and do not where it is the same or there is none.
func TestListSeeds(t *testing.T) {
	list := vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.BigInt), Nullable: true})
	v := &vector.Vector{Type: list, Len: 3, Offsets: []int32{0, 2, 2, 3}, Children: []*vector.Vector{vector.New(vector.Of(vector.BigInt), 3)}}
	copy(v.Children[0].I64, []int64{1, 2, 1})
	hash := func(h *Hasher) (out [3]uint64) {
		h.Hash([]*vector.Vector{v}, &vector.Batch{Len: 3}, out[:])
		return out
	}
	seed := NewSeed()
	one, again, other := hash(NewHasher(1, seed)), hash(NewHasher(1, seed)), hash(NewHasher(1, NewSeed()))
	if one != again {
		t.Errorf("%x, then %x with the same seed", one, again)
	}
	for i := range one {
		if one[i] == other[i] {
			t.Errorf("list %d has %x with two seeds", i, one[i])
		}
	}
	if one, again := hash(NewStable(1)), hash(NewStable(1)); one != again {
		t.Errorf("%x, then %x without a seed", one, again)
	}
}
