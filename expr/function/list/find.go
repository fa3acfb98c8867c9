package list

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// finder returns the index of the last element in [from, to) that equals row i of the
// key, or -1.
type finder func(list *vector.Vector, from, to int32, key *vector.Vector, i int32) int32

// findIn returns the finder for elements of type t.
func findIn(t vector.Type) finder {
	switch t.Storage() {
	case vector.StoreInt64:
		return findEqual[int64]
	case vector.StoreString:
		return findEqual[string]
	}
	return func(list *vector.Vector, from, to int32, key *vector.Vector, i int32) int32 {
		for e := to - 1; e >= from; e-- {
			if !list.IsNull(int(e)) && vector.Compare(list, int(e), key, int(i)) == 0 {
				return e
			}
		}
		return -1
	}
}

func findEqual[T int64 | string](list *vector.Vector, from, to int32, key *vector.Vector, i int32) int32 {
	want := kernel.Cell[T](key, i)
	if list.Form == vector.Flat {
		for e, v := range slices.Backward((*vector.Slice[T](list))[from:to]) {
			if v == want && !list.IsNull(int(from)+e) {
				return from + int32(e)
			}
		}
		return -1
	}
	for e := to - 1; e >= from; e-- {
		if !list.IsNull(int(e)) && kernel.Cell[T](list, e) == want {
			return e
		}
	}
	return -1
}
