package expr

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// floatRoutine is IEEE 754 but for DIV and %, which are NULL by zero.
func floatRoutine[F float32 | float64](op Op) *routine {
	switch op {
	case OpMod:
		return &routine{make: try2(func(x, y F) (F, outcome) {
			if y == 0 {
				return 0, outcome{null: true}
			}
			return F(math.Mod(float64(x), float64(y))), outcome{}
		})}
	case OpIntDiv:
		return &routine{careful: true, make: try2(func(x, y F) (int64, outcome) {
			if y == 0 {
				return 0, outcome{null: true}
			}
			v := math.Trunc(float64(x) / float64(y))
			if !(v >= -1<<63 && v < 1<<63) {
				return 0, overflow(op, x, y, vector.Of(vector.BigInt))
			}
			return int64(v), outcome{}
		})}
	}
	return &routine{make: plain[F](op)}
}

// decimalRoutine computes with decimals of one scale, but for products, whose
// scales add up. Results of less than 38 digits always fit: their type grew.
func (e *Arith) decimalRoutine() *routine {
	op, wide := e.Op, e.L.Type().Storage() == vector.StoreInt128
	switch {
	case op == OpIntDiv && wide:
		return &routine{careful: true, make: try2(func(x, y vector.Int128) (int64, outcome) { return mixedOp(op, x, y) })}
	case op == OpIntDiv:
		return &routine{careful: true, make: try2(func(x, y int64) (int64, outcome) { return signedOp(op, x, y) })}
	case op == OpMod && wide:
		return &routine{careful: true, make: try2(func(x, y vector.Int128) (vector.Int128, outcome) {
			if y.Sign() == 0 {
				return y, outcome{null: true}
			}
			_, r := x.DivMod(y)
			return r, outcome{}
		})}
	case op == OpMod:
		return &routine{careful: true, make: try2(func(x, y int64) (int64, outcome) { return signedOp(op, x, y) })}
	case !wide && e.T.Storage() == vector.StoreInt64:
		return &routine{make: plain[int64](op)}
	case !wide:
		return &routine{make: map2(vector.MulInt64)}
	case e.T.Precision < maxPrecision:
		return &routine{make: sure128(op)}
	}
	t := e.T
	return &routine{careful: true, make: try2(func(x, y vector.Int128) (vector.Int128, outcome) {
		var v vector.Int128
		var ok bool
		switch op {
		case OpAdd:
			v, ok = x.AddChecked(y)
		case OpSub:
			v, ok = x.SubChecked(y)
		default:
			v, ok = x.MulChecked(y)
		}
		if !ok || !fitsPrecision(v, maxPrecision) {
			return v, overflow(op, decimalText128(x, e.L.Type()), decimalText128(y, e.R.Type()), t)
		}
		return v, outcome{}
	})}
}

func decimalText128(v vector.Int128, t vector.Type) string {
	return string(vector.AppendDecimal128(nil, v, t.Scale))
}

func sure128(op Op) func() kernel {
	switch op {
	case OpAdd:
		return map2(vector.Int128.Add)
	case OpSub:
		return map2(vector.Int128.Sub)
	}
	return map2(vector.Int128.Mul)
}

func (e *Neg) compile() node {
	r := e.routine()
	r.args = []Expr{e.X}
	return newStrict(e.T, r)
}

func (e *Neg) routine() *routine {
	switch t := e.X.Type(); {
	case t.Kind == vector.Double:
		return &routine{make: map1(func(v float64) float64 { return -v })}
	case t.IsFloat():
		return &routine{make: map1(func(v float32) float32 { return -v })}
	case t.Kind == vector.UBigInt:
		return &routine{careful: true, make: try1(func(v uint64) (int64, outcome) {
			if v > 1<<63 {
				return 0, overflow(OpSub, 0, v, e.T)
			}
			return -int64(v), outcome{}
		})}
	case t.Kind == vector.Interval:
		return &routine{careful: true, make: try1(func(v vector.IntervalValue) (vector.IntervalValue, outcome) {
			w, ok := negateInterval(v)
			if !ok {
				return w, outcome{err: errOutOfRange}
			}
			return w, outcome{}
		})}
	case t.Storage() == vector.StoreInt128:
		return &routine{make: map1(vector.Int128.Neg)}
	}
	return &routine{careful: true, make: try1(func(v int64) (int64, outcome) {
		if v == math.MinInt64 {
			return 0, overflow(OpSub, 0, v, e.T)
		}
		return -v, outcome{}
	})}
}
