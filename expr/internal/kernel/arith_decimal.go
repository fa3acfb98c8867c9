package kernel

import (
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// floatOperation computes as IEEE 754 does, except that DIV by zero is NULL. % by
// zero is NaN.
func floatOperation[F float32 | float64](op scalar.Op) Operation {
	switch op {
	case scalar.OpMod:
		return Operation{Make: Map2(func(x, y F) F { return F(scalar.Mod(float64(x), float64(y))) })}
	case scalar.OpIntDiv:
		return Operation{Careful: true, Make: Try2(func(x, y F) (int64, Outcome) {
			if y == 0 {
				return 0, Outcome{Null: true}
			}
			v := math.Trunc(float64(x) / float64(y))
			if !(v >= -1<<63 && v < 1<<63) {
				return 0, overflow(op, x, y, vector.Of(vector.BigInt))
			}
			return int64(v), Outcome{}
		})}
	}
	return Operation{Make: plain[F](op)}
}

// decimalRoutine computes with decimals of the same scale; only for products the
// scales may differ and add up. A result type of less than 38 digits holds every
// result, because the builder made it wide enough.
func (e Arithmetic) decimal() Operation {
	op, wide := e.Op, e.L.Storage() == vector.StoreInt128
	switch {
	case hugeOps[op] && e.T.Storage() == vector.StoreInt128:
		return Operation{Careful: true, Make: Try2(func(x, y vector.Int128) (vector.Int128, Outcome) { return hugeOp(op, x, y) })}
	case op == scalar.OpIntDiv && wide:
		return Operation{Careful: true, Make: Try2(func(x, y vector.Int128) (int64, Outcome) { return mixedOp(op, x, y) })}
	case op == scalar.OpIntDiv:
		return Operation{Careful: true, Make: divided(op)}
	case op == scalar.OpMod && wide:
		return Operation{Careful: true, Make: Try2(func(x, y vector.Int128) (vector.Int128, Outcome) {
			if y.Sign() == 0 {
				return y, Outcome{Null: true}
			}
			_, r := x.DivMod(y)
			return r, Outcome{}
		})}
	case op == scalar.OpMod:
		return Operation{Careful: true, Make: divided(op)}
	case !wide && e.T.Storage() == vector.StoreInt64:
		return Operation{Make: plain[int64](op)}
	case !wide:
		return Operation{Coded: true, Make: product64}
	case e.T.Precision < scalar.MaxPrecision:
		return Operation{Make: sure128(op)}
	case op == scalar.OpMul:
		return Operation{Careful: true, Coded: true, Make: product38(e)}
	}
	t := e.T
	return Operation{Careful: true, Make: Try2(func(x, y vector.Int128) (vector.Int128, Outcome) {
		var v vector.Int128
		var ok bool
		if op == scalar.OpAdd {
			v, ok = x.AddChecked(y)
		} else {
			v, ok = x.SubChecked(y)
		}
		if !ok || !scalar.FitsPrecision(v, scalar.MaxPrecision) {
			return v, overflow(op, DecimalText128(x, e.L), DecimalText128(y, e.R), t)
		}
		return v, Outcome{}
	})}
}

func DecimalText128(v vector.Int128, t vector.Type) string {
	return string(vector.AppendDecimal128(nil, v, t.Scale))
}

func sure128(op scalar.Op) func() Func {
	switch op {
	case scalar.OpAdd:
		return Map2(vector.Int128.Add)
	case scalar.OpSub:
		return Map2(vector.Int128.Sub)
	}
	return Map2(vector.Int128.Mul)
}

// Negation is unary minus with a result of type t.
func Negation(of, t vector.Type) Operation {
	switch {
	case of.Kind == vector.Double:
		return Operation{Make: Map1(func(v float64) float64 { return -v })}
	case of.IsFloat():
		return Operation{Make: Map1(func(v float32) float32 { return -v })}
	case of.Kind == vector.UBigInt:
		return Operation{Careful: true, Make: Try1(func(v uint64) (int64, Outcome) {
			if v > 1<<63 {
				return 0, overflow(scalar.OpSub, 0, v, t)
			}
			return -int64(v), Outcome{}
		})}
	case of.Kind == vector.Interval:
		return Operation{Careful: true, Make: Try1(func(v vector.IntervalValue) (vector.IntervalValue, Outcome) {
			w, ok := scalar.NegateInterval(v)
			if !ok {
				return w, Outcome{Err: ErrOutOfRange}
			}
			return w, Outcome{}
		})}
	case of.Storage() == vector.StoreInt128:
		return Operation{Make: Map1(vector.Int128.Neg)}
	}
	return Operation{Careful: true, Make: Try1(func(v int64) (int64, Outcome) {
		if v == math.MinInt64 {
			return 0, overflow(scalar.OpSub, 0, v, t)
		}
		return -v, Outcome{}
	})}
}
