package number

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// Functions are functions of DOUBLE and of integers. As in DuckDB, a number
// outside the domain of a function is an error; the result is not NaN.
var Functions = []expr.Function{
	{Name: "SQRT", Binding: restricted("square root", func(v float64) bool { return v >= 0 || v != v }, math.Sqrt)},
	{Name: "CBRT", Binding: real1(math.Cbrt)},
	{Name: "EXP", Binding: real1(math.Exp)},
	{Name: "LN", Binding: restricted("logarithm", positive, math.Log)},
	{Name: "LOG10", Binding: restricted("logarithm", positive, math.Log10)},
	{Name: "LOG2", Binding: restricted("logarithm", positive, math.Log2)},
	{Name: "LOG", Binding: define.Overloaded(restricted("logarithm", positive, math.Log10), logarithm)},
	{Name: "POWER", Aliases: []string{"POW", "^"}, Binding: real2(math.Pow)},
	{Name: "SIN", Binding: restricted("sine", finite, math.Sin)},
	{Name: "COS", Binding: restricted("cosine", finite, math.Cos)},
	{Name: "TAN", Binding: restricted("tangent", finite, math.Tan)},
	{Name: "COT", Binding: restricted("cotangent", finite, func(v float64) float64 { return 1 / math.Tan(v) })},
	{Name: "ASIN", Binding: restricted("arcsine", unitRange, math.Asin)},
	{Name: "ACOS", Binding: restricted("arccosine", unitRange, math.Acos)},
	{Name: "ATAN", Binding: real1(math.Atan)},
	{Name: "ATAN2", Binding: real2(math.Atan2)},
	{Name: "SINH", Binding: real1(math.Sinh)},
	{Name: "COSH", Binding: real1(math.Cosh)},
	{Name: "TANH", Binding: real1(math.Tanh)},
	{Name: "DEGREES", Binding: real1(func(v float64) float64 { return v * (180 / math.Pi) })},
	{Name: "RADIANS", Binding: real1(func(v float64) float64 { return v * (math.Pi / 180) })},
	{Name: "PI", Binding: constant(math.Pi)},
	{Name: "ISNAN", Binding: realTest(func(v float64) bool { return v != v })},
	{Name: "ISINF", Binding: realTest(func(v float64) bool { return math.IsInf(v, 0) })},
	{Name: "ISFINITE", Binding: realTest(finite)},
	{Name: "BIT_COUNT", Binding: define.Fixed(define.TypeInt, kernel.Map1(func(v int64) int64 { return int64(bits.OnesCount64(uint64(v))) }), false, define.WantInt)},
	{Name: "GCD", Binding: define.Fixed(define.TypeInt, kernel.Try2(gcd), true, define.WantInt, define.WantInt)},
	{Name: "LCM", Binding: define.Fixed(define.TypeInt, kernel.Try2(lcm), true, define.WantInt, define.WantInt)},
	{Name: "MOD", Binding: define.Operator(scalar.OpMod, define.Numbers)},
	{Name: "DIV", Binding: define.Operator(scalar.OpIntDiv, define.Numbers)},
	{Name: "XOR", Binding: define.Operator(scalar.OpBitXor, "integer, integer → integer")},
	{Name: "ADD", Binding: define.Operator(scalar.OpAdd, define.Sums...)},
	{Name: "SUBTRACT", Binding: define.Operator(scalar.OpSub, define.Differences...)},
	{Name: "MULTIPLY", Binding: define.Operator(scalar.OpMul, define.Numbers, "INTERVAL, BIGINT → INTERVAL")},
	{Name: "DIVIDE", Binding: define.Operator(scalar.OpDiv, define.Numbers)},
	{Name: "NEGATE", Binding: define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return expr.NewNeg(args[0]) }, "number → number", "INTERVAL → INTERVAL")},
}

func constant(v float64) expr.Binding {
	return define.Custom(func(expr.Callee, []expr.Expr) (expr.Expr, error) { return expr.NewConst(vector.FloatScalar(v)), nil }, "→ DOUBLE")
}

func positive(v float64) bool { return v > 0 || v != v }

func finite(v float64) bool { return !math.IsInf(v, 0) && v == v }

func unitRange(v float64) bool { return v >= -1 && v <= 1 || v != v }

func real1(f func(float64) float64) expr.Binding {
	return define.Fixed(define.TypeDouble, kernel.Map1(f), false, define.WantDouble)
}

func real2(f func(a, b float64) float64) expr.Binding {
	return define.Fixed(define.TypeDouble, kernel.Map2(f), false, define.WantDouble, define.WantDouble)
}

func realTest(f func(float64) bool) expr.Binding {
	return define.Fixed(define.TypeBoolean, kernel.Map1(f), false, define.WantDouble)
}

// restricted is a function that is defined only for some numbers and for NaN.
func restricted(what string, defined func(float64) bool, f func(float64) float64) expr.Binding {
	return define.Fixed(define.TypeDouble, kernel.Try1(func(v float64) (float64, kernel.Outcome) {
		if !defined(v) && v == v {
			return 0, kernel.Outcome{Err: fmt.Errorf("there is no %s of %v", what, v)}
		}
		return f(v), kernel.Outcome{}
	}), true, define.WantDouble)
}

// logarithm is LOG(base, x).
var logarithm = define.Fixed(define.TypeDouble, kernel.Try2(func(base, v float64) (float64, kernel.Outcome) {
	if base <= 0 || base == 1 || v <= 0 {
		return 0, kernel.Outcome{Err: fmt.Errorf("there is no logarithm of %v to base %v", v, base)}
	}
	switch base {
	case 2:
		return math.Log2(v), kernel.Outcome{}
	case 10:
		return math.Log10(v), kernel.Outcome{}
	}
	return math.Log(v) / math.Log(base), kernel.Outcome{}
}), true, define.WantDouble, define.WantDouble)

var errGCD = errors.New("greatest common divisor or least common multiple does not fit 64 bits")

func gcd(a, b int64) (int64, kernel.Outcome) {
	for b != 0 {
		if b == -1 { // every integer is divisible by -1
			a, b = 1, 0
			break
		}
		a, b = b, a%b
	}
	if a == math.MinInt64 {
		return 0, kernel.Outcome{Err: errGCD}
	}
	return max(a, -a), kernel.Outcome{}
}

func lcm(a, b int64) (int64, kernel.Outcome) {
	if a == 0 || b == 0 {
		return 0, kernel.Outcome{}
	}
	g, o := gcd(a, b)
	if o.Err != nil {
		return 0, o
	}
	v, ok := scalar.MulChecked(a/g, b)
	if !ok || v == math.MinInt64 {
		return 0, kernel.Outcome{Err: errGCD}
	}
	return max(v, -v), kernel.Outcome{}
}
