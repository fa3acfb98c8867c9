package kernel

import (
	"math/bits"

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
// product of two such values is below 2^126, which has 38 digits. Most batches have but
// values whose products fit 64 bits, too: this is tested once per batch.
func product38(e Arithmetic) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, r := OperandOf[vector.Int128](args[0]), OperandOf[vector.Int128](args[1]), out.I128
			list := Listed(rows, n)
			if mostBits(a, list)+mostBits(b, list) <= 62 {
				for _, i := range list {
					r[i] = vector.Int128From(int64(a.V[int(i)&a.mask].Lo) * int64(b.V[int(i)&b.mask].Lo))
				}
				return nil
			}
			for _, i := range list {
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

// mostBits is k such that all values are at least -2^k and below 2^k; 128 where one does not fit 64 bits.
func mostBits(v Operand[vector.Int128], rows []int32) int {
	all, wide := uint64(0), uint64(0)
	for _, i := range rows {
		x := &v.V[int(i)&v.mask]
		sign := uint64(x.Hi >> 63)
		all |= x.Lo ^ sign
		wide |= uint64(x.Hi) ^ sign
	}
	if wide != 0 || all>>63 != 0 {
		return 128
	}
	return bits.Len64(all)
}
