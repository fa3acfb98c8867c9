package number

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// RoundFunctions keep the kind of number: integers stay integers, and decimals stay
// exact decimals with the remaining digits after the point.
var RoundFunctions = []expr.Function{
	{Name: "ABS", Help: "the absolute value", Example: "ABS(-17) → 17",
		Binding: define.Custom(absolute, "number → number")},
	{Name: "SIGN", Help: "-1, 0 or 1, the sign of the number", Example: "SIGN(-3.5) → -1",
		Binding: define.Custom(signum, "number → BIGINT")},
	{Name: "CEIL", Aliases: []string{"CEILING"}, Help: "the least whole number that is not less", Example: "CEIL(1.2) → 2",
		Monotone: risingNumber, Binding: rounding(roundUp)},
	{Name: "FLOOR", Help: "the greatest whole number that is not greater", Example: "FLOOR(-1.2) → -2",
		Monotone: risingNumber, Binding: rounding(roundDown)},
	{Name: "ROUND", Help: "the number rounded to digits after the point, half away from zero", Example: "ROUND(42.456, 2) → 42.46",
		Monotone: risingRounding, Binding: define.Overloaded(rounding(roundNearest), roundingTo(roundNearest))},
	{Name: "TRUNC", Aliases: []string{"TRUNCATE"}, Help: "the number without its digits after the point, or without those after the given one", Example: "TRUNC(-1.9) → -1",
		Monotone: risingRounding, Binding: define.Overloaded(rounding(roundToZero), roundingTo(roundToZero))},
}

// roundMode is the direction of rounding.
type roundMode uint8

const (
	roundNearest roundMode = iota // half away from zero
	roundUp
	roundDown
	roundToZero
)

func (m roundMode) float(v float64) float64 {
	switch m {
	case roundUp:
		return math.Ceil(v)
	case roundDown:
		return math.Floor(v)
	case roundToZero:
		return math.Trunc(v)
	}
	return nearest(v)
}

// decimal drops by digits of v and, if fill is set, replaces them with zeros.
func (m roundMode) decimal(v vector.Int128, by int, fill bool) (vector.Int128, bool) {
	if by > scalar.MaxPrecision { // more digits than v has; possible only in ROUND and TRUNC
		return vector.Int128{}, true
	}
	p := scalar.Powers128[by]
	q, r := v.DivMod(p)
	one := vector.Int128From(1)
	half, odd := p.DivMod(vector.Int128From(2))
	half = half.Add(odd)
	switch {
	case m == roundUp && r.Sign() > 0, m == roundNearest && by > 0 && !r.Less(half):
		q = q.Add(one)
	case m == roundDown && r.Sign() < 0, m == roundNearest && by > 0 && !half.Neg().Less(r):
		q = q.Sub(one)
	}
	if !fill {
		return q, true
	}
	return q.MulChecked(p)
}

// numberArg returns the first argument as a number; strings and NULL become DOUBLE.
func numberArg(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x := args[0]
	if x.Type().IsNumeric() {
		if x.Type().Kind == vector.Decimal && x.Type().Precision > scalar.MaxPrecision {
			return nil, fmt.Errorf("%s: no arithmetic on decimals of more than 38 digits", call.Name)
		}
		return x, nil
	}
	if x.Type().Kind == vector.Null {
		return define.WantInt.Bind(call.Name, x)
	}
	return define.WantDouble.Bind(call.Name, x)
}

// rounding rounds to whole numbers.
func rounding(m roundMode) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		x, err := numberArg(call, args)
		if err != nil {
			return nil, err
		}
		t := x.Type()
		switch {
		case t.IsInteger():
			return x, nil
		case t.Kind == vector.Double:
			return define.Strict(call, []expr.Expr{x}, t, loops(m.floats), false)
		case t.IsFloat():
			f := func(v float32) float32 { return float32(m.float(float64(v))) }
			return define.Strict(call, []expr.Expr{x}, vector.Of(vector.Float), kernel.Map1(f), false)
		}
		return roundDecimal(call, []expr.Expr{x}, m, 0)
	}, "number → number")
}

