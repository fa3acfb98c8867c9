package kernel

import "github.com/parquetsql/parquetsql/vector"

// Finder returns the index of the last element in [from, to) that equals row i of the
// key, or -1.
type Finder func(list *vector.Vector, from, to int32, key *vector.Vector, i int32) int32

// FindIn returns the Finder for elements of type t.
func FindIn(t vector.Type) Finder {
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
	want := Cell[T](key, i)
	for e := to - 1; e >= from; e-- {
		if !list.IsNull(int(e)) && Cell[T](list, e) == want {
			return e
		}
	}
	return -1
}

// Cell is the value of row i of a vector of any form.
func Cell[T vector.Value](v *vector.Vector, i int32) T {
	switch v.Form {
	case vector.Constant:
		return (*vector.Slice[T](v))[0]
	case vector.Dictionary:
		return (*vector.Slice[T](v.Dict))[v.Codes[i]]
	}
	return (*vector.Slice[T](v))[i]
}
