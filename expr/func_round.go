package expr

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// roundFunctions keep the kind of number that they are given: integers stay
// integers and decimals exact, with the digits after the point that are left.
var roundFunctions = map[string]binder{
	"ABS":      absolute,
	"SIGN":     signum,
	"CEIL":     byCount(1, rounding(roundUp)),
	"CEILING":  byCount(1, rounding(roundUp)),
	"FLOOR":    byCount(1, rounding(roundDown)),
	"ROUND":    byCount(1, rounding(roundNearest), roundingTo(roundNearest)),
	"TRUNC":    byCount(1, rounding(roundToZero), roundingTo(roundToZero)),
	"TRUNCATE": byCount(1, rounding(roundToZero), roundingTo(roundToZero)),
}

// roundMode is which neighbour a number goes to.
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
	return math.Round(v)
}

// decimal drops by digits of v and, where fill is set, puts zeros in their place.
func (m roundMode) decimal(v vector.Int128, by int, fill bool) (vector.Int128, bool) {
	if by > maxPrecision { // more digits than there are; only ROUND and TRUNC ask for that
		return vector.Int128{}, true
	}
	p := powers128[by]
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

// numberArg is the first argument as a number that is rounded: strings and NULL
// become DOUBLE.
func numberArg(name string, args []Expr) (Expr, error) {
	x := args[0]
	if x.Type().IsNumeric() {
		if x.Type().Kind == vector.Decimal && x.Type().Precision > maxPrecision {
			return nil, fmt.Errorf("%s: decimals of more than 38 digits are not computed with", name)
		}
		return x, nil
	}
	return wantDouble(name, x)
}

// rounding is to whole numbers.
func rounding(m roundMode) binder {
	return func(name string, args []Expr) (Expr, error) {
		x, err := numberArg(name, args)
		if err != nil {
			return nil, err
		}
		t := x.Type()
		switch {
		case t.IsInteger():
			return x, nil
		case t.Kind == vector.Double:
			return newCall(name, []Expr{x}, t, map1(m.float), false, keepArg)
		case t.IsFloat():
			f := func(v float32) float32 { return float32(m.float(float64(v))) }
			return newCall(name, []Expr{x}, vector.Of(vector.Float), map1(f), false, keepArg)
		}
		return roundDecimal(name, []Expr{x}, m, 0)
	}
}

// roundDecimal leaves so many digits after the point; fewer than none make
// zeros before it.
func roundDecimal(name string, args []Expr, m roundMode, digits int) (Expr, error) {
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
		ret.Precision = min(ret.Precision+1, maxPrecision)
	}
	round := func(v vector.Int128) (vector.Int128, outcome) {
		q, ok := m.decimal(v, by, fill)
		if ok && fill {
			q, ok = rescale(q, -t.Scale)
		}
		if !ok || !fitsPrecision(q, ret.Precision) {
			return q, outcome{err: fmt.Errorf("%s(%s) does not fit %s: %w", name, decimalText128(v, t), ret, errOutOfRange)}
		}
		return q, outcome{}
	}
	wants := make([]want, len(args))
	for i := range wants {
		wants[i] = keepArg
	}
	return newCall(name, args, ret, decimalKernel(t, ret, round), true, wants...)
}

// decimalKernel applies f to the first argument between any storages.
func decimalKernel(from, to vector.Type, f func(vector.Int128) (vector.Int128, outcome)) func() kernel {
	a, b := from.Storage() == vector.StoreInt64, to.Storage() == vector.StoreInt64
	switch {
	case a && b:
		return try1(func(v int64) (int64, outcome) { w, o := f(vector.Int128From(v)); return w.Int64(), o })
	case a:
		return try1(func(v int64) (vector.Int128, outcome) { return f(vector.Int128From(v)) })
	case b:
		return try1(func(v vector.Int128) (int64, outcome) { w, o := f(v); return w.Int64(), o })
	}
	return try1(f)
}

