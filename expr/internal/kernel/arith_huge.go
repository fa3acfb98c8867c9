package kernel

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// hugeOps are the operators that hugeOp computes.
var hugeOps = map[scalar.Op]bool{
	scalar.OpIntDiv: true, scalar.OpBitAnd: true, scalar.OpBitOr: true, scalar.OpBitXor: true, scalar.OpShiftLeft: true, scalar.OpShiftRight: true,
}

// hugeOp computes with integers of 38 digits, as DuckDB does with a HUGEINT.
func hugeOp(op scalar.Op, x, y vector.Int128) (vector.Int128, Outcome) {
	v, ok := x, true
	switch op {
	case scalar.OpIntDiv:
		if y.Sign() == 0 {
			return v, Outcome{Null: true}
		}
		v, _ = x.DivMod(y)
	case scalar.OpBitAnd:
		v = vector.Int128{Hi: x.Hi & y.Hi, Lo: x.Lo & y.Lo}
	case scalar.OpBitOr:
		v = vector.Int128{Hi: x.Hi | y.Hi, Lo: x.Lo | y.Lo}
	case scalar.OpBitXor:
		v = vector.Int128{Hi: x.Hi ^ y.Hi, Lo: x.Lo ^ y.Lo}
	case scalar.OpShiftLeft:
		v = shiftLeft(x, y)
		ok = x.Sign() >= 0 && y.Sign() >= 0 && (x.Sign() == 0 || v.Sign() > 0 && shiftRight(v, y) == x)
	case scalar.OpShiftRight:
		v = shiftRight(x, y)
	}
	if !ok || !scalar.FitsPrecision(v, scalar.MaxPrecision) {
		return v, Outcome{Err: fmt.Errorf("%s %s %s: %w", x, op, y, ErrOutOfRange)}
	}
	return v, Outcome{}
}

// within128 is a number of bits to shift by; false if it is negative or shifts all out.
func within128(y vector.Int128) (uint, bool) {
	return uint(y.Lo), y.Hi == 0 && y.Lo < 128
}

func shiftLeft(x, y vector.Int128) vector.Int128 {
	n, ok := within128(y)
	switch {
	case !ok:
		return vector.Int128{}
	case n >= 64:
		return vector.Int128{Hi: int64(x.Lo << (n - 64))}
	}
	return vector.Int128{Hi: x.Hi<<n | int64(x.Lo>>(64-n)), Lo: x.Lo << n}
}

// shiftRight keeps the sign; all bits are out beyond 127, as in DuckDB.
func shiftRight(x, y vector.Int128) vector.Int128 {
	n, ok := within128(y)
	switch {
	case !ok:
		return vector.Int128{}
	case n >= 64:
		return vector.Int128{Hi: x.Hi >> 63, Lo: uint64(x.Hi >> (n - 64))}
	}
	return vector.Int128{Hi: x.Hi >> n, Lo: x.Lo>>n | uint64(x.Hi)<<(64-n)}
}