// roundDecimal keeps the given number of digits after the point; if it is negative,
// that many digits before the point become zeros.
func roundDecimal(call expr.Callee, args []expr.Expr, m roundMode, digits int) (expr.Expr, error) {
	t := args[0].Type()
	if digits >= t.Scale {
		return args[0], nil
	}
	by, fill := t.Scale-digits, false
	ret := vector.DecimalType(t.Precision, max(digits, 0))
	if ret.Scale == 0 && t.Scale > 0 {
		// 9.9 needs one digit more than it had before the point.
		ret.Precision = min(max(t.Precision-t.Scale+1, 1), t.Precision)
	}
	if digits < 0 {
		fill, by = true, t.Scale-digits
		ret.Precision = min(ret.Precision+1, scalar.MaxPrecision)
	}
	round := func(v vector.Int128) (vector.Int128, kernel.Outcome) {
		q, ok := m.decimal(v, by, fill)
		if ok && fill {
			q, ok = scalar.Rescale(q, -t.Scale)
		}
		if !ok || !scalar.FitsPrecision(q, ret.Precision) {
			return q, kernel.Outcome{Err: fmt.Errorf("%s(%s) does not fit %s: %w", call.Name, kernel.DecimalText128(v, t), ret, kernel.ErrOutOfRange)}
		}
		return q, kernel.Outcome{}
	}
	if by < len(scalar.Powers64) && t.Storage() == vector.StoreInt64 && ret.Storage() == vector.StoreInt64 {
		return define.Strict(call, args, ret, m.decimals64(by, max(-digits, 0), ret.Precision, round), true)
	}
	return define.Strict(call, args, ret, decimalKernel(t, ret, round), true)
}

// decimals64 drops by digits, at least one, of decimals of 64 bits, and appends zeros. What does not fit goes to round, for
// its error.
func (m roundMode) decimals64(by, zeros, precision int, round func(vector.Int128) (vector.Int128, kernel.Outcome)) func() kernel.Func {
	p, times, most := scalar.Powers64[by], scalar.Powers64[zeros], scalar.Powers64[precision]
	return func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			in, r, d := kernel.OperandOf[int64](args[0]), out.I64, vector.NewDivider(p)
			for _, i := range kernel.Listed(rows, n) {
				v, q := in.At(i), int64(0)
				switch m {
				case roundUp:
					q = -d.Floor(-v)
				case roundDown:
					q = d.Floor(v)
				case roundToZero:
					q = d.Truncate(v)
				default:
					q = d.Nearest(v)
				}
				if q *= times; q >= most || q <= -most {
					if _, o := round(vector.Int128From(v)); o.Err != nil {
						return o.Err
					}
				}
				r[i] = q
			}
			return nil
		}
	}
}

// decimalKernel applies f to the first argument, for decimals of any two storages.
func decimalKernel(from, to vector.Type, f func(vector.Int128) (vector.Int128, kernel.Outcome)) func() kernel.Func {
	a, b := from.Storage() == vector.StoreInt64, to.Storage() == vector.StoreInt64
	switch {
	case a && b:
		return kernel.Try1(func(v int64) (int64, kernel.Outcome) { w, o := f(vector.Int128From(v)); return w.Int64(), o })
	case a:
		return kernel.Try1(func(v int64) (vector.Int128, kernel.Outcome) { return f(vector.Int128From(v)) })
	case b:
		return kernel.Try1(func(v vector.Int128) (int64, kernel.Outcome) { w, o := f(v); return w.Int64(), o })
	}
	return kernel.Try1(f)
}

// roundingTo rounds to a number of digits after the point, its second argument.
func roundingTo(m roundMode) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		x, err := numberArg(call, args)
		if err != nil {
			return nil, err
		}
		digits, err := define.WantInt.Bind(call.Name, args[1])
		if err != nil {
			return nil, err
		}
		if c, ok := digits.(*expr.Const); ok && c.Value.Null {
			return expr.NewConst(vector.NullOf(x.Type())), nil
		}
		n, known := expr.Literal(digits)
		t, both := x.Type(), []expr.Expr{x, digits}
		switch {
		case t.Kind == vector.Double:
			return define.Strict(call, both, t, roundingFloats(m), false)
		case t.IsFloat():
			f := func(v float32, n int64) float32 { return float32(m.floatTo(float64(v), n)) }
			return define.Strict(call, both, vector.Of(vector.Float), kernel.Map2(f), false)
		case t.IsInteger():
			return roundInteger(call, both, m)
		case !known:
			return nil, fmt.Errorf("%s of a %s needs a literal number of digits", call.Name, t)
		}
		return roundDecimal(call, both, m, int(min(max(n.I64, -scalar.MaxPrecision), scalar.MaxPrecision)))
	}, "integer | FLOAT | DOUBLE, BIGINT → number", "number, BIGINT literal → number")
}

