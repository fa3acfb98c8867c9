package kernel

import (
	"math/bits"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// divides is x % y or x // y for a y that is the same in all rows; each is the same for others.
//
// A number of 32 bits is divided by multiplying with the reciprocal: floor(x * ceil(2^64 / y) / 2^64) is the
// quotient of x and y below 2^32 (Lemire, Kaser, Kurz, "Faster remainder by direct computation", 2019).
func divides(op scalar.Op, each func() Func) func() Func {
	return func() Func {
		slow := each()
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			x, y := OperandOf[int64](args[0]), OperandOf[int64](args[1])
			if !y.Constant() || x.Constant() || y.V[0] < 2 {
				return slow(args, rows, n, out)
			}
			divide(x.V[:n], y.V[0], rows, out.I64, op == scalar.OpMod)
			return nil
		}
	}
}

// divide divides by at least 2.
func divide(x []int64, y int64, rows []int32, out []int64, mod bool) {
	reciprocal, short := ^uint64(0)/uint64(y)+1, y>>32 == 0
	one := func(v int64) int64 {
		quotient := int64(0)
		if short && uint64(v)>>32 == 0 {
			high, _ := bits.Mul64(reciprocal, uint64(v))
			quotient = int64(high)
		} else {
			quotient = v / y
		}
		if mod {
			return v - quotient*y
		}
		return quotient
	}
	if rows == nil {
		out = out[:len(x)]
		for i, v := range x {
			out[i] = one(v)
		}
		return
	}
	for _, i := range rows {
		out[i] = one(x[i])
	}
}
