package expr

import "github.com/parquetsql/parquetsql/vector"

// ordered is what Go's own < compares.
type ordered interface {
	int64 | uint64 | float32 | float64 | string
}

// compareTester is the test of l op r for arguments of the given type.
func compareTester(op Op, t vector.Type) tester {
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
		return orderedTester[string](op)
	case vector.StoreInt128:
		return comparedTester(op, vector.Int128.Cmp)
	case vector.StoreInterval:
		return comparedTester(op, vector.IntervalValue.Compare)
	case vector.StoreBool:
		return comparedTester(op, func(a, b bool) int { return boolRank(a) - boolRank(b) })
	}
	return nestedTester(op)
}

func orderedTester[T ordered](op Op) tester {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, b := operandOf[T](args[0]), operandOf[T](args[1])
		switch {
		case a.mask == b.mask:
		case b.mask == 0 && b.v[0] == b.v[0]:
			return into[:compareConstant(op, a.v, b.v[0], rows, n, into)], nil
		case a.mask == 0 && a.v[0] == a.v[0]:
			return into[:compareConstant(op.Flip(), b.v, a.v[0], rows, n, into)], nil
		}
		return into[:compareOperands(op, a, b, listed(rows, n), into)], nil
	}
}

// compareConstant writes the rows where a op c to into and returns how many.
// c is not NaN. NaN sorts above all numbers and < and <= are false for it, so
// >= and > are their negations and come out right for NaN in a too. into[k] is
// written before it is known whether it stays, which spares a branch that
// would be mispredicted; the loops are six because the operator must stand in
// the loop's body to be compiled into it.
func compareConstant[T ordered](op Op, a []T, c T, rows []int32, n int, into []int32) int {
	negate := op == OpNe || op == OpGe || op == OpGt
	k := 0
	if rows == nil {
		a, into = a[:n], into[:n]
		switch op {
		case OpEq, OpNe:
			for i, v := range a {
				into[k] = int32(i)
				if (v == c) != negate {
					k++
				}
			}
		case OpLt, OpGe:
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
	case OpEq, OpNe:
		for _, i := range rows {
			into[k] = i
			if (a[i] == c) != negate {
				k++
			}
		}
	case OpLt, OpGe:
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

// compareOperands compares row by row. The terms with x != x are about NaN and
// are false for everything else.
func compareOperands[T ordered](op Op, a, b operand[T], rows, into []int32) int {
	negate := op == OpNe || op == OpGe || op == OpGt
	k := 0
	switch op {
	case OpEq, OpNe:
		for _, i := range rows {
			into[k] = i
			x, y := a.at(i), b.at(i)
			if (x == y || x != x && y != y) != negate {
				k++
			}
		}
	case OpLt, OpGe:
		for _, i := range rows {
			into[k] = i
			x, y := a.at(i), b.at(i)
			if (x < y || y != y && x == x) != negate {
				k++
			}
		}
	default:
		for _, i := range rows {
			into[k] = i
			x, y := a.at(i), b.at(i)
			if (x <= y || y != y) != negate {
				k++
			}
		}
	}
	return k
}

// comparedTester is for values with a comparison function.
func comparedTester[T vector.Value](op Op, compare func(a, b T) int) tester {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		a, b := operandOf[T](args[0]), operandOf[T](args[1])
		k := 0
		for _, i := range listed(rows, n) {
			into[k] = i
			if op.holds(compare(a.at(i), b.at(i))) {
				k++
			}
		}
		return into[:k], nil
	}
}

// holds reports whether a op b, given how a and b compare.
func (o Op) holds(c int) bool {
	switch o {
	case OpEq:
		return c == 0
	case OpNe:
		return c != 0
	case OpLt:
		return c < 0
	case OpLe:
		return c <= 0
	case OpGt:
		return c > 0
	}
	return c >= 0
}

// nestedTester compares LIST, MAP and STRUCT values.
func nestedTester(op Op) tester {
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		k := 0
		for _, i := range listed(rows, n) {
			into[k] = i
			if op.holds(vector.Compare(args[0], int(i), args[1], int(i))) {
				k++
			}
		}
		return into[:k], nil
	}
}
