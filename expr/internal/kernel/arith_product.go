package kernel

import (
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// product64 multiplies decimals of 64 bits; the product has 128.
func product64() Func {
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		a, b, r := OperandOf[int64](args[0]), OperandOf[int64](args[1]), out.I128
		if rows != nil || a.mask == 0 || b.mask == 0 {
			for _, i := range Listed(rows, n) {
				r[i] = vector.MulInt64(a.At(i), b.At(i))
			}
			return nil
		}
		x, y := a.V[:n], b.V[:n]
		r = r[:n]
		for i := range x {
			r[i] = vector.MulInt64(x[i], y[i])
		}
		return nil
	}
}

// product38 multiplies decimals of 128 bits whose product may have more than 38 digits.
// Nearly all values of nearly all files fit 64 bits, though their types are wider. The
// product of two such values is below 2^126, which has 38 digits.
func product38(e Arithmetic) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, r := OperandOf[vector.Int128](args[0]), OperandOf[vector.Int128](args[1]), out.I128
			for _, i := range Listed(rows, n) {
				x, y := &a.V[int(i)&a.mask], &b.V[int(i)&b.mask]
				if x.IsInt64() && y.IsInt64() {
					r[i] = vector.MulInt64(x.Int64(), y.Int64())
					continue
				}
				v, ok := x.MulChecked(*y)
				if !ok || !scalar.FitsPrecision(v, scalar.MaxPrecision) {
					return overflow(e.Op, DecimalText128(*x, e.L), DecimalText128(*y, e.R), e.T).Err
				}
				r[i] = v
			}
			return nil
		}
	}
}