// floatTo rounds to n digits after the point.
func (m roundMode) floatTo(v float64, n int64) float64 {
	switch {
	case n < 0 && m == roundNearest && !finite(v): // as in DuckDB
		return 0
	case n == 0 || !finite(v):
		return m.float(v)
	case n > 308:
		return v
	case n < -308:
		return 0
	case n < 0:
		p := math.Pow10(int(-n))
		if w := m.float(v/p) * p; finite(w) {
			return w
		}
		return 0
	}
	p := math.Pow10(int(n))
	if w := m.float(v*p) / p; finite(w) {
		return w
	}
	return v // so large that it has no digits after the point
}

func roundInteger(call expr.Callee, args []expr.Expr, m roundMode) (expr.Expr, error) {
	if args[0].Type().Kind == vector.UBigInt {
		var err error
		if args[0], err = expr.NewCast(args[0], vector.DecimalType(20, 0), false); err != nil {
			return nil, err
		}
		return roundingTo(m).Bind(call, args)
	}
	return define.Strict(call, args, define.TypeInt, kernel.Try2(func(v, n int64) (int64, kernel.Outcome) {
		if n >= 0 {
			return v, kernel.Outcome{}
		}
		w, ok := m.decimal(vector.Int128From(v), int(-max(n, -20)), true)
		if !ok || !w.IsInt64() {
			return 0, kernel.Outcome{Err: fmt.Errorf("%s(%d, %d): %w", call.Name, v, n, kernel.ErrOutOfRange)}
		}
		return w.Int64(), kernel.Outcome{}
	}), true)
}

// absolute is ABS.
func absolute(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := numberArg(call, args)
	if err != nil {
		return nil, err
	}
	one := []expr.Expr{x}
	switch t := x.Type(); {
	case t.Kind == vector.UBigInt:
		return x, nil
	case t.Kind == vector.Double:
		return define.Strict(call, one, t, loops(absolutes), false)
	case t.IsFloat():
		return define.Strict(call, one, vector.Of(vector.Float), kernel.Map1(func(v float32) float32 { return float32(math.Abs(float64(v))) }), false)
	case t.Storage() == vector.StoreInt128:
		return define.Strict(call, one, t, kernel.Map1(func(v vector.Int128) vector.Int128 {
			if v.Sign() < 0 {
				return v.Neg()
			}
			return v
		}), false)
	case t.IsInteger():
		t = define.TypeInt
		fallthrough
	default:
		return define.Strict(call, one, t, kernel.Try1(func(v int64) (int64, kernel.Outcome) {
			if v == math.MinInt64 {
				return 0, kernel.Outcome{Err: fmt.Errorf("ABS(%d): %w", v, kernel.ErrOutOfRange)}
			}
			return max(v, -v), kernel.Outcome{}
		}), true)
	}
}

// signum is SIGN: -1, 0 or 1; for NaN 0.
func signum(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := numberArg(call, args)
	if err != nil {
		return nil, err
	}
	one := []expr.Expr{x}
	switch t := x.Type(); {
	case t.Kind == vector.UBigInt:
		return define.Strict(call, one, define.TypeInt, kernel.Map1(func(v uint64) int64 { return int64(min(v, 1)) }), false)
	case t.IsFloat():
		return define.Fixed(define.TypeInt, kernel.Map1(func(v float64) int64 { return int64(scalar.BoolRank(v > 0) - scalar.BoolRank(v < 0)) }), false, define.WantDouble).Bind(call, one)
	case t.Storage() == vector.StoreInt128:
		return define.Strict(call, one, define.TypeInt, kernel.Map1(func(v vector.Int128) int64 { return int64(v.Sign()) }), false)
	}
	return define.Strict(call, one, define.TypeInt, kernel.Map1(func(v int64) int64 { return int64(scalar.BoolRank(v > 0) - scalar.BoolRank(v < 0)) }), false)
}

// risingNumber says that a function keeps the order of numbers.
func risingNumber(args []expr.Expr) []expr.Slope {
	if len(args) == 1 && args[0].Type().IsNumeric() {
		return []expr.Slope{expr.Rising}
	}
	return nil
}

// risingRounding says that rounding keeps the order: rounding to whole numbers, and
// rounding exact numbers to a constant number of digits.
func risingRounding(args []expr.Expr) []expr.Slope {
	t := args[0].Type()
	exact := t.IsInteger() || t.Kind == vector.Decimal && t.Storage() != vector.StoreString
	switch {
	case len(args) == 1:
		return risingNumber(args)
	case exact && define.AreConstant(args[1:]):
		return []expr.Slope{expr.Rising, expr.Rising}
	}
	return nil
}
