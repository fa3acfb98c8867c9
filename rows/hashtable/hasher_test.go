package hashtable

import (
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/parquetsql/parquetsql/vector"
)

// TestStable: hashes that divide rows among machines stay what they are from version to version, for
// machines may be of two. Those of texts are XXH64, those of numbers are Mix.
func TestStable(t *testing.T) {
	text, number := vector.New(vector.Of(vector.Varchar), 2), vector.New(vector.Of(vector.BigInt), 2)
	copy(text.Str, []string{"a", ""})
	copy(number.I64, []int64{7, -1})
	number.SetNull(1)
	b := &vector.Batch{Len: 2, Cols: []*vector.Vector{text, number}}
	one, both := make([]uint64, 2), make([]uint64, 2)
	NewStable(1).Hash(b.Cols[:1], b, one)
	NewStable(2).Hash(b.Cols, b, both)
	if one[0] != 0xd24ec4f1a98c6e5b || one[0] != xxhash.Sum64String("a") || one[1] != 0xef46db3751d8e999 { // those of XXH64's authors
		t.Errorf("%x", one)
	}
	if want := Combine(Combine(0, one[0]), Mix(7)); both[0] != want {
		t.Errorf("%x, want %x", both[0], want)
	}
	if want := Combine(Combine(0, one[1]), nullHash); both[1] != want {
		t.Errorf("%x, want %x", both[1], want)
	}
}
