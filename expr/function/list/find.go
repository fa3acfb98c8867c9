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
	if list.Form == vector.Dictionary {
		values := *vector.Slice[T](list.Dict)
		for e, code := range slices.Backward(list.Codes[from:to]) {
			if values[code] == want && !list.IsNull(int(from)+e) {
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

// containing are the rows whose lists have one key, if that is the same for all; else it is false.
func containing(list, key *vector.Vector, rows, into []int32) ([]int32, bool) {
	child := list.Children[0]
	if list.Form == vector.Constant || child.Form == vector.Constant || key.Form != vector.Constant {
		return nil, false
	}
	switch child.Type.Storage() {
	case vector.StoreInt64:
		return containingKey[int64](list, child, key, rows, into)
	case vector.StoreString:
		return containingKey[string](list, child, key, rows, into)
	}
	return nil, false
}

func containingKey[T int64 | string](list, child, key *vector.Vector, rows, into []int32) ([]int32, bool) {
	want := kernel.Cell[T](key, 0)
	if child.Form == vector.Flat {
		return containingOne(list, child, *vector.Slice[T](child), want, rows, into), true
	}
	values := *vector.Slice[T](child.Dict)
	if len(values) > len(rows) {
		return nil, false
	}
	code := slices.Index(values, want)
	switch {
	case code < 0:
		return into[:0], true
	case slices.Contains(values[code+1:], want): // under several numbers
		return nil, false
	}
	return containingOne(list, child, child.Codes, int32(code), rows, into), true
}

// containingOne looks through the elements of all rows, or their codes, and then for the rows of those that it
// has found: the lengths of lists are as random as what is in them.
func containingOne[T int64 | int32 | string](list, child *vector.Vector, values []T, want T, rows, into []int32) []int32 {
	offsets := list.Offsets
	from, to, at, k := offsets[rows[0]], offsets[rows[len(rows)-1]+1], 0, 0
	for i, v := range values[from:to] {
		if v != want || child.IsNull(int(from)+i) {
			continue
		}
		e := from + int32(i)
		for at < len(rows) && offsets[rows[at]+1] <= e {
			at++
		}
		if at < len(rows) && offsets[rows[at]] <= e {
			into[k] = rows[at]
			k, at = k+1, at+1
		}
	}
	return into[:k]
}
