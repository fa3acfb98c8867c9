package kernel

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// sameStructs is the predicate = or <> for STRUCTs. Field by field, it looks at the rows whose fields before
// are equal: a loop for each type instead of a comparison of values of any type for each row. Fields
// that are NULL are equal.
func sameStructs(op scalar.Op) Predicate {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, b, listed := sideOf(args[0]), sideOf(args[1]), Listed(rows, n)
		if op == scalar.OpEq {
			return sameFields(a, b, into[:copy(into, listed)]), nil
		}
		equal := sameFields(a, b, slices.Clone(listed))
		k := 0
		for _, i := range listed {
			if len(equal) > 0 && equal[0] == i {
				equal = equal[1:]
				continue
			}
			into[k] = i
			k++
		}
		return into[:k], nil
	}
}

// side is one operand: row i is row i & mask of the vector.
type side struct {
	v    *vector.Vector
	mask int32
}

func sideOf(v *vector.Vector) side {
	if v.Form == vector.Constant {
		return side{v, 0}
	}
	return side{v, -1}
}

// sameFields keeps the rows whose fields are all equal, in their memory.
func sameFields(a, b side, rows []int32) []int32 {
	for c, x := range a.v.Children {
		rows = sameValues(side{x, a.mask}, side{b.v.Children[c], b.mask}, rows)
	}
	return rows
}

// sameValues keeps the rows whose values are equal, in their memory.
func sameValues(a, b side, rows []int32) []int32 {
	switch a.v.Type.Storage() {
	case vector.StoreInt64:
		return sameCells[int64](a, b, rows)
	case vector.StoreString:
		return sameCells[string](a, b, rows)
	}
	k := 0
	for _, i := range rows {
		rows[k] = i
		if CompareElements(a.v, i&a.mask, b.v, i&b.mask) == 0 {
			k++
		}
	}
	return rows[:k]
}

func sameCells[T int64 | string](a, b side, rows []int32) []int32 {
	k := 0
	for _, i := range rows {
		x, y := i&a.mask, i&b.mask
		rows[k] = i
		switch p, q := a.v.IsNull(int(x)), b.v.IsNull(int(y)); {
		case p || q:
			if p && q {
				k++
			}
		case Cell[T](a.v, x) == Cell[T](b.v, y):
			k++
		}
	}
	return rows[:k]
}
