package kernel

import (
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// divided is // and % of signed integers. By a positive constant, as there is most often, they multiply.
func divided(op scalar.Op) func() Func {
	return func() Func {
		var by vector.Divider
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			b := OperandOf[int64](args[1])
			if !b.Constant() || b.V[0] <= 0 || args[0].Form == vector.Constant {
				return divideEach(op, OperandOf[int64](args[0]), b, rows, n, out)
			}
			if by.By != b.V[0] {
				by = vector.NewDivider(b.V[0])
			}
			d, a, r := by, args[0].I64, out.I64
			if op == scalar.OpIntDiv {
				for _, i := range Listed(rows, n) {
					r[i] = d.Truncate(a[i])
				}
				return nil
			}
			for _, i := range Listed(rows, n) {
				x := a[i]
				rest := x - d.Floor(x)*d.By
				if x < 0 && rest != 0 { // it has the sign of x
					rest -= d.By
				}
				r[i] = rest
			}
			return nil
		}
	}
}

// divideEach divides by numbers that differ. Processors divide 32 bits in less time.
func divideEach(op scalar.Op, a, b Operand[int64], rows []int32, n int, out *Result) error {
	r := out.I64
	for _, i := range Listed(rows, n) {
		x, y := a.At(i), b.At(i)
		if uint64(x|y)>>32 == 0 && y != 0 {
			if r[i] = int64(uint32(x) / uint32(y)); op == scalar.OpMod {
				r[i] = int64(uint32(x) % uint32(y))
			}
			continue
		}
		v, o := signedOp(op, x, y)
		if o.Err != nil {
			return o.Err
		}
		if o.Null {
			out.Null(int(i))
		}
		r[i] = v
	}
	return nil
}