// roundingTo takes the number of digits after the point.
func roundingTo(m roundMode) binder {
	return func(name string, args []Expr) (Expr, error) {
		x, err := numberArg(name, args)
		if err != nil {
			return nil, err
		}
		digits, err := wantInt(name, args[1])
		if err != nil {
			return nil, err
		}
		n, known := literal(digits)
		t, both := x.Type(), []Expr{x, digits}
		switch {
		case t.Kind == vector.Double:
			return newCall(name, both, t, map2(m.floatTo), false, keepArg, keepArg)
		case t.IsFloat():
			f := func(v float32, n int64) float32 { return float32(m.floatTo(float64(v), n)) }
			return newCall(name, both, vector.Of(vector.Float), map2(f), false, keepArg, keepArg)
		case t.IsInteger():
			return roundInteger(name, both, m)
		case !known:
			return nil, fmt.Errorf("%s of a %s needs a literal number of digits", name, t)
		}
		return roundDecimal(name, both, m, int(min(max(n.I64, -maxPrecision), maxPrecision)))
	}
}

// floatTo rounds to n digits after the point.
func (m roundMode) floatTo(v float64, n int64) float64 {
	switch {
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

func roundInteger(name string, args []Expr, m roundMode) (Expr, error) {
	if args[0].Type().Kind == vector.UBigInt {
		var err error
		if args[0], err = NewCast(args[0], vector.DecimalType(20, 0), false); err != nil {
			return nil, err
		}
		return roundingTo(m)(name, args)
	}
	return newCall(name, args, typeInt, try2(func(v, n int64) (int64, outcome) {
		if n >= 0 {
			return v, outcome{}
		}
		w, ok := m.decimal(vector.Int128From(v), int(min(-n, 20)), true)
		if !ok || !w.IsInt64() {
			return 0, outcome{err: fmt.Errorf("%s(%d, %d): %w", name, v, n, errOutOfRange)}
		}
		return w.Int64(), outcome{}
	}), true, keepArg, keepArg)
}

// absolute is ABS.
func absolute(name string, args []Expr) (Expr, error) {
	if len(args) != 1 {
		return nil, wrongCount(name, args, "1")
	}
	x, err := numberArg(name, args)
	if err != nil {
		return nil, err
	}
	one := []Expr{x}
	switch t := x.Type(); {
	case t.Kind == vector.UBigInt:
		return x, nil
	case t.Kind == vector.Double:
		return newCall(name, one, t, map1(math.Abs), false, keepArg)
	case t.IsFloat():
		return newCall(name, one, vector.Of(vector.Float), map1(func(v float32) float32 { return float32(math.Abs(float64(v))) }), false, keepArg)
	case t.Storage() == vector.StoreInt128:
		return newCall(name, one, t, map1(func(v vector.Int128) vector.Int128 {
			if v.Sign() < 0 {
				return v.Neg()
			}
			return v
		}), false, keepArg)
	case t.IsInteger():
		t = typeInt
		fallthrough
	default:
		return newCall(name, one, t, try1(func(v int64) (int64, outcome) {
			if v == math.MinInt64 {
				return 0, outcome{err: fmt.Errorf("ABS(%d): %w", v, errOutOfRange)}
			}
			return max(v, -v), outcome{}
		}), true, keepArg)
	}
}

// signum is SIGN: -1, 0 or 1; of NaN 0.
func signum(name string, args []Expr) (Expr, error) {
	if len(args) != 1 {
		return nil, wrongCount(name, args, "1")
	}
	x, err := numberArg(name, args)
	if err != nil {
		return nil, err
	}
	one := []Expr{x}
	switch t := x.Type(); {
	case t.Kind == vector.UBigInt:
		return newCall(name, one, typeInt, map1(func(v uint64) int64 { return int64(min(v, 1)) }), false, keepArg)
	case t.IsFloat():
		return fixed(typeInt, map1(func(v float64) int64 { return int64(boolRank(v > 0) - boolRank(v < 0)) }), false, wantDouble)(name, one)
	case t.Storage() == vector.StoreInt128:
		return newCall(name, one, typeInt, map1(func(v vector.Int128) int64 { return int64(v.Sign()) }), false, keepArg)
	}
	return newCall(name, one, typeInt, map1(func(v int64) int64 { return int64(boolRank(v > 0) - boolRank(v < 0)) }), false, keepArg)
}
