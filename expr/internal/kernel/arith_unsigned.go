package kernel

import (
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// unsigned computes with UBIGINTs. Loops of their own are for what cannot fail or, as a division, is NULL.
func unsigned(op scalar.Op) Operation {
	switch op {
	case scalar.OpBitAnd:
		return Operation{Make: Map2(func(x, y uint64) uint64 { return x & y })}
	case scalar.OpBitOr:
		return Operation{Make: Map2(func(x, y uint64) uint64 { return x | y })}
	case scalar.OpBitXor:
		return Operation{Make: Map2(func(x, y uint64) uint64 { return x ^ y })}
	case scalar.OpIntDiv, scalar.OpMod:
		return Operation{Careful: true, Make: func() Func {
			return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
				a, b, r := OperandOf[uint64](args[0]), OperandOf[uint64](args[1]), out.U64
				for _, i := range Listed(rows, n) {
					switch x, y := a.At(i), b.At(i); {
					case y == 0:
						out.Null(int(i))
						r[i] = 0
					case op == scalar.OpMod:
						r[i] = x % y
					default:
						r[i] = x / y
					}
				}
				return nil
			}
		}}
	case scalar.OpShiftRight:
		return Operation{Make: Map2(func(x, y uint64) uint64 { return x >> min(y, 64) })}
	}
	return Operation{Careful: true, Make: Try2(func(x, y uint64) (uint64, Outcome) {
		v, ok := uint64(0), true
		switch op {
		case scalar.OpAdd:
			v = x + y
			ok = v >= x
		case scalar.OpSub:
			v, ok = x-y, x >= y
		case scalar.OpMul:
			v = x * y
			ok = x == 0 || v/x == y
		case scalar.OpShiftLeft:
			v = x << min(y, 64)
			ok = v>>min(y, 64) == x
		}
		if !ok {
			return 0, overflow(op, x, y, vector.Of(vector.UBigInt))
		}
		return v, Outcome{}
	})}
}
