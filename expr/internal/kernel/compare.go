package kernel

import (
	"github.com/parquetsql/parquetsql/vector"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
)

// ordered is the constraint for types that Go's < compares.
type ordered interface {
	int64 | uint64 | float32 | float64 | string
}

// Compares is the predicate l op r for arguments of the given type.
func Compares(op scalar.Op, t vector.Type) Predicate {
	switch t.Storage() {
	case vector.StoreInt64:
		return orderedTester[int64](op)
	case vector.StoreUint64:
		return orderedTester[uint64](op)
	case vector.StoreFloat32:
		return orderedTester[float32](op)
	case vector.StoreFloat64:
		return orderedTester[float64](op)
	case vector.StoreString:
		if op != scalar.OpEq && op != scalar.OpNe {
			return ordersTexts(op)
		}
		return orderedTester[string](op)
	case vector.StoreInt128:
		return comparesBy(op, vector.Int128.Cmp)
	case vector.StoreInterval:
		return comparesBy(op, vector.IntervalValue.Compare)
	case vector.StoreBool:
		return comparesBy(op, func(a, b bool) int { return scalar.BoolRank(a) - scalar.BoolRank(b) })
	}
	if t.Kind == vector.Struct && (op == scalar.OpEq || op == scalar.OpNe) {
		return sameStructs(op)
	}
	return comparesNested(op)
}

// ComparesScaled is Compares for decimals of 128 bits with different scales.
func ComparesScaled(op scalar.Op, left, right int) Predicate {
	return comparesBy(op, func(a, b vector.Int128) int { return compareScaled(a, b, right-left) })
}

// compareScaled compares a * 10^by with b.
func compareScaled(a, b vector.Int128, by int) int {
	if by < 0 {
		return -compareScaled(b, a, -by)
	}
	up, ok := scalar.Rescale(a, by)
	if !ok { // it is greater than any number of 128 bits, or less
		return a.Sign()
	}
	return up.Cmp(b)
}

func orderedTester[T ordered](op scalar.Op) Predicate {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, b := OperandOf[T](args[0]), OperandOf[T](args[1])
		switch {
		case a.mask == b.mask:
		case b.mask == 0 && b.V[0] == b.V[0]:
			return into[:compareConstant(op, a.V, b.V[0], rows, n, into)], nil
		case a.mask == 0 && a.V[0] == a.V[0]:
			return into[:compareConstant(op.Flip(), b.V, a.V[0], rows, n, into)], nil
		}
		return into[:compareOperands(op, a, b, Listed(rows, n), into)], nil
	}
}

// compareConstant writes the rows where a op c to into and returns their number.
// c is not NaN. NaN sorts above all numbers, and Go's < and <= are false for it, so
// >= and > are computed as their negations, which is right for NaN in a too. into[k]
// is written before the comparison decides whether it stays, which avoids a branch
// that would be mispredicted. There are six loops because an operator is compiled
// inline only if it is written in the loop's body.
func compareConstant[T ordered](op scalar.Op, a []T, c T, rows []int32, n int, into []int32) int {
	negate := op == scalar.OpNe || op == scalar.OpGe || op == scalar.OpGt
	k := 0
	if rows == nil {
		a, into = a[:n], into[:n]
		switch op {
		case scalar.OpEq, scalar.OpNe:
			for i, v := range a {
				into[k] = int32(i)
				if (v == c) != negate {
					k++
				}
			}
		case scalar.OpLt, scalar.OpGe:
			for i, v := range a {
				into[k] = int32(i)
				if (v < c) != negate {
					k++
				}
			}
		default:
			for i, v := range a {
				into[k] = int32(i)
				if (v <= c) != negate {
					k++
				}
			}
		}
		return k
	}
	switch op {
	case scalar.OpEq, scalar.OpNe:
		for _, i := range rows {
			into[k] = i
			if (a[i] == c) != negate {
				k++
			}
		}
	case scalar.OpLt, scalar.OpGe:
		for _, i := range rows {
			into[k] = i
			if (a[i] < c) != negate {
				k++
			}
		}
	default:
		for _, i := range rows {
			into[k] = i
			if (a[i] <= c) != negate {
				k++
			}
		}
	}
	return k
}

// compareOperands compares row by row. The terms with x != x handle NaN and are
// false for all other values.
func compareOperands[T ordered](op scalar.Op, a, b Operand[T], rows, into []int32) int {
	negate := op == scalar.OpNe || op == scalar.OpGe || op == scalar.OpGt
	k := 0
	switch op {
	case scalar.OpEq, scalar.OpNe:
		for _, i := range rows {
			into[k] = i
			x, y := a.At(i), b.At(i)
			if (x == y || x != x && y != y) != negate {
				k++
			}
		}
	case scalar.OpLt, scalar.OpGe:
		for _, i := range rows {
			into[k] = i
			x, y := a.At(i), b.At(i)
			if (x < y || y != y && x == x) != negate {
				k++
			}
		}
	default:
		for _, i := range rows {
			into[k] = i
			x, y := a.At(i), b.At(i)
			if (x <= y || y != y) != negate {
				k++
			}
		}
	}
	return k
}

// comparesBy is the predicate for values with a comparison function.
func comparesBy[T vector.Value](op scalar.Op, compare func(a, b T) int) Predicate {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, b := OperandOf[T](args[0]), OperandOf[T](args[1])
		k := 0
		for _, i := range Listed(rows, n) {
			into[k] = i
			if holds(op, compare(a.At(i), b.At(i))) {
				k++
			}
		}
		return into[:k], nil
	}
}

// holds reports whether a o b holds, given the comparison result c of a and b.
func holds(o scalar.Op, c int) bool {
	switch o {
	case scalar.OpEq:
		return c == 0
	case scalar.OpNe:
		return c != 0
	case scalar.OpLt:
		return c < 0
	case scalar.OpLe:
		return c <= 0
	case scalar.OpGt:
		return c > 0
	}
	return c >= 0
}

// comparesNested is the predicate for LIST, MAP and STRUCT values.
func comparesNested(op scalar.Op) Predicate {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		k := 0
		for _, i := range Listed(rows, n) {
			into[k] = i
			if holds(op, vector.Compare(args[0], int(i), args[1], int(i))) {
				k++
			}
		}
		return into[:k], nil
	}
}
