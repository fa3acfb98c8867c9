package expr

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/parquetsql/parquetsql/vector"
)

// numberFunctions are those of DOUBLE, and of integers. What has no value for
// an argument is an error, as in DuckDB, and never NaN made from a number.
var numberFunctions = map[string]binder{
	"SQRT":      restricted("square root", func(v float64) bool { return v >= 0 || v != v }, math.Sqrt),
	"CBRT":      real1(math.Cbrt),
	"EXP":       real1(math.Exp),
	"LN":        restricted("logarithm", positive, math.Log),
	"LOG10":     restricted("logarithm", positive, math.Log10),
	"LOG2":      restricted("logarithm", positive, math.Log2),
	"LOG":       byCount(1, restricted("logarithm", positive, math.Log10), logarithm),
	"POWER":     real2(math.Pow),
	"POW":       real2(math.Pow),
	"^":         real2(math.Pow),
	"SIN":       restricted("sine", finite, math.Sin),
	"COS":       restricted("cosine", finite, math.Cos),
	"TAN":       restricted("tangent", finite, math.Tan),
	"COT":       restricted("cotangent", finite, func(v float64) float64 { return 1 / math.Tan(v) }),
	"ASIN":      restricted("arcsine", unitRange, math.Asin),
	"ACOS":      restricted("arccosine", unitRange, math.Acos),
	"ATAN":      real1(math.Atan),
	"ATAN2":     real2(math.Atan2),
	"SINH":      real1(math.Sinh),
	"COSH":      real1(math.Cosh),
	"TANH":      real1(math.Tanh),
	"DEGREES":   real1(func(v float64) float64 { return v * (180 / math.Pi) }),
	"RADIANS":   real1(func(v float64) float64 { return v * (math.Pi / 180) }),
	"PI":        constant(math.Pi),
	"ISNAN":     realTest(func(v float64) bool { return v != v }),
	"ISINF":     realTest(func(v float64) bool { return math.IsInf(v, 0) }),
	"ISFINITE":  realTest(finite),
	"BIT_COUNT": fixed(typeInt, map1(func(v int64) int64 { return int64(bits.OnesCount64(uint64(v))) }), false, wantInt),
	"GCD":       fixed(typeInt, try2(gcd), true, wantInt, wantInt),
	"LCM":       fixed(typeInt, try2(lcm), true, wantInt, wantInt),
	"MOD":       operator(OpMod),
	"DIV":       operator(OpIntDiv),
	"XOR":       operator(OpBitXor),
	"ADD":       operator(OpAdd),
	"SUBTRACT":  operator(OpSub),
	"MULTIPLY":  operator(OpMul),
	"DIVIDE":    operator(OpDiv),
	"NEGATE": func(name string, args []Expr) (Expr, error) {
		if len(args) != 1 {
			return nil, wrongCount(name, args, "1")
		}
		return NewNeg(args[0])
	},
}

// operator is a function that is another name for an operator.
func operator(op Op) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 2 {
			return nil, wrongCount(name, args, "2")
		}
		return NewArith(op, args[0], args[1])
	}
}

func constant(v float64) binder {
	return func(name string, args []Expr) (Expr, error) {
		if len(args) != 0 {
			return nil, wrongCount(name, args, "no")
		}
		return NewConst(vector.FloatScalar(v)), nil
	}
}

func positive(v float64) bool { return v > 0 || v != v }

func finite(v float64) bool { return !math.IsInf(v, 0) && v == v }

func unitRange(v float64) bool { return v >= -1 && v <= 1 || v != v }

func real1(f func(float64) float64) binder { return fixed(typeDouble, map1(f), false, wantDouble) }

func real2(f func(a, b float64) float64) binder {
	return fixed(typeDouble, map2(f), false, wantDouble, wantDouble)
}

func realTest(f func(float64) bool) binder { return fixed(typeBoolean, map1(f), false, wantDouble) }

// restricted is a function that is defined for some numbers only. NaN passes.
func restricted(what string, defined func(float64) bool, f func(float64) float64) binder {
	return fixed(typeDouble, try1(func(v float64) (float64, outcome) {
		if !defined(v) && v == v {
			return 0, outcome{err: fmt.Errorf("there is no %s of %v", what, v)}
		}
		return f(v), outcome{}
	}), true, wantDouble)
}

// logarithm is LOG(base, x).
var logarithm = fixed(typeDouble, try2(func(base, v float64) (float64, outcome) {
	if base <= 0 || base == 1 || v <= 0 {
		return 0, outcome{err: fmt.Errorf("there is no logarithm of %v to base %v", v, base)}
	}
	switch base {
	case 2:
		return math.Log2(v), outcome{}
	case 10:
		return math.Log10(v), outcome{}
	}
	return math.Log(v) / math.Log(base), outcome{}
}), true, wantDouble, wantDouble)

var errGCD = errors.New("greatest common divisor or least common multiple past 64 bits")

func gcd(a, b int64) (int64, outcome) {
	for b != 0 {
		if b == -1 { // the least integer has no remainder that Go could compute
			a, b = 1, 0
			break
		}
		a, b = b, a%b
	}
	if a == math.MinInt64 {
		return 0, outcome{err: errGCD}
	}
	return max(a, -a), outcome{}
}

func lcm(a, b int64) (int64, outcome) {
	if a == 0 || b == 0 {
		return 0, outcome{}
	}
	g, o := gcd(a, b)
	if o.err != nil {
		return 0, o
	}
	v, ok := mulChecked(a/g, b)
	if !ok || v == math.MinInt64 {
		return 0, outcome{err: errGCD}
	}
	return max(v, -v), outcome{}
}
